import GRDB
import SQLiteAccess

/// The parts of FTS5's storage format that this module reads and writes.
///
/// Searches read the averages, the structure record, the leaves and `t_idx`. ``SegmentAppender`` writes all of these
/// and the doclist indexes, which only FTS5 reads, and `t_docsize`, which is read to recreate the table of document
/// lengths and to verify an index.
///
/// The tables of an index named `t`, all created by FTS5:
///
/// ```
/// t_data   (id INTEGER PRIMARY KEY, block BLOB)     all blocks below, by ID
/// t_idx    (segid, term, pgno)                      for each leaf on which a term begins: a prefix of its first term;
///                                                   it sorts after all earlier terms; pgno = 2 * leaf, + 1 if the
///                                                   last doclist on it continues on four or more leaves
/// t_config (k, v)                                   "version" is 4; other keys are settings
/// t_docsize                                         the lengths of each document, one row per document
/// ```
///
/// Blocks of `t_data`:
///
/// ```
/// id  1                          averages      := rows:varint  tokens:varint{per column}
/// id 10                          structure     := cookie:u32  levels:varint  segments:varint  written:varint  level*
///                                level         := merging:varint  count:varint  segment{count}
///                                segment       := segid:varint  first leaf:varint  last leaf:varint
/// id (segid << 37) + leaf        leaf          := first rowid:u16  footer:u16  content  page index
///                                page index    := offset:varint{per term}    from the leaf's start or the last offset
/// id (segid << 37) + (1 << 31)…  bounds           written by ``DoclistBounds``, not by FTS5
/// id (segid << 37) + (1 << 32)…  word list        written by ``WordListWriter``, not by FTS5
/// id (segid << 37) + (1 << 36)…  doclist index    the first row of each leaf of a long doclist; see
///                                                 ``DoclistIndexWriter``
/// ```
///
/// The concatenated contents of the leaves of a segment form one stream:
///
/// ```
/// stream   := (term doclist)*
/// term     := length:varint bytes                                 the first term that begins on a leaf
///           | shared:varint length:varint bytes                   others: shared bytes of the last term, then these
/// doclist  := rowid:varint  poslist  (delta:varint  poslist)*     deltas of rowids are above 0
/// poslist  := size:varint  entry*                                 size = 2 * bytes of entries, + 1 for a delete marker
/// entry    := 0x01 column:varint                                  the column of the following positions; initially 0
///           | delta + 2:varint                                    from the previous position; from 0 in a new column
/// ```
///
/// Rules at the end of a leaf:
/// - A term and its length are on the same leaf. Its doclist may begin on the next leaf.
/// - The first rowid on a leaf, unless it follows a term, is stored in full and not as a delta. `first rowid` in the
///   leaf's header is its offset, or 0 if there is none.
/// - A poslist may continue on the next leaf, split between two varints. A rowid and the size after it are on the same
///   leaf.
/// - `footer` is the offset at which the content ends and the page index begins. A leaf on which no term begins has no
///   page index.
///
/// Numbers are big endian. Varints have SQLite's format: seven bits per byte, most significant first, with the high bit
/// set in all but the last; a ninth byte has eight bits. A varint never begins with 0x80, which would be a leading
/// zero.
///
/// Terms begin with an extra byte: `0` in the main index, other digits in prefix indexes, which our tables do not have.
///
/// A row may be in several segments. Levels are in order of age, youngest first; within a level, the last segment is
/// the youngest. The youngest segment that contains the row for a term is authoritative: it contains the positions, or
/// a delete marker with an empty poslist. In a segment that is being merged, the leaves before its `first leaf` have
/// been deleted, although `t_idx` may still point to them; the first leaf then begins with a term. A segment whose
/// first leaf is 0 is empty.
///
/// Tables with `detail=none`, which store trigrams, have a different doclist format; see ``RowListSink``.
///
/// Derived from SQLite's fts5_index.c (3.40 to 3.50). Later versions use format 5 for tables with `secure-delete`, and
/// a structure record with a marker after the cookie for `contentless_delete`. Both are rejected with
/// ``FTS5FallbackRequired/unknownFormat``, and queries then run in FTS5.
enum DoclistFormat {
  static let version: Int64 = 4
  static let averagesID: Int64 = 1
  static let structureID: Int64 = 10
  static let segmentShift: Int64 = 37
  /// The difference between the block ID of bounds and that of their leaf.
  static let boundsOffset: Int64 = 1 << 31
  /// The difference between the block ID of a block of a word list and its number.
  static let wordListOffset: Int64 = 1 << 32
  /// The difference between the block ID of a doclist index page and that of a leaf.
  static let doclistIndexOffset: Int64 = 1 << 36
  static let headerSize = 4
  /// The byte at the beginning of every term.
  static let termPrefix = UInt8(ascii: "0")
  /// The keys of `t_config` that do not affect the format.
  static let knownSettings: Set<String> = [
    "version", "pgsz", "hashsize", "automerge", "usermerge", "crisismerge", "rank", "deletemerge",
  ]
  /// The largest segment number: 16 bits. Leaf numbers have 31 bits.
  static let maximumSegment: UInt64 = 0xFFFF
  static let maximumLeaf: UInt64 = 0x7FFF_FFFF

