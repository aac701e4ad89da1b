import JSONText

/// Creates documents from the JSON text of records.
struct RecordParser {
  let parser: JSONParser
  let identity: RecordIdentity
  /// The path of the file, as in messages and generated ids.
  let path: String
  let generatedID: GeneratedID

  /// Passes the document of one JSON value to `body`, or an error to `problem`.
  ///
  /// - Parameters:
  ///   - text: the value, with optional white space around it.
  ///   - line: the line that the record begins on.
  ///   - ordinal: the number of the record among those that begin on the line.
  func pass(
    _ text: UnsafeRawBufferPointer, line: Int, ordinal: Int = 1, body: DocumentSink, problem: ProblemSink
  ) throws {
    let document: CorpusDocument
    let root: JSONElement
    do {
      (document, root) = try self.document(text, line: line, ordinal: ordinal)
    } catch {
      return problem(CorpusProblem(path: path, line: line, kind: .invalidRecord, reason: error.reason))
    }
    try body(document, root)
  }

  private func document(
    _ text: UnsafeRawBufferPointer, line: Int, ordinal: Int
  ) throws(InvalidRecord) -> (CorpusDocument, root: JSONElement) {
    var root = try invalidRecord(text) { try parser.parse(text) }
    guard root.kind == .object else { throw InvalidRecord("expected a JSON object, found \(root.kind.name)") }
    let (id, hasUnderscoreID) = try identity.id(of: root)
    var json = [UInt8](text)
    if hasUnderscoreID {
      let length = json.count
      json = JSONObjectText.removing("_id", from: json)
      // `"\u005fid"` is the same key, but the search for the text `"_id"` does not find it.
      if json.count == length { throw InvalidRecord("the key \"_id\" is written with escapes") }
      root = try invalidRecord(text) { try json.withUnsafeBytes { try parser.parse($0) } }
    }
    let document = CorpusDocument(
      id: id ?? generatedID.id(of: json, path: path, line: line, ordinal: ordinal), json: json, line: line,
      ordinal: ordinal, hasContentID: id == nil && generatedID == .content)
    return (document, root)
  }

  /// Calls `parse` and converts its errors to ``InvalidRecord``.
  private func invalidRecord(
    _ text: UnsafeRawBufferPointer, _ parse: () throws -> JSONElement
  ) throws(InvalidRecord) -> JSONElement {
    do {
      return try parse()
    } catch {
      if text.hasNUL { throw InvalidRecord.nulByte }
      throw InvalidRecord((error as? JSONError)?.description ?? "not JSON")
    }
  }
}

extension JSONElement.Kind {
  fileprivate var name: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .int64, .uint64, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
