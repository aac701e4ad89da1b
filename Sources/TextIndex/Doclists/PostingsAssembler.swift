import SQLiteAccess

/// Builds ``Postings`` from the decoded blocks of a store.
///
/// Blocks may be appended in any order, but no row may be appended twice. One call appends a whole block, so that the
/// loops over its postings are in this module.
package struct PostingsAssembler: ~Copyable {
  private var memory: PostingsStorage
  private let counter: PoslistCounter

  /// - Parameters:
  ///   - columnCount: the number of columns of the index.
  ///   - keepingPositions: whether the postings have positions.
  ///   - capacity: the number of documents for which memory is allocated at once.
  package init(columnCount: Int, keepingPositions: Bool, capacity: Int = 0) {
    memory = PostingsStorage(keepingPositions: keepingPositions, capacity: capacity)
    counter = PoslistCounter(columnCount: columnCount)
  }

  /// Appends documents without positions.
  ///
  /// - Parameters:
  ///   - rows: the rows, ascending.
  ///   - frequencies: the frequency code of each document; see ``Frequencies``.
  ///   - overflow: the numbers that the codes refer to.
  ///   - hidden: rows that are left out, ascending.
  package mutating func append(
    rows: UnsafeBufferPointer<UInt32>, frequencies: UnsafeBufferPointer<UInt32>,
    overflow: UnsafeBufferPointer<UInt32>, hiding hidden: [UInt32] = []
  ) {
    if hidden.isEmpty, overflow.isEmpty, rows.count == frequencies.count, !memory.keepsPositions {
      memory.rows.append(rows)
      memory.frequencies.append(frequencies)
      return
    }
    let base = UInt32(truncatingIfNeeded: memory.overflow.count)
    memory.overflow.append(overflow)
    var hidden = SortedRowFilter(hidden, from: rows.first)
    for number in 0..<min(rows.count, frequencies.count) where !hidden.contains(rows[number]) {
      let code = frequencies[number]
      memory.append(
        rows[number], code & Frequencies.overflowFlag == 0 ? code : code &+ base,
        UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  /// Appends documents with their positions.
  ///
  /// - Parameters:
  ///   - rows: the rows, ascending.
  ///   - poslists: the poslist of each document, preceded by its length as a varint of ``DoclistFormat``.
  ///   - hidden: rows that are left out, ascending.
  /// - Throws: ``DoclistCorruption`` if the poslists are damaged, ``TextIndexError`` if they are too large.
  package mutating func append(
    rows: UnsafeBufferPointer<UInt32>, poslists: UnsafeBufferPointer<UInt8>, hiding hidden: [UInt32] = []
  ) throws {
    guard let start = poslists.baseAddress else {
      guard rows.isEmpty else { throw DoclistCorruption.truncated }
      return
    }
    var reader = ByteReader(start, end: start + poslists.count)
    var hidden = SortedRowFilter(hidden, from: rows.first)
    for row in rows {
      let poslist = try reader.bytes(reader.number(upTo: UInt64(UInt32.max)))
      if !hidden.contains(row) { try append(row, poslist: poslist) }
    }
    guard reader.isAtEnd else { throw DoclistCorruption.badNumber }
  }

  /// Appends a document with its positions.
  ///
  /// - Throws: ``DoclistCorruption`` if the poslist is damaged, ``TextIndexError`` if the positions are too large.
  package mutating func append(_ row: UInt32, poslist: UnsafeBufferPointer<UInt8>) throws {
    guard memory.positions.count < PostingsStorage.maximumPositionBytes else {
      throw TextIndexError(.unsupported, "the positions of a word take more than 2 GiB; search for a rarer word")
    }
    let code = try counter.frequencies(poslist, &memory)
    guard code != 0 else { throw DoclistCorruption.badNumber }
    memory.append(row, code, poslist)
  }

  /// Returns the postings in row order.
  package consuming func finish() -> Postings {
    let columnCount = counter.columnCount
    return PostingsMerger(memory, ordinals: GrowableBuffer(), columnCount: columnCount).finish()
  }
}

/// A set of rows that is asked for rows in ascending order.
private struct SortedRowFilter {
  private let rows: [UInt32]
  private var next: Int

  init(_ rows: [UInt32], from first: UInt32?) {
    self.rows = rows
    next = first.map { first in rows.partitionPoint { $0 >= first } } ?? rows.count
  }

  @inline(__always)
  mutating func contains(_ row: UInt32) -> Bool {
    if next == rows.count { return false }
    while next < rows.count, rows[next] < row { next += 1 }
    return next < rows.count && rows[next] == row
  }
}

extension Postings {
  /// Returns the length of a posting's poslist and its bytes, for a store that writes them.
  ///
  /// - Parameter number: the number of the posting. Requires ``poslistOffsets``.
  package func appendPoslist(_ number: Int, to bytes: inout [UInt8]) {
    let poslist = poslist(number)
    bytes.appendVarint(UInt64(poslist.count))
    bytes.append(contentsOf: poslist)
  }
}

extension AnalyzedDocument {
  /// Calls `body` with each occurrence of a term, in the order of columns and positions.
  package func forEachTerm(_ body: (_ term: UnsafeRawBufferPointer, _ column: Int, _ position: Int) -> Void) {
    forEachOccurrence { term, column, position in
      if !TermStream.isBoundary(term) { body(term, column, position) }
    }
  }

  /// Adds each occurrence of a term to a table of postings.
  package func addOccurrences(to postings: PostingsHash, row: Int64) {
    forEachOccurrence { term, column, position in
      if !TermStream.isBoundary(term) { postings.enqueue(term, row: row, column: column, position: position) }
    } atEnd: {
      postings.addPending(row: row)
    }
  }
}

extension TermStream {
  /// Returns whether a term is the boundary between two strings.
  @inline(__always)
  fileprivate static func isBoundary(_ term: UnsafeRawBufferPointer) -> Bool {
    term.count == 1 && term[0] == boundaryTerm
  }
}

/// Calls `body` with each position of a poslist, in order.
///
/// - Throws: ``DoclistCorruption`` if the poslist is damaged.
package func forEachPosition(
  in poslist: UnsafeBufferPointer<UInt8>, columnCount: Int, _ body: (TermPosition) -> Void
) throws {
  var reader = PoslistReader(poslist)
  while let position = try reader.next(columnCount: columnCount) { body(position) }
}
