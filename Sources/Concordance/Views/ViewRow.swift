import JSONText
import PatternMatching

/// A row of the result of a ``ViewQuery``.
public struct ViewRow: Sendable {
  /// The key as JSON text. It is parsed on demand, because most rows are printed or compared as text.
  private let keyText: [UInt8]
  private let valueText: [UInt8]?
  /// The JSON text of the document, if it was read with the row.
  var fetchedText: [UInt8]?
  /// The id of the document that emitted the row; nil for a reduced row.
  public let sourceDocumentID: String?
  /// The sequence number of the last change to the document; nil for rows of views, reduced or not.
  public let sequence: UInt64?
  /// The reason why a key of ``ViewQuery/keys`` has no document: `not_found`; nil for other rows.
  public let error: String?
  let collection: Collection

  /// - Parameters:
  ///   - keyText: the key as JSON text.
  ///   - valueText: the value as JSON text; nil for none.
  init(
    keyText: [UInt8], valueText: [UInt8]?, id: String?, sequence: UInt64? = nil, error: String? = nil,
    _ collection: Collection
  ) {
    self.keyText = keyText
    self.valueText = valueText
    sourceDocumentID = id
    self.sequence = sequence
    self.error = error
    self.collection = collection
  }

  var keyValue: JSONValue { ViewJSON.stored(keyText) }
  var valueValue: JSONValue? { valueText.map { ViewJSON.stored($0) } }

  /// The key: `NSNull`, `Bool`, `Int`, `UInt64`, `Double`, `String`, `[Any]` or `[String: Any]`. It is `NSNull` for the
  /// single row of an ungrouped reduce.
  public var key: Any { ViewJSON.swift(keyValue) }

  /// The value, of one of the types listed under ``key``; nil if the row has none.
  public var value: Any? { valueValue.map { ViewJSON.swift($0) } }

  /// The key as JSON text.
  public var keyJSON: String { String(decoding: keyText, as: UTF8.self) }

  /// The value as JSON text; nil if the row has none.
  public var valueJSON: String? { valueText.map { String(decoding: $0, as: UTF8.self) } }

  /// Returns an element of the key. If the key is not an array, element 0 is the key itself.
  ///
  /// - Parameter index: the index of the element.
  /// - Returns: the element; nil if the index is out of bounds.
  public func key(at index: Int) -> Any? {
    guard case .array(let elements) = keyValue else { return index == 0 ? key : nil }
    return elements.indices.contains(index) ? ViewJSON.swift(elements[index]) : nil
  }

  /// The id of the row's document: the `_id` in the value, if the value is an object with this member; otherwise the id
  /// of the document that emitted the row. Nil for a reduced row.
  public var documentID: String? {
    guard sourceDocumentID != nil else { return nil }
    if let valueText, ViewRow.mayLink(valueText), case .object(let members) = ViewJSON.stored(valueText),
      case .string(let linked)? = members.first(where: { $0.key == "_id" })?.value
    {
      return linked
    }
    return sourceDocumentID
  }

  private static let linkMember = Array("\"_id\"".utf8)

  /// Returns whether the text may be an object with the member `_id`. Most values do not have it and need not
  /// be parsed.
  private static func mayLink(_ text: [UInt8]) -> Bool {
    text.first == UInt8(ascii: "{")
      && (text.contains(UInt8(ascii: "\\")) || ByteSearch.first(linkMember, in: text) != nil)
  }

  /// Returns the document of the row; nil if it does not exist, or if the row is a reduced row.
  ///
  /// - Throws: the same errors as ``Collection/document(id:)``.
  public func document() throws -> Document? {
    guard error == nil, let id = documentID else { return nil }
    return try collection.document(id: id)
  }

  /// The properties of the document, read in the same snapshot as the row; nil without ``ViewQuery/prefetch``.
  public var documentProperties: [String: Any]? {
    fetchedText.flatMap { ViewJSON.swift(ViewJSON.stored($0)) as? [String: Any] }
  }

  /// Returns the row as a JSON object. It always contains the member `key`, and contains the members `id`, `value`,
  /// `doc` and `error` if they apply.
  public func toJSON() -> String {
    var members: [(String, [UInt8])] = []
    if let sourceDocumentID, error == nil {
      members.append(("id", Array(JSONValue.string(sourceDocumentID).text.utf8)))
    }
    members.append(("key", keyText))
    if let valueText { members.append(("value", valueText)) }
    if let fetchedText { members.append(("doc", fetchedText)) }
    if let error { members.append(("error", Array(JSONValue.string(error).text.utf8))) }
    return "{" + members.map { "\"\($0)\":" + String(decoding: $1, as: UTF8.self) }.joined(separator: ",") + "}"
  }
}

extension ViewRow {
  /// The identity of the row in the results of a live query: its document, or the key of a reduced row.
  var identity: [[UInt8]] { sourceDocumentID.map { [Array($0.utf8)] } ?? [[], keyText] }
}

extension ViewRow: Equatable {
  /// Returns whether both rows have the same key, value and document.
  public static func == (one: ViewRow, other: ViewRow) -> Bool {
    one.keyText == other.keyText && one.valueText == other.valueText
      && one.sourceDocumentID.map { ExactString($0) } == other.sourceDocumentID.map { ExactString($0) }
      && one.sequence == other.sequence && one.error == other.error
      && one.fetchedText == other.fetchedText
  }
}

/// The rows of a ``ViewQuery``.
public struct ViewRows: RandomAccessCollection, Sendable {
  private let rows: [ViewRow]
  /// The sequence number of the last change that the rows reflect.
  public let sequenceNumber: UInt64
  /// Whether the collection already had later changes when the query ran.
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
  ///
  /// - Parameter index: the index of the row, from 0.
  public subscript(index: Int) -> ViewRow { rows[index] }
}
