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

  /// Calls `body` with the rows of a range.
  ///
  /// - Parameters:
  ///   - range: the rows.
  ///   - isDescending: whether the last row comes first.
  ///   - body: returns whether to continue.
  /// - Complexity: O(log n) in the rows of the view, and O(1) for each row that is read.
  public func forEachEntry(
    in range: ViewRange = .all, isDescending: Bool = false, _ body: (ViewEntry) throws -> Bool
  ) throws {
    guard !range.isEmpty else { return }
    let order = isDescending ? " DESC" : ""
    let statement = try SQLStatement(
      sql: """
        SELECT \(ViewEntry.columns) FROM \(tables.rows)
        WHERE (sort, id, number) >= (?1, ?2, ?3) AND (sort, id, number) < (?4, ?5, ?6)
        ORDER BY sort\(order), id\(order), number\(order)
        """, in: db)
    defer { statement.clear() }
    statement.bind(1, range.lower)
    statement.bind(4, range.upper)
    while try statement.step() {
      guard try body(ViewEntry(statement.row)) else { return }
    }
  }

  /// Returns the JSON text of the document that is the value of a row; nil if the document was deleted since.
  public func documentText(id: String) throws -> [UInt8]? {
    try DocumentReader(collection, db).document(id: id)?.body
  }

  /// Returns a row for a reduce.
  func reducedRow(_ entry: ViewEntry, for reducer: any ViewReducer) throws -> ReducedRow {
    let value: [UInt8]? =
      switch entry.value {
      case .json(let text): text
      case .document where reducer.readsValues: try documentText(id: entry.id)
      case .none, .document: nil
      }
    return ReducedRow(sort: entry.sort, key: entry.key, id: entry.id, value: value)
  }
}
