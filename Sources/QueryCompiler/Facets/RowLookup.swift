import DocumentStore
import GRDB
import SQLiteAccess

/// Finds rows of a table by their numbers, asked for in ascending order.
///
/// Where they lie close together the table is read from the first to the last of them, which takes half the time of looking each
/// up.
struct RowLookup {
  private let statement: SQLStatement
  private let isSequential: Bool
  /// The row that was read last; nil before the first and behind the last.
  private var current: Int64?
  private var isAtEnd = false

  /// Of the rows between the first and the last, the share that makes reading all of them faster.
  private static let density: Int64 = 3

  /// - Parameters:
  ///   - columns: what is read of each row, behind its number.
  ///   - table: the table.
  ///   - key: the column of the number.
  ///   - rows: the numbers that will be asked for, in order.
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

  /// The row with this number, valid until the next is asked for; nil where there is none.
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

  /// Ends the reading.
  func end() { statement.reset() }
}
