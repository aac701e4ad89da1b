import GRDB
import SQLiteAccess

/// The parts of FTS5's storage format that are read here.
///
/// The tables of an index named `t`, all made by FTS5:
///
/// ```
/// t_data   (id INTEGER PRIMARY KEY, block BLOB)     everything below, by number
/// t_idx    (segid, term, pgno)                      for each leaf that a term begins on: a prefix of its first term that
///                                                   is above all earlier terms; pgno = 2 * leaf + whether the last
///                                                   doclist that begins on it continues on four more leaves
/// t_config (k, v)                                   "version" is 4; other keys are settings
/// t_docsize                                         the lengths of each document, a row a document; not used here
/// ```
///
/// Blocks of `t_data`:
///
/// ```
/// id  1                          averages      := rows:varint  tokens:varint{a column}
/// id 10                          structure     := cookie:u32  levels:varint  segments:varint  written:varint  level*
///                                level         := merging:varint  count:varint  segment{count}
///                                segment       := segid:varint  first leaf:varint  last leaf:varint
/// id (segid << 37) + leaf        leaf          := first rowid:u16  footer:u16  content  page index
///                                page index    := offset:varint{a term}      the first from the start, others from the last
/// id (segid << 37) + (1 << 31)…  bounds           not of FTS5 but of ``DoclistBounds``
/// id (segid << 37) + (1 << 36)…  doclist index    which leaf of a long doclist begins with which row; not needed here
/// ```
///
/// The content of the leaves of a segment, one after the other, is one stream:
///
/// ```
/// stream   := (term doclist)*
/// term     := length:varint bytes                                 the first that begins on a leaf
///           | shared:varint length:varint bytes                   others: so many bytes of the term before, then these
/// doclist  := rowid:varint  poslist  (delta:varint  poslist)*     deltas of rowids are above 0
/// poslist  := size:varint  entry*                                 size = 2 * bytes of the entries + is a delete marker
/// entry    := 0x01 column:varint                                  positions from here on are in this column; first is 0
///           | delta + 2:varint                                    from the last position, or from 0 in a new column
/// ```
///
/// What a stream does at the end of a leaf:
/// - A term and its length are on one leaf. Its doclist may begin on the next leaf.
/// - The first rowid on a leaf, unless it follows a term, is stored in full and not as a delta.
///   `first rowid` in the leaf's header says where it is; 0 where there is none.
/// - A poslist may continue on the next leaf, split between two varints. A rowid and the size after it are on one leaf.
/// - `footer` is where the content ends and the page index begins. A leaf on which no term begins has no page index.
///
/// Numbers are big endian. A varint is SQLite's: seven bits a byte, most significant first, the high bit set in all but the
/// last; a ninth byte has eight bits. None begins with a byte 0x80, which would say nothing.
///
/// Terms carry a byte in front: `0` for the terms themselves, other digits for prefix indexes, which our tables have not.
///
/// A row may be in several segments. Levels are in order of age, the youngest first; within a level the last segment is
/// the youngest. The youngest segment that has the row for a term says what holds: its positions, or, with an empty
/// poslist, that the row no longer has the term. A segment that is being merged has lost the leaves before its `first
/// leaf`, which begins with a term then, although `t_idx` may still point to earlier ones; one whose first leaf is 0 is empty.
///
/// Tables with `detail=none`, which trigrams are kept in, have other doclists, see ``RowListSink``.
///
/// Read off SQLite's fts5_index.c (3.40 to 3.50). Later versions have format 5 for tables with
/// `secure-delete`, and a structure with a marker after the cookie for `contentless_delete`; both are refused with
/// ``FTS5FallbackRequired/unknownFormat``, and FTS5's own functions are asked instead.
enum DoclistFormat {
  static let version: Int64 = 4
  static let averagesID: Int64 = 1
  static let structureID: Int64 = 10
  static let segmentShift: Int64 = 37
  /// How far the numbers of bounds are from those of leaves.
  static let boundsOffset: Int64 = 1 << 31
  static let headerSize = 4
  /// The byte in front of every term.
  static let termPrefix = UInt8(ascii: "0")
  /// The keys of `t_config` that change nothing about what is read.
  static let knownSettings: Set<String> = [
    "version", "pgsz", "hashsize", "automerge", "usermerge", "crisismerge", "rank", "deletemerge",
  ]
  /// Segment numbers have 16 bits, leaf numbers 31.
  static let maximumSegment: UInt64 = 0xFFFF
  static let maximumLeaf: UInt64 = 0x7FFF_FFFF
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

  /// The next varint.
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

  /// A varint of 32 bits in the only form that FTS5 writes: without leading zeros. ``PositionCursor`` tells by the first byte what
  /// an entry is, so another form must not pass.
  @inline(__always)
  mutating func shortVarint() throws(DoclistCorruption) -> UInt64 {
    let start = position
    let value = try varint()
    guard start[0] != 0x80, position - start <= 5 else { throw .badNumber }
    return value
  }

  /// A varint that counts or numbers something.
  @inline(__always)
  mutating func number(upTo limit: UInt64) throws(DoclistCorruption) -> Int {
    let value = try varint()
    guard value <= limit else { throw .badNumber }
    return Int(value)
  }

  /// Skips a byte if it is the next one.
  ///
  /// - Returns: whether it is.
  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < end, position[0] == byte else { return false }
    position += 1
    return true
  }

  /// The next bytes.
  @inline(__always)
  mutating func bytes(_ count: Int) throws(DoclistCorruption) -> UnsafeBufferPointer<UInt8> {
    guard count >= 0, count <= end - position else { throw .truncated }
    defer { position += count }
    return UnsafeBufferPointer(start: position, count: count)
  }
}

/// Damage in FTS5's structures. ``TextIndexError`` reports it to users.
package enum DoclistCorruption: Error {
  /// A structure extends past the end of its block.
  case truncated
  /// A number is out of its range.
  case badNumber
  /// Rows or positions are not in their order.
  case unordered
  /// A referenced block is missing.
  case missingBlock
  /// A leaf is not where searches look for it.
  case missingSeparator

  /// A description of the damage.
  package var reason: String {
    switch self {
    case .truncated: "something goes on past the end of its block"
    case .badNumber: "a number is out of its range"
    case .unordered: "rows are not in their order"
    case .missingBlock: "a block is missing"
    case .missingSeparator: "searches do not find all of its blocks"
    }
  }

  /// The error for an index.
  package func error(index name: String) -> TextIndexError {
    TextIndexError(
      .damaged, "the index \"\(name)\" is damaged: \(reason); it must be rebuilt", recovery: .rebuildIndexes)
  }
}

extension DoclistFormat {
  /// Checks that FTS5 keeps a table in a form that is read here.
  ///
  /// - Throws: ``FTS5FallbackRequired``, `DatabaseError`.
  static func requireKnown(table: String, _ db: Database) throws {
    var version: Int64?
    for row in try Row.fetchAll(db, sql: "SELECT k, v FROM \(table)_config") {
      let key: String = row.value("k", or: "")
      guard knownSettings.contains(key) else { throw FTS5FallbackRequired.unknownFormat }
      if key == "version" { version = row.value("v", or: 0) }
    }
    guard version == self.version else { throw FTS5FallbackRequired.unknownFormat }
  }

  /// A block of the data of a table; empty where it is not there.
  static func block(_ id: Int64, table: String, _ db: Database) throws -> [UInt8] {
    let statement = try SQLStatement(cached: "SELECT block FROM \(table)_data WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, id)
    return try statement.step() ? Array(statement.row.blob(0)) : []
  }
}
