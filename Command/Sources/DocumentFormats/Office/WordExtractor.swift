/// Extracts the text of Office Open XML word-processing documents (ECMA-376, part 1, WordprocessingML): the main text,
/// then comments, endnotes, footers, footnotes, headers, diagrams and charts.
enum WordExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let main = package.mainPart(default: "word/document.xml", document: member)
    let handler = OfficeTextHandler()
    let fault = XMLEvents.fault { try XMLEvents.parse(try package.required(main), handler) }
    if let fault, handler.result.isEmpty { throw fault }
    let relations = package.relations(of: main, document: member)
    for name in notes(of: main, in: package, relations) {
      handler.beginMember()
      package.parse(name, of: member, handler)
    }
    handler.append(RelatedText.read(relations, in: package, document: member, types: RelatedText.drawingTypes))
    try extraction.emit(
      ExtractedPart(
        member: member, format: ExtractedFormat.docx.rawValue,
        metadata: MetadataHandler.read("docProps/core.xml", in: package),
        content: handler.result))
    if let fault { throw fault }
    try package.checkComplete()
  }

  /// Returns the paths of notes, comments, headers and footers, sorted. A part in the folder of the main part is
  /// recognized by its name as well, because the relationships may be missing from a damaged file.
  private static func notes(of main: String, in package: OfficePackage, _ relations: PackageRelations) -> [String] {
    let folder = OfficePackage.split(main).folder
    let kinds = ["footnotes", "endnotes", "comments", "header", "footer"]
    var paths = Set(package.names.filter { name in kinds.contains { name.hasPrefix(folder + $0) } })
    for (type, target) in relations.list where kinds.contains(type) {
      paths.insert(target)
    }
    paths.remove(main)
    return paths.sorted()
  }
}
