import DocumentStore
import GRDB
import JSONText
import MapReduce
import SQLiteAccess

/// One run of a query for all documents.
struct AllDocumentsRun {
  private let query: ViewSelection
  private let collection: Collection
  private let db: GRDB.Database

  init(_ query: ViewSelection, _ collection: Collection, _ db: GRDB.Database) {
    self.query = query
    self.collection = collection
    self.db = db
  }

  func run() throws -> ViewRows {
    var page = ViewPage(query, collection: collection, db)
    if query.allDocumentsMode == .bySequence {
      guard query.keys == nil else {
        throw CBLError(
          CBLError.invalidParameter,
          "an all-documents query in the order of the sequence numbers does not support keys; set startKey and endKey")
      }
      try addRange(to: &page, ordered: "sequence")
    } else if let keys = query.keys {
      for key in keys { try addRow(of: key, to: &page) }
    } else {
      try addRange(to: &page, ordered: "id")
    }
    let sequence = try ViewUpdate.lastSequence(of: collection.record, db)
    return ViewRows(try page.rows(), sequenceNumber: sequence, lastSequence: sequence)
  }

  private static let columns = "id, sequence, revision, deleted"

  /// The condition on the rows of a range.
  private var visibility: String {
    query.allDocumentsMode == .includeDeleted ? StoredDocument.isUnexpired : StoredDocument.isLive
  }

  private func addRange(to page: inout ViewPage, ordered column: String) throws {
    let (first, last) =
      query.isDescending
      ? ((query.endKey, query.inclusiveEnd), (query.startKey, query.inclusiveStart))
      : ((query.startKey, query.inclusiveStart), (query.endKey, query.inclusiveEnd))
    var conditions = [visibility]
    if first.0 != nil { conditions.append("\(column) >\(first.1 ? "=" : "") ?1") }
    if last.0 != nil { conditions.append("\(column) <\(last.1 ? "=" : "") ?2") }
    let statement = try SQLStatement(
      sql: """
        SELECT \(AllDocumentsRun.columns) FROM \(collection.record.table)
        WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(column)\(query.isDescending ? " DESC" : "")
        """, in: db)
    defer { statement.clear() }
    if let key = first.0 { try bind(1, key, isUpper: false, to: statement) }
    if let key = last.0 { try bind(2, key, isUpper: true, to: statement) }
    while !page.isFull, try statement.step() { try page.add(row(statement.row)) }
  }

  private func bind(_ index: Int32, _ key: JSONValue, isUpper: Bool, to statement: SQLStatement) throws {
    switch (key, query.allDocumentsMode) {
    case (.int64(let sequence), .bySequence): statement.bind(index, sequence)
    case (.string(let id), .allDocuments), (.string(let id), .includeDeleted):
      // UTF-8 never contains this byte, so the bound is after every id with the prefix.
      let prefix = isUpper && query.prefixMatchLevel > 0 ? [0xFF] : [UInt8]()
      statement.bind(index, copying: Array(id.utf8) + prefix, asText: true)
    default:
      throw CBLError(
        CBLError.invalidParameter,
        "a key of an all-documents query must be an id, or an integer if sorted by sequence, not \(key.text)")
    }
  }

  /// Adds the row of one id.
  private func addRow(of key: JSONValue, to page: inout ViewPage) throws {
    guard case .string(let id) = key else {
      throw CBLError(CBLError.invalidParameter, "the keys of an all-documents query must be ids")
    }
    let statement = try SQLStatement(
      cached: """
        SELECT \(AllDocumentsRun.columns) FROM \(collection.record.table) WHERE id = ? AND \(StoredDocument.isUnexpired)
        """, in: db)
    try statement.withText(1, id) {
      defer { statement.reset() }
      // As in Couchbase Lite, the result contains a row for a deleted document whose id is requested.
      let found = try statement.step() ? row(statement.row) : nil
      try page.add(
        found
          ?? ViewRow(
            keyText: Array(JSONValue.string(id).text.utf8), valueText: nil, id: id, error: "not_found", collection))
    }
  }

  private func row(_ row: StatementRow) -> ViewRow {
    let id = row.string(0)
    let sequence = UInt64(clamping: row.int64(1))
    var value = [JSONMember("rev", .string(String(row.int64(2), radix: 16)))]
    if row.int64(3) != 0 { value.append(JSONMember("deleted", .boolean(true))) }
    let key = query.allDocumentsMode == .bySequence ? JSONValue.int64(Int64(clamping: sequence)) : .string(id)
    return ViewRow(
      keyText: Array(key.text.utf8), valueText: Array(JSONValue.object(value).text.utf8), id: id, sequence: sequence,
      collection)
  }
}
