import DocumentStore
import Foundation
import JSONText

/// A parsed line of an import. See the grammar in ExportFormat.swift.
enum ImportedLine {
  /// The first line of an export. `migrations` is empty if the line does not list any.
  case header(version: Int64, migrations: [String])
  /// The full name of a collection.
  case collection(String)
  case piece(BlobPiece)
  case document(ImportedDocument)
  /// The definition of an index. `collection` is nil for the default collection.
  case index(name: String, collection: String?, any IndexConfiguration)
}

/// A document of an import.
struct ImportedDocument {
  /// The id; nil if the import generates one.
  let id: String?
  /// The full name of the collection; nil for the default collection.
  let collection: String?
  /// The expiration time in milliseconds since 1970; nil if the document does not expire.
  let expiration: Int64?
  let body: DocumentBody
  /// The terms of the document for the text indexes of its collection.
  let terms: [IndexedTerms]
}

/// A part of a blob. The pieces of a blob follow each other in the order of their offsets.
struct BlobPiece {
  /// The digest of the whole blob.
  let digest: String
  /// The length of the whole blob in bytes.
  let length: Int64
  /// The offset of this piece in bytes.
  let offset: Int64
  let content: Data
}

/// Parses the lines of an import. It reuses one JSON parser, so an instance must be used on one thread.
struct LineParser {
  private let parser: JSONParser
  private let kinds: IndexKinds

  init(_ kinds: IndexKinds) throws {
    self.kinds = kinds
    parser = try JSONParser()
  }

  /// Parses a line.
  ///
  /// - Parameters:
  ///   - line: the UTF-8 bytes of a JSON object. White space around it is ignored.
  ///   - isFirst: whether it is the first line of a file that is not blank, which may be the header of a later version.
  ///   - analyze: returns the terms of a document, from the full name of its collection and its root.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidJSON`` if the line is not a JSON object, or a reserved member has an invalid value.
  ///   - ``CBLError/badDocID`` if the id is not a valid document id.
  ///   - ``CBLError/invalidParameter`` if the document is too large, or the definition of an index is invalid.
  ///
  ///   The errors of `analyze`.
  func parse(
    _ line: UnsafeRawBufferPointer, isFirst: Bool,
    analyze: (_ collection: String?, JSONElement) throws -> [IndexedTerms]
  ) throws -> ImportedLine {
    try withPublicErrors {
      let line = line.trimmingSpace
      let root = try parser.parse(line)
      guard root.kind == .object else { throw LineParser.fault("expected a JSON object, found \(root.kind)") }
      var members: [ExportKey: JSONElement] = [:]
      var count = 0
      var reservedCount = 0
      root.forEachMember { key, value in
        count += 1
        if key.first == UInt8(ascii: "_") { reservedCount += 1 }
        // If a key occurs twice, the first occurrence is used, as in documents.
        if let key = ExportKey(key), members[key] == nil { members[key] = value }
      }
      // The header of another file may follow, such as in the output of `cat`.
      let mayBeHeader = isFirst || reservedCount == count
      if members[.id] == nil, let other = try other(members, count: count, mayBeHeader: mayBeHeader) { return other }
      return .document(try document(members, count: count, line, analyze))
    }
  }

  /// Parses a line that is not a document; returns nil if the keys do not match any other kind of line.
  private func other(_ members: [ExportKey: JSONElement], count: Int, mayBeHeader: Bool) throws -> ImportedLine? {
    let version = members[.header]?.int64
    // A later version may add keys to its header.
    if mayBeHeader, let version, version > ExportFormat.version { return .header(version: version, migrations: []) }
    // An object with any other key is a document, even if it has a property with a reserved name.
    guard members.count == count else { return nil }
    switch Set(members.keys) {
    case [.header], [.header, .migrations]:
      guard let version else { return nil }
      return .header(version: version, migrations: try migrations(members[.migrations]))
    case [.collection]: return .collection(try string(members, .collection))
    case [.blob, .length, .offset, .data]:
      guard let length = members[.length]?.int64, let offset = members[.offset]?.int64,
        let content = Data(base64Encoded: try string(members, .data))
      else { throw LineParser.fault("_length or _offset is not a number, or _data is not Base64") }
      return .piece(
        BlobPiece(digest: try string(members, .blob), length: length, offset: offset, content: content))
    case [.index, .definition], [.index, .collection, .definition]:
      let collection = members[.collection] == nil ? nil : try string(members, .collection)
      return .index(name: try string(members, .index), collection: collection, try definition(members))
    default: return nil
    }
  }

  private func migrations(_ element: JSONElement?) throws -> [String] {
    guard let element else { return [] }
    var names: [String] = []
    var isValid = element.kind == .array
    element.forEachElement { value in
      if let name = value.string { names.append(name) } else { isValid = false }
    }
    guard isValid else { throw LineParser.fault("_migrations is not an array of strings") }
    return names
  }

  private func definition(_ members: [ExportKey: JSONElement]) throws -> any IndexConfiguration {
    let element = members[.definition]
    let text = Data((element.map { JSONValue($0).text } ?? "").utf8)
    do {
      guard let element, element.kind == .object, let type = kinds.configuration(of: element) else {
        throw LineParser.unknownDefinition
      }
      return try configuration(type, text)
    } catch is DecodingError {
      throw LineParser.unknownDefinition
    }
  }

  /// Decodes the configuration of an index, and throws if no index can be created from it.
  private func configuration<Configuration: StoredIndexConfiguration>(
    _ type: Configuration.Type, _ text: Data
  ) throws -> any IndexConfiguration {
    let configuration = try JSONDecoder().decode(type, from: text)
    try configuration.definition().check()
    return configuration
  }

