import DocumentStore
import JSONText
import QueryCompiler

/// Writes a document as a line of an export. See the grammar in ExportFormat.swift.
struct DocumentLine {
  private let parser: JSONParser
  private var line: [UInt8] = []
  private var writer = JSONWriter()

  init() throws { parser = try JSONParser() }

  /// Returns the line of a document, without the line feed.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - expiration: the expiration time in milliseconds since 1970; nil if the document does not expire.
  ///   - collection: the collection of the document.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` if the text is damaged.
  mutating func make(
    _ document: StoredDocument, expiration: Int64?, of collection: CollectionRecord
  ) throws -> [UInt8] {
    let root = try document.parsed(by: parser, in: collection)
    guard root.kind == .object else { throw document.unreadable("not a JSON object", in: collection) }
    let shape = Shape(root, document.body)
    let breaks = DocumentLine.breaks(in: document.body)
    writer.removeAll()
    writer.object { object in
      object.member(ExportKey.id.rawValue, document.id)
      if collection.name != .default { object.member(ExportKey.collection.rawValue, collection.name.description) }
      if let expiration {
        if let text = ISO8601Date.text(expiration, hasMilliseconds: true) {
          object.member(ExportKey.expiration.rawValue, text)
        } else {
          object.member(ExportKey.expiration.rawValue, expiration)
        }
      }
      if !breaks.isEmpty {
        object.member(ExportKey.breaks.rawValue) { $0.array { array in breaks.forEach { array.write($0) } } }
      }
    }
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: writer.bytes.dropLast())
    let start: Int
    switch shape {
    case .members:
      line.append(UInt8(ascii: ","))
      start = line.count - 1
      line.append(contentsOf: document.body.dropFirst())
    case .empty:
      start = line.count - 1
      line.append(contentsOf: document.body.dropFirst())
    case .enclosed:
      line.append(contentsOf: ",\"\(ExportKey.body.rawValue)\":".utf8)
      start = line.count
      line.append(contentsOf: document.body)
      line.append(UInt8(ascii: "}"))
    }
    var index = start - 1
    for distance in breaks {
      index += Int(distance.magnitude)
      line[index] = UInt8(ascii: " ")
    }
    return line
  }

  /// How the text of a document is embedded in its line.
  private enum Shape {
    /// The members of the document follow those of the line.
    case members
    /// The document has no members.
    case empty
    /// The document is the value of `_body`, because it has a member with a reserved name, or white space around it.
    case enclosed

    init(_ root: JSONElement, _ text: [UInt8]) {
      var isEmpty = true
      var isReserved = false
      root.forEachMember { key, _ in
        isEmpty = false
        if let key = ExportKey(key), key.describesDocument { isReserved = true }
      }
      // White space around the object also belongs to the text.
      let isBare = text.first == UInt8(ascii: "{") && text.last == UInt8(ascii: "}")
      self = isReserved || !isBare ? .enclosed : isEmpty ? .empty : .members
    }
  }

  /// Returns the distances between line breaks for `_breaks`. In valid JSON, line breaks occur only between tokens.
  private static func breaks(in text: [UInt8]) -> [Int64] {
    var result: [Int64] = []
    var last = -1
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
      let distance = Int64(index - last)
      result.append(byte == UInt8(ascii: "\n") ? distance : -distance)
      last = index
    }
    return result
  }
}
