import DocumentStore
import GRDB
import SQLiteAccess

/// Finds rows of a table by their rowids, which must be looked up in ascending order.
///
/// If the rows are close together, the table is scanned from the first to the last of them, which takes half the time
/// of individual lookups.
struct RowLookup {
  private let statement: SQLStatement
  private let isSequential: Bool
  /// The row that was read last; nil before the first and after the last.
  private var current: Int64?
  private var isAtEnd = false

  /// The table is scanned if more than one in this many rowids of the range is looked up.
  private static let density: Int64 = 3

  /// - Parameters:
  ///   - columns: the columns to read after the rowid.
  ///   - table: the table.
  ///   - key: the column that contains the rowid.
  ///   - rows: the rowids that will be looked up, in ascending order.
  ///   - db: the connection.
  init(_ columns: String, of table: String, key: String, _ rows: ArraySlice<Int64>, _ db: Database) throws {
    let (first, last) = (rows.first ?? 0, rows.last ?? 0)
    isSequential = (last - first) / RowLookup.density < Int64(rows.count)
    let condition = isSequential ? "BETWEEN ? AND ? ORDER BY \(key)" : "= ?"
    statement = try SQLStatement(sql: "SELECT \(key), \(columns) FROM \(table) WHERE \(key) \(condition)", in: db)
    guard isSequential else { return }
    statement.bind(1, first)
    statement.bind(2, last)
  }

  /// Returns the row with this rowid, valid until the next call; nil if there is none.
  mutating func find(_ row: Int64) throws -> StatementRow? {
    guard isSequential else {
      statement.reset()
      statement.bind(1, row)
      return try statement.step() ? statement.row : nil
    }
    while !isAtEnd, current.map({ $0 < row }) ?? true {
      isAtEnd = try !statement.step()
      current = isAtEnd ? nil : statement.row.int64(0)
    }
    return current == row ? statement.row : nil
  }

  /// Ends the scan.
  func end() { statement.reset() }
}