  /// Returns the page size of a table: the size at which a leaf is complete. The last varints may exceed it.
  static func pageSize(table: String, _ db: Database) throws -> Int {
    try DatabaseValue.fetchOne(db, sql: "SELECT v FROM \(table)_config WHERE k = 'pgsz'")
      .flatMap(Int.fromDatabaseValue) ?? 4050
  }
}

/// Reads untrusted bytes: reading past the end throws.
struct ByteReader {
  private(set) var position: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  init(_ position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.position = position
    self.end = end
  }

  @inline(__always) var isAtEnd: Bool { position >= end }
  @inline(__always) var count: Int { end - position }

  /// Reads a varint.
  @inline(__always)
  mutating func varint() throws(DoclistCorruption) -> UInt64 {
    guard position < end else { throw .truncated }
    let first = position[0]
    if first < 0x80 {
      position += 1
      return UInt64(first)
    }
    return try longVarint()
  }

  @inline(never)
  private mutating func longVarint() throws(DoclistCorruption) -> UInt64 {
    var value: UInt64 = 0
    for number in 0..<9 {
      guard position < end else { throw .truncated }
      let byte = position[0]
      position += 1
      if number == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return value
  }

  /// Reads a varint of up to 32 bits without leading zeros, the only form that FTS5 writes. Other forms must be
  /// rejected because ``PositionCursor`` recognizes entries by their first byte.
  @inline(__always)
  mutating func shortVarint() throws(DoclistCorruption) -> UInt64 {
    let start = position
    let value = try varint()
    guard start[0] != 0x80, position - start <= 5 else { throw .badNumber }
    return value
  }

  /// Reads a varint that is a count or an index.
  @inline(__always)
  mutating func number(upTo limit: UInt64) throws(DoclistCorruption) -> Int {
    let value = try varint()
    guard value <= limit else { throw .badNumber }
    return Int(value)
  }

  /// Skips a byte if it is the next one.
  ///
  /// - Returns: whether it was skipped.
  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < end, position[0] == byte else { return false }
    position += 1
    return true
  }

  /// Skips bytes that the caller has read.
  @inline(__always)
  mutating func advance(_ count: Int) { position += count }

  /// Reads the next bytes.
  @inline(__always)
  mutating func bytes(_ count: Int) throws(DoclistCorruption) -> UnsafeBufferPointer<UInt8> {
    guard count >= 0, count <= end - position else { throw .truncated }
    defer { position += count }
    return UnsafeBufferPointer(start: position, count: count)
  }
}

/// Damage in FTS5's structures. ``TextIndexError`` reports it to users.
package enum DoclistCorruption: IndexDamage {
  /// A structure extends past the end of its block.
  case truncated
  /// A number is out of range.
  case badNumber
  /// Rows or positions are out of order.
  case unordered
  /// A referenced block is missing.
  case missingBlock
  /// A search in `t_idx` cannot reach a leaf.
  case missingSeparator

  /// A description of the damage.
  package var reason: String {
    switch self {
    case .truncated: "a structure extends past the end of its block"
    case .badNumber: "a number is out of range"
    case .unordered: "rows are out of order"
    case .missingBlock: "a block is missing"
    case .missingSeparator: "searches cannot reach all of its blocks"
    }
  }
}

extension DoclistFormat {
  /// Checks that an FTS5 table has a supported format.
  ///
  /// - Throws: ``FTS5FallbackRequired``, `DatabaseError`.
  static func requireKnown(table: String, _ db: Database) throws {
    var version: Int64?
    let statement = try SQLStatement(cached: "SELECT k, v FROM \(table)_config", in: db)
    defer { statement.reset() }
    while try statement.step() {
      let key = statement.row.string(0)
      guard knownSettings.contains(key) else { throw FTS5FallbackRequired.unknownFormat }
      if key == "version" { version = statement.row.int64(1) }
    }
    guard version == self.version else { throw FTS5FallbackRequired.unknownFormat }
  }

  /// Reads a block of a table's data; empty if the block does not exist.
  static func block(_ id: Int64, table: String, _ db: Database) throws -> [UInt8] {
    try withBlock(id, table: table, db) { Array($0) } ?? []
  }

  /// Calls `body` with a block of a table's data; returns nil if the block does not exist.
  static func withBlock<T>(
    _ id: Int64, table: String, _ db: Database, _ body: (UnsafeBufferPointer<UInt8>) throws -> T
  ) throws -> T? {
    let statement = try SQLStatement(cached: "SELECT block FROM \(table)_data WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, id)
    return try statement.step() ? body(statement.row.blob(0)) : nil
  }
}
