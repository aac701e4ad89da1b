import GRDB
import SQLiteAccess

/// The table that holds how many terms each field of each document has, in a form that is read in milliseconds.
///
/// FTS5 has these numbers too, in a row a document: for 1,000,000 documents it takes 1.5 s to read them. This table is beside
/// it, `concordance_fl_N (id INTEGER PRIMARY KEY, lengths BLOB)`, and holds the lengths of 512 rows a field in a row:
///
/// ```
/// id -2                     changes := stamp:u64  (before:u64  count:u32  id:u32{count}){a transaction, the newest first}
/// id -1                     header  := stamp:u64  rows:i64  terms:i64{a field}
/// id run * fields + field   lengths := width:u8  length:u(8 * width){up to 512}     of rows run * 512, run * 512 + 1, …
/// ```
///
/// Numbers are little endian; the width is 1, 2 or 4 bytes, as the longest needs; lengths of 0 at the end are left out, and
/// runs without any other. The stamp is random and new whenever the index has changed, so that what was decoded from it can
/// be kept in memory. `rows` is -1 where an index has rows that do not fit into 32 bits and nothing else is stored. `rows` and
/// `terms` are the totals that FTS5 has in its averages record: where they differ, somebody has changed the index past this
/// table, and the next writer creates it again. `changes` names the runs that the last transactions have changed, with
/// the stamp before each; where its first stamp is not the header's, it tells nothing.
struct LengthTable: Sendable {
  let name: String
  let fullText: FullTextTable

  static let headerID: Int64 = -1
  static let changesID: Int64 = -2
  static let runBits = LengthColumn.runBits
  static let runLength = LengthColumn.runLength

  init(of index: StoredFullTextIndex) {
    name = LengthTable.name(id: index.id)
    fullText = index.table
  }

  var columnCount: Int { fullText.columnCount }

  /// The row of the table that holds the lengths of a field for a run of documents.
  func id(run: Int, column: Int) -> Int64 { Int64(run * columnCount + column) }

  func create(_ db: Database) throws {
    guard try !exists(db) else { return }
    try db.execute(sql: LengthTable.creation(name))
  }

  /// The name of the table of the index with this number.
  static func name(id: Int64) -> String { "concordance_fl_\(id)" }

  /// The statement that makes the table with this name.
  static func creation(_ name: String) -> String {
    "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, lengths BLOB NOT NULL)"
  }

  func drop(_ db: Database) throws { try db.execute(sql: "DROP TABLE IF EXISTS \(name)") }

  func exists(_ db: Database) throws -> Bool { try db.tableExists(name) }

  /// The header; nil where there is none that can be read.
  func header(_ db: Database) throws -> Header? {
    try read(LengthTable.headerID, db) { Header($0, columnCount: columnCount) }
  }

  /// What led to a state; an empty list where nobody knows.
  func changes(leadingTo stamp: UInt64, _ db: Database) throws -> LengthChanges {
    let changes = try read(LengthTable.changesID, db) { LengthChanges($0) }
    if let changes, changes.stamp == stamp { return changes }
    return LengthChanges(stamp: stamp)
  }

  private func read<T>(_ id: Int64, _ db: Database, _ body: (UnsafeBufferPointer<UInt8>) -> T?) throws -> T? {
    let statement = try SQLStatement(cached: "SELECT lengths FROM \(name) WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, id)
    return try statement.step() ? body(statement.row.blob(0)) : nil
  }

  struct Header: Hashable {
    var stamp: UInt64
    var totals: IndexTotals

    init(stamp: UInt64, totals: IndexTotals) {
      self.stamp = stamp
      self.totals = totals
    }

    /// Says that the table cannot hold the lengths of the index.
    static func abandoned(columnCount: Int) -> Header {
      var totals = IndexTotals(columnCount: columnCount)
      totals.rowCount = -1
      return Header(stamp: 0, totals: totals)
    }

    var isAbandoned: Bool { totals.rowCount < 0 }

    fileprivate init?(_ bytes: UnsafeBufferPointer<UInt8>, columnCount: Int) {
      guard bytes.count == 8 * (columnCount + 2) else { return nil }
      func number(_ position: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: 8 * position, as: UInt64.self))
      }
      stamp = number(0)
      totals = IndexTotals(columnCount: columnCount)
      totals.rowCount = Int64(bitPattern: number(1))
      for column in 0..<columnCount { totals.tokenCounts[column] = Int64(bitPattern: number(column + 2)) }
      guard isAbandoned || totals.isPossible else { return nil }
    }

    var bytes: [UInt8] {
      let numbers = [stamp, UInt64(bitPattern: totals.rowCount)] + totals.tokenCounts.map { UInt64(bitPattern: $0) }
      return numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    }
  }
}

/// The lengths of a run in their stored form.
enum LengthRun {
  /// Nil for a run of nothing but zeros.
  static func encode(_ lengths: UnsafeBufferPointer<UInt32>) -> [UInt8]? {
    guard let last = lengths.lastIndex(where: { $0 != 0 }), let longest = lengths.max() else { return nil }
    let width = longest <= UInt8.max ? 1 : longest <= UInt16.max ? 2 : 4
    var bytes = [UInt8(width)]
    bytes.reserveCapacity(1 + width * (last + 1))
    for length in lengths[...last] {
      for number in 0..<width { bytes.append(UInt8(truncatingIfNeeded: length >> (8 * number))) }
    }
    return bytes
  }

  /// Writes the lengths into memory for a whole run.
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, into lengths: UnsafeMutablePointer<UInt32>
  ) throws(DoclistCorruption) {
    lengths.update(repeating: 0, count: LengthTable.runLength)
    guard let start = bytes.baseAddress, !bytes.isEmpty else { throw .truncated }
    let width = Int(bytes[0])
    guard [1, 2, 4].contains(width), (bytes.count - 1).isMultiple(of: width) else { throw .badNumber }
    let count = (bytes.count - 1) / width
    guard count <= LengthTable.runLength else { throw .badNumber }
    let values = UnsafeRawPointer(start + 1)
    switch width {
    case 1: for position in 0..<count { lengths[position] = UInt32(start[1 + position]) }
    case 2:
      for position in 0..<count {
        let value = values.loadUnaligned(fromByteOffset: 2 * position, as: UInt16.self)
        lengths[position] = UInt32(UInt16(littleEndian: value))
      }
    default:
      for position in 0..<count {
        lengths[position] = UInt32(
          littleEndian: values.loadUnaligned(fromByteOffset: 4 * position, as: UInt32.self))
      }
    }
  }
}
