import GRDB
import SQLiteAccess

/// The table of document lengths: the number of terms in each field of each document, in a form that can be read in
/// milliseconds.
///
/// FTS5 also stores these numbers, but in one row per document: reading them takes 1.5 s for 1,000,000 documents. The
/// additional table `concordance_fl_N (id INTEGER PRIMARY KEY, lengths BLOB)` stores the lengths of one field in 512
/// documents per row:
///
/// ```
/// id -2                     changes := stamp:u64  (before:u64  count:u32  id:u32{count}){per change, newest first}
/// id -1                     header  := stamp:u64  rows:i64  terms:i64{per field}
/// id run * fields + field   lengths := width:u8  length:u(8 * width){up to 512}    of rows run * 512, run * 512 + 1, …
/// ```
///
/// Numbers are little endian. The width is 1, 2 or 4 bytes, whichever fits the largest length. Trailing zeros are
/// omitted, and so are runs that contain only zeros. Whenever the index changes, the stamp is replaced with a new
/// random number, so decoded data can be cached by stamp. If the index has rows that do not fit into 32 bits, `rows` is
/// -1 and nothing else is stored. Otherwise `rows` and `terms` equal the totals in FTS5's averages record; if they
/// differ, another program has changed the index without updating this table, and the next writer recreates it.
/// `changes` lists the runs that recent transactions have changed, each with the stamp before it; if its first stamp
/// differs from that of the header, it is ignored.
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

  /// Returns the ID of the row with the lengths of a field for a run of documents.
  func id(run: Int, column: Int) -> Int64 { Int64(run * columnCount + column) }

  func create(_ db: Database) throws {
    guard try !exists(db) else { return }
    try db.execute(sql: LengthTable.creation(name))
  }

  /// Returns the name of the length table of an index.
  static func name(id: Int64) -> String { "concordance_fl_\(id)" }

  /// Returns the statement that creates the table with this name.
  static func creation(_ name: String) -> String {
    "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, lengths BLOB NOT NULL)"
  }

  func drop(_ db: Database) throws { try db.execute(sql: "DROP TABLE IF EXISTS \(name)") }

  func exists(_ db: Database) throws -> Bool { try db.hasTable(name) }

  /// Reads the header; nil if it is missing or damaged.
  func header(_ db: Database) throws -> Header? {
    try read(LengthTable.headerID, db) { Header($0, columnCount: columnCount) }
  }

  /// Reads the header; nil if the table or the header is missing or the header is damaged.
  ///
  /// Whether the table exists is determined only if it cannot be read, because this takes longer than reading it.
  func headerIfExists(_ db: Database) throws -> Header? {
    do {
      return try header(db)
    } catch let error as DatabaseError {
      guard try !exists(db) else { throw error }
      return nil
    }
  }

  /// Reads the changes that led to a state; an empty list if they are unknown.
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

    /// Returns the header of a table that cannot store the lengths of its index.
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
  /// Encodes a run; nil if it contains only zeros.
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

  /// Decodes a run into memory for ``LengthTable/runLength`` lengths.
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, into lengths: UnsafeMutablePointer<UInt32>
  ) throws(DoclistCorruption) {
    let stored = try StoredLengthRun(bytes)
    lengths.update(repeating: 0, count: LengthTable.runLength)
    for position in 0..<stored.count { lengths[position] = stored[position] }
  }
}

/// The stored bytes of a run, whose form was checked.
struct StoredLengthRun {
  /// The lengths of the first rows of the run, little endian. The others are 0.
  let lengths: UnsafeRawBufferPointer
  /// The base-2 logarithm of the width of a length in bytes.
  let widthBits: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(DoclistCorruption) {
    guard let width = bytes.first else { throw .truncated }
    switch width {
    case 1: widthBits = 0
    case 2: widthBits = 1
    case 4: widthBits = 2
    default: throw .badNumber
    }
    lengths = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[1...])
    guard lengths.count.isMultiple(of: Int(width)), count <= LengthTable.runLength else { throw .badNumber }
  }

  /// The number of stored lengths.
  var count: Int { lengths.count >> widthBits }

  subscript(position: Int) -> UInt32 {
    switch widthBits {
    case 0: UInt32(lengths[position])
    case 1: UInt32(UInt16(littleEndian: lengths.loadUnaligned(fromByteOffset: 2 * position, as: UInt16.self)))
    default: UInt32(littleEndian: lengths.loadUnaligned(fromByteOffset: 4 * position, as: UInt32.self))
    }
  }
}
