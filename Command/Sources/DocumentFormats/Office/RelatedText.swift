/// The text of the parts that belong to a sheet, a slide or a document: comments, shapes, diagrams and charts.
struct RelatedText {
  /// The types of relationships to parts with paragraphs of DrawingML. Of a chart, these are the titles.
  static let drawingTypes: Set<String> = ["drawing", "diagramData", "chart", "chartEx"]
  /// The types of relationships to parts with comments.
  static let commentTypes: Set<String> = ["comments", "threadedComment"]

  private let package: OfficePackage
  private let document: String
  private var bytes: [UInt8] = []
  /// The parts that were read. A malformed file may list a part many times.
  private var seen: Set<String> = []

  private init(_ package: OfficePackage, document: String) {
    self.package = package
    self.document = document
  }

  /// Returns the text of the parts that the relationships of a part refer to, without blank lines; each paragraph ends
  /// with a line break.
  ///
  /// - Parameters:
  ///   - document: the path of the document, if it is a member of an archive.
  ///   - types: the types of relationships to follow.
  static func read(
    _ relations: PackageRelations, in package: OfficePackage, document: String,
    types: Set<String> = RelatedText.drawingTypes.union(RelatedText.commentTypes)
  ) -> [UInt8] {
    var text = RelatedText(package, document: document)
    text.add(relations, types: types)
    return text.bytes
  }

  private mutating func add(_ relations: PackageRelations, types: Set<String>) {
    let hasThreads = relations.types["threadedComment"].map { package[$0] != nil } ?? false
    for (type, target) in relations.list where types.contains(type) && seen.insert(target).inserted {
      if RelatedText.commentTypes.contains(type) {
        let handler = CommentHandler(skipsPlaceholders: hasThreads)
        package.parse(target, of: document, handler)
        append(handler.result)
      } else {
        let handler = OfficeTextHandler()
        package.parse(target, of: document, handler)
        append(handler.result)
        // The shapes of a sheet are a separate part, which refers to diagrams and charts.
        if type == "drawing" {
          let types = RelatedText.drawingTypes.subtracting(["drawing"])
          add(package.relations(of: target, document: document), types: types)
        }
      }
    }
  }

  private mutating func append(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      bytes += line
      bytes.append(UInt8(ascii: "\n"))
    }
  }
}
