package import GRDB
import GRDBSQLite

/// The postings of an index, hashed and added up: two indexes with equal sums hold the same.
package struct PostingChecksum: Equatable {
  private var sum: UInt64 = 0
  package private(set) var count = 0

  /// No postings.
  package init() {}

  /// Adds an instance of a term.
  package mutating func add(_ term: UnsafeRawBufferPointer, _ rowID: Int64, _ column: Int, _ position: Int) {
    sum &+= PostingChecksum.hash(term, rowID, column, position)
    count += 1
  }

  /// All that the FTS5 table with this name holds. Where a table keeps no positions, column and position are 0.
  ///
  /// - Complexity: O(n) in the size of the table.
  package init(ofTable name: String, _ db: Database) throws {
    let vocabulary = "concordance_verification"
    try db.execute(
      sql: "CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(vocabulary) USING fts5vocab(main, \(name), instance)")
    defer { try? db.execute(sql: "DROP TABLE temp.\(vocabulary)") }
    let statement = try db.makeStatement(sql: "SELECT term, doc, col, offset FROM temp.\(vocabulary)")
    let handle = statement.sqliteStatement
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
      }
      let text = sqlite3_column_blob(handle, 0)
      let term = UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, 0)))
      let hasPositions = sqlite3_column_type(handle, 2) != SQLITE_NULL
      let column =
        hasPositions ? PostingChecksum.column(sqlite3_column_blob(handle, 2), sqlite3_column_bytes(handle, 2)) : 0
      add(term, sqlite3_column_int64(handle, 1), column, Int(sqlite3_column_int64(handle, 3)))
    }
  }

  /// The number behind the `c` of a column's name.
  private static func column(_ name: UnsafeRawPointer?, _ length: Int32) -> Int {
    guard let name, length > 1 else { return -1 }
    let digits = UnsafeRawBufferPointer(start: name + 1, count: Int(length) - 1)
    return digits.reduce(0) { $0 &* 10 &+ Int($1) &- 0x30 }
  }

  /// FNV-1a over the term, mixed with the place (finalizer of MurmurHash3).
  private static func hash(_ term: UnsafeRawBufferPointer, _ rowID: Int64, _ column: Int, _ position: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in term { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= UInt64(bitPattern: rowID) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    // A damaged table may give any number.
    hash ^= UInt64(truncatingIfNeeded: column) << 48 ^ UInt64(truncatingIfNeeded: position)
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ (hash >> 33)
  }
}
