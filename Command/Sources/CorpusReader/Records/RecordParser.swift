import JSONText

/// Creates documents from the JSON text of records.
struct RecordParser {
  let parser: JSONParser
  let identity: RecordIdentity
  /// The file's path as shown.
  let path: String
  let generatedID: GeneratedID

  /// Creates a document from one JSON value with optional surrounding white space: the record with this ordinal among
  /// those that begin on the line.
  func document(
    _ text: UnsafeRawBufferPointer, line: Int, ordinal: Int
  ) throws(InvalidRecord) -> CorpusDocument {
    let record: JSONElement
    do {
      record = try parser.parse(text)
    } catch {
      throw InvalidRecord((error as? JSONError)?.description ?? "not JSON")
    }
    guard record.kind == .object else { throw InvalidRecord("not a JSON object but \(record.kind.name)") }
    let (id, hasUnderscoreID) = try identity.id(of: record)
    var json = [UInt8](text)
    if hasUnderscoreID {
      let length = json.count
      json = JSONObjectText.removing("_id", from: json)
      // `"\u005fid"` is the same key but the text search does not find it.
      if json.count == length { throw InvalidRecord("the key \"_id\" is written with escapes") }
    }
    return CorpusDocument(
      id: id ?? generatedID.id(of: json, path: path, line: line, ordinal: ordinal), json: json, line: line,
      ordinal: ordinal, hasContentID: id == nil && generatedID == .content)
  }

  /// Creates a document and passes it to `body`, or the error to `problem`.
  func pass(
    _ text: UnsafeRawBufferPointer, line: Int, ordinal: Int = 1, body: DocumentSink, problem: ProblemSink
  ) throws {
    let document: CorpusDocument
    do {
      document = try self.document(text, line: line, ordinal: ordinal)
    } catch {
      return problem(CorpusProblem(path: path, line: line, kind: .invalidRecord, reason: error.reason))
    }
    try body(document)
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
