package import GRDB
import SQLiteAccess

/// The sum of the hashes of an index's postings. Two indexes with equal sums are assumed to contain the same postings.
package struct PostingChecksum: Equatable {
  private var sum: UInt64 = 0
  package private(set) var count = 0

  /// Creates the checksum of an empty index.
  package init() {}

  /// Adds an instance of a term.
  package mutating func add(_ term: UnsafeRawBufferPointer, _ rowID: Int64, _ column: Int, _ position: Int) {
    sum &+= PostingChecksum.hash(term, rowID, column, position)
    count += 1
  }

  /// Creates the checksum of all postings of an FTS5 table. Column and position are 0 if the table stores no positions.
  ///
  /// - Complexity: O(n) in the size of the table.
  package init(ofTable name: String, _ db: Database) throws {
    let vocabulary = "concordance_verification"
    try db.execute(
      sql: "CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(vocabulary) USING fts5vocab(main, \(name), instance)")
    defer { try? db.execute(sql: "DROP TABLE temp.\(vocabulary)") }
    let statement = try SQLStatement(sql: "SELECT term, doc, col, offset FROM temp.\(vocabulary)", in: db)
    while try statement.step() {
      let row = statement.row
      // Without positions, FTS5 returns no column.
      let column = row.bytes(2).map(PostingChecksum.column) ?? 0
      add(UnsafeRawBufferPointer(row.blob(0)), row.int64(1), column, Int(row.int64(3)))
    }
  }

  /// Returns the number after the `c` in a column's name.
  private static func column(_ name: UnsafeRawBufferPointer) -> Int {
    guard name.count > 1 else { return -1 }
    return name.dropFirst().reduce(0) { $0 &* 10 &+ Int($1) &- 0x30 }
  }

  /// Returns the FNV-1a hash of the term, mixed with its location by the finalizer of MurmurHash3.
  private static func hash(_ term: UnsafeRawBufferPointer, _ rowID: Int64, _ column: Int, _ position: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in term { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= UInt64(bitPattern: rowID) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    // A damaged table may return any number.
    hash ^= UInt64(truncatingIfNeeded: column) << 48 ^ UInt64(truncatingIfNeeded: position)
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ (hash >> 33)
  }
}
