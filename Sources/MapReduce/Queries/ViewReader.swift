public import DocumentStore
public import GRDB
import SQLiteAccess

/// Reads the rows of a view in one snapshot of the file.
public struct ViewReader {
  let tables: ViewTables
  let collection: CollectionRecord
  let db: Database

  /// Creates a reader on a connection.
  public init(_ tables: ViewTables, of collection: CollectionRecord, _ db: Database) {
    self.tables = tables
    self.collection = collection
    self.db = db
  }

  /// Calls `body` with the rows in a range, without their positions. `body` must not call this method.
  ///
  /// - Parameters:
  ///   - range: the rows.
  ///   - isDescending: whether the rows are visited in reverse order.
  ///   - body: receives the document, the key as JSON text and the value; returns whether to continue.
  /// - Complexity: O(log n) in the number of rows of the view, and O(1) for each row that is read.
  public func forEachRow(
    in range: ViewRange, isDescending: Bool, _ body: (String, [UInt8], ViewValue) throws -> Bool
  ) throws {
    guard !range.isEmpty else { return }
    let sql = selection("id, key, value", isDescending: isDescending)
    try forEach(range, try SQLStatement(cached: sql, in: db)) { row in
      try body(row.string(0), Array(row.blob(1)), ViewValue(row, 2))
    }
  }

  /// Calls `body` with the rows in a range. `body` may also read the view.
  ///
  /// - Parameters:
  ///   - range: the rows.
  ///   - body: returns whether to continue.
  /// - Complexity: O(log n) in the number of rows of the view, and O(1) for each row that is read.
  public func forEachEntry(in range: ViewRange = .all, _ body: (ViewEntry) throws -> Bool) throws {
    guard !range.isEmpty else { return }
    let sql = selection(ViewEntry.columns, isDescending: false)
    try forEach(range, try SQLStatement(sql: sql, in: db)) { try body(ViewEntry($0)) }
  }

  private func selection(_ columns: String, isDescending: Bool) -> String {
    let order = isDescending ? " DESC" : ""
    return """
      SELECT \(columns) FROM \(tables.rows)
      WHERE (sort, id, number) >= (?1, ?2, ?3) AND (sort, id, number) < (?4, ?5, ?6)
      ORDER BY sort\(order), id\(order), number\(order)
      """
  }

  private func forEach(
    _ range: ViewRange, _ statement: SQLStatement, _ body: (StatementRow) throws -> Bool
  ) throws {
    defer { statement.clear() }
    statement.bind(1, range.lower)
    statement.bind(4, range.upper)
    while try statement.step() {
      guard try body(statement.row) else { return }
    }
  }

  /// Returns the JSON text of the document that is the value of a row; nil if the document has since been deleted
  /// or has expired.
  public func documentText(id: String) throws -> [UInt8]? {
    try DocumentReader(collection, db).document(id: id)?.body
  }

  /// Returns a document that may have rows: one that has expired has them until it is purged.
  func document(id: String) throws -> StoredDocument? {
    try DocumentReader(collection, db).document(id: id, includingDeleted: true).flatMap { $0.isDeleted ? nil : $0 }
  }

  /// Returns a row as input for a reduce function.
  func reducedRow(_ entry: ViewEntry, for reducer: any ViewReducer) throws -> ReducedRow {
    let value: [UInt8]? =
      switch entry.value {
      case .json(let text): text
      case .document where reducer.readsValues: try document(id: entry.id)?.body
      case .none, .document: nil
      }
    return ReducedRow(sort: entry.sort, key: entry.key, id: entry.id, value: value)
  }
}