  private static let unknownDefinition = fault(
    "_definition is not the definition of an index, or was written by a newer version")

  private func string(_ members: [ExportKey: JSONElement], _ key: ExportKey) throws -> String {
    guard let value = members[key]?.string else { throw LineParser.fault("\(key.rawValue) is not a string") }
    return value
  }

  private static func fault(_ message: String) -> CBLError { CBLError(CBLError.invalidJSON, message) }
}

extension LineParser {
  private func document(
    _ known: [ExportKey: JSONElement], count: Int, _ line: UnsafeRawBufferPointer,
    _ analyze: (_ collection: String?, JSONElement) throws -> [IndexedTerms]
  ) throws -> ImportedDocument {
    let described = known.filter { $0.key.describesDocument }
    // If the line has other properties, `_body` is a property.
    let isEnclosed = described[.body]?.kind == .object && described.count == count
    let id = try id(described[.id])
    let collection = described[.collection] == nil ? nil : try string(described, .collection)
    let expiration = try expiration(described)
    let distances = try distances(described[.breaks])
    // The elements are not used after this point, because the parser is reused for the text of the document.
    let names = described.keys.filter { isEnclosed || $0 != .body }
    var text = try isEnclosed ? enclosed(line) : members(of: line, without: names)
    try restore(distances, in: &text)
    var terms: [IndexedTerms] = []
    let body = try DocumentBody(checking: text, parser: parser) { terms = try analyze(collection, $0) }
    return ImportedDocument(id: id, collection: collection, expiration: expiration, body: body, terms: terms)
  }

  private func id(_ element: JSONElement?) throws -> String? {
    guard let element, element.kind != .null else { return nil }
    guard let id = element.string ?? element.int64.map({ String($0) }) ?? element.uint64.map({ String($0) }) else {
      throw CBLError(CBLError.badDocID, "the id in \"_id\" is neither a string nor an integer")
    }
    try DocumentStore.DocumentIDRule.check(id)
    return id
  }

  /// Returns the expiration in milliseconds since 1970.
  private func expiration(_ described: [ExportKey: JSONElement]) throws -> Int64? {
    guard let element = described[.expiration], element.kind != .null else { return nil }
    if let milliseconds = element.int64 {
      guard milliseconds.magnitude <= DocumentExpiration.limit else {
        throw LineParser.fault("the number in _expiration is not a time in milliseconds since 1970")
      }
      return milliseconds
    }
    guard let date = DocumentDate.date(from: try string(described, .expiration)) else {
      throw LineParser.fault("_expiration is not a date in ISO 8601")
    }
    return try Collection.milliseconds(date)
  }

  /// Returns the line as an object without the members in `names`, which are reserved.
  ///
  /// In an export they precede all other members, and the rest of the text is copied. In other lines they may have any
  /// position, and are removed one by one.
  private func members(of line: UnsafeRawBufferPointer, without names: [ExportKey]) throws -> [UInt8] {
    var scanner = JSONContainerScanner(line, of: line.indices)
    var end = 1
    var left = names.count
    while left > 0, let item = scanner.next(), let key = item.key {
      guard names.contains(where: { line[key].elementsEqual($0.rawValue.utf8) }) else { break }
      left -= 1
      // White space before the last brace belongs to the document.
      end = line[item.end] == UInt8(ascii: ",") ? item.end + 1 : item.value.upperBound
    }
    guard left > 0 else { return [UInt8(ascii: "{")] + line[end...] }
    var text = Array(line)
    for name in names {
      let length = text.count
      text = JSONObjectText.removing(name.rawValue, from: text)
      // The parser found the key, but the text contains it with escapes, such as `"\u005fid"`.
      if text.count == length { throw LineParser.fault("the key \"\(name.rawValue)\" is written with escapes") }
    }
    return text
  }

  /// Returns the text of the value of `_body`, including the white space around it.
  private func enclosed(_ line: UnsafeRawBufferPointer) throws -> [UInt8] {
    var scanner = JSONContainerScanner(line, of: line.indices)
    while let item = scanner.next() {
      guard let key = item.key, line[key].elementsEqual(ExportKey.body.rawValue.utf8),
        let colon = line[key.upperBound...].firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      return Array(line[(colon + 1)..<item.end])
    }
    throw LineParser.fault("the key \"_body\" is written with escapes")
  }

  /// Returns the distances of `_breaks`; empty if the member is missing.
  private func distances(_ element: JSONElement?) throws -> [Int64] {
    guard let element else { return [] }
    var distances: [Int64] = []
    var isValid = element.kind == .array
    element.forEachElement { value in
      if let distance = value.int64, distance != 0 { distances.append(distance) } else { isValid = false }
    }
    guard isValid else { throw LineParser.fault("_breaks is not an array of distances") }
    return distances
  }

  /// Replaces spaces with line breaks at the positions of `_breaks`.
  private func restore(_ distances: [Int64], in text: inout [UInt8]) throws {
    var index = -1
    for distance in distances {
      let (next, overflow) = index.addingReportingOverflow(Int(clamping: distance.magnitude))
      guard !overflow, next < text.count, text[next] == UInt8(ascii: " ") else {
        throw LineParser.fault("_breaks does not match the text; remove it if the document was edited")
      }
      text[next] = distance > 0 ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
      index = next
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The text without the JSON white space around it.
  var trimmingSpace: UnsafeRawBufferPointer {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
    var start = 0
    var end = count
    while start < end, isSpace(self[start]) { start += 1 }
    while end > start, isSpace(self[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}
