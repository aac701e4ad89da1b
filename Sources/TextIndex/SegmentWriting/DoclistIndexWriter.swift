/// Writes the doclist index of a long doclist: the first rowid on each of its leaves, so that FTS5 can skip leaves.
///
/// ```
/// id (segid << 37) + (1 << 36) + (level << 31) + page     page := hasParent:u8  first page below:varint
///                                                                 first row:varint  (delta:varint | 0)*
/// ```
///
/// 0 represents a leaf on which no row begins. The first page of each level has the same number as the leaf on which
/// the doclist's term begins. A page of a higher level contains the first rowids of the pages of the level below.
/// Derived from SQLite's fts5_index.c.
struct DoclistIndexWriter: ~Copyable {
  private struct Level {
    var page: [UInt8] = []
    var number: Int64 = 0
    var lastRow: Int64 = 0
    var firstRow: Int64 = 0
  }

  private let segment: Int64
  private let pageSize: Int
  private let write: (_ id: Int64, UnsafeRawBufferPointer) throws -> Void
  private var levels = [Level()]

  init(
    segment: Int64, pageSize: Int, _ write: @escaping (_ id: Int64, UnsafeRawBufferPointer) throws -> Void
  ) {
    self.segment = segment
    self.pageSize = pageSize
    self.write = write
  }

  var hasRows: Bool { !levels[0].page.isEmpty }

  /// Begins the doclist of a term on a leaf.
  mutating func begin(leaf: Int64) { levels[0].number = leaf }

  /// Adds a leaf on which a row begins.
  mutating func append(row: Int64, leaf: Int64) throws {
    var below = leaf
    for number in 0... {
      let isFull = levels[number].page.count >= pageSize
      if isFull {
        levels[number].page[0] = 1
        try store(number)
        if number + 1 == levels.count { levels.append(Level()) }
        if levels[number + 1].page.isEmpty { beginParent(of: number) }
        levels[number].page.removeAll(keepingCapacity: true)
        levels[number].number += 1
      }
      add(row, to: number, below: below, hasParent: isFull)
      if !isFull { return }
      below = levels[number].number
    }
  }

  /// Adds a leaf on which no row begins.
  mutating func appendLeafWithoutRow() {
    if hasRows { levels[0].page.append(0) }
  }

  /// Ends the doclist and, if `storing` is true, stores its index.
  mutating func end(storing: Bool) throws {
    for number in levels.indices where !levels[number].page.isEmpty {
      if storing { try store(number) }
      levels[number].page.removeAll(keepingCapacity: true)
    }
  }

  private mutating func add(_ row: Int64, to number: Int, below: Int64, hasParent: Bool) {
    if levels[number].page.isEmpty {
      levels[number].page.append(hasParent ? 1 : 0)
      levels[number].page.appendVarint(UInt64(bitPattern: below))
      levels[number].page.appendVarint(UInt64(bitPattern: row))
      levels[number].firstRow = row
    } else {
      levels[number].page.appendVarint(UInt64(bitPattern: row) &- UInt64(bitPattern: levels[number].lastRow))
    }
    levels[number].lastRow = row
  }

  private mutating func beginParent(of number: Int) {
    let child = levels[number]
    levels[number + 1].number = child.number
    add(child.firstRow, to: number + 1, below: child.number, hasParent: false)
  }

  private func store(_ number: Int) throws {
    let id =
      segment << DoclistFormat.segmentShift + DoclistFormat.doclistIndexOffset + Int64(number) << 31
      + levels[number].number
    try levels[number].page.withUnsafeBytes { try write(id, $0) }
  }
}
