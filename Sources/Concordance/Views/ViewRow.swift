import JSONText

/// A row of the result of a ``ViewQuery``.
public struct ViewRow: Sendable {
  let keyValue: JSONValue
  let valueValue: JSONValue?
  /// The document that emitted the row; nil for a row that was reduced.
  public let sourceDocumentID: String?
  /// The number of the last change of the document; nil for rows that were reduced and rows of views.
  public let sequence: UInt64?
  /// The reason why a key of ``ViewQuery/keys`` has no document: `not_found`; nil for other rows.
  public let error: String?
  let collection: Collection
  /// The JSON of the document, if it was read with the row.
  var fetched: JSONValue?

  init(
    key: JSONValue, value: JSONValue?, id: String?, sequence: UInt64? = nil, error: String? = nil,
    _ collection: Collection
  ) {
    keyValue = key
    valueValue = value
    sourceDocumentID = id
    self.sequence = sequence
    self.error = error
    self.collection = collection
  }

  /// The key: `NSNull`, `Bool`, `Int`, `UInt64`, `Double`, `String`, `[Any]` or `[String: Any]`. A row that was reduced
  /// without groups has `NSNull`.
  public var key: Any { ViewJSON.swift(keyValue) }

  /// The value, of the same types; nil if the row has none.
  public var value: Any? { valueValue.map { ViewJSON.swift($0) } }

  /// The key as JSON text.
  public var keyJSON: String { keyValue.text }

  /// The value as JSON text; nil if the row has none.
  public var valueJSON: String? { valueValue?.text }

  /// Returns an element of the key. A key that is not an array is its own element 0.
  ///
  /// - Parameter index: the index of the element.
  /// - Returns: the element; nil outside of the array.
  public func key(at index: Int) -> Any? {
    guard case .array(let elements) = keyValue else { return index == 0 ? key : nil }
    return elements.indices.contains(index) ? ViewJSON.swift(elements[index]) : nil
  }

  /// The id of the document of the row: the `_id` in the value, if the value is an object that has it; otherwise the
  /// document that emitted the row. Nil for a row that was reduced.
  public var documentID: String? {
    guard sourceDocumentID != nil else { return nil }
    if case .object(let members)? = valueValue,
      case .string(let linked)? = members.first(where: { $0.key == "_id" })?.value
    {
      return linked
    }
    return sourceDocumentID
  }

  /// Reads the document of the row; nil if it does not exist, or if the row was reduced.
  ///
  /// - Throws: ``CBLError`` as ``Collection/document(id:)``.
  public func document() throws -> Document? {
    guard error == nil, let id = documentID else { return nil }
    return try collection.document(id: id)
  }

  /// The properties of the document, read in the same snapshot as the row; nil without ``ViewQuery/prefetch``.
  public var documentProperties: [String: Any]? { fetched.flatMap { ViewJSON.swift($0) as? [String: Any] } }

  /// Returns the row as a JSON object with the members `id`, `key`, `value`, `doc` and `error`, as far as it has them.
  public func toJSON() -> String {
    var members: [JSONMember] = []
    if let sourceDocumentID, error == nil { members.append(JSONMember("id", .string(sourceDocumentID))) }
    members.append(JSONMember("key", keyValue))
    if let valueValue { members.append(JSONMember("value", valueValue)) }
    if let fetched { members.append(JSONMember("doc", fetched)) }
    if let error { members.append(JSONMember("error", .string(error))) }
    return JSONValue.object(members).text
  }
}

extension ViewRow: Equatable {
  /// Returns whether both rows have the same key, value and document.
  public static func == (one: ViewRow, other: ViewRow) -> Bool {
    one.keyValue == other.keyValue && one.valueValue == other.valueValue
      && one.sourceDocumentID == other.sourceDocumentID && one.sequence == other.sequence && one.error == other.error
      && one.fetched == other.fetched
  }
}

/// The rows of a ``ViewQuery``.
public struct ViewRows: RandomAccessCollection, Sendable {
  private let rows: [ViewRow]
  /// The number of the last change of the collection that the rows contain.
  public let sequenceNumber: UInt64
  /// Whether the collection had later changes when the query ran.
  public let isStale: Bool

  init(_ rows: [ViewRow], sequenceNumber: Int64, lastSequence: Int64) {
    self.rows = rows
    self.sequenceNumber = UInt64(clamping: sequenceNumber)
    isStale = sequenceNumber != lastSequence
  }

  /// The index of the first row.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { rows.count }
  /// Returns a row.
  public subscript(index: Int) -> ViewRow { rows[index] }
}
