import GRDB
import SQLiteAccess

/// Reads the terms of a segment and estimates their document frequencies.
///
/// Only leaves on which a term begins are read; they are listed in `t_idx`. Most pages of the doclists of common words,
/// which make up most of an index, are therefore skipped: their rows are estimated from their length, assuming the same
/// number of bytes per row as on the leaf of the term. If a doclist is on one leaf, as most are, the count is exact for
/// the segment. Rows that a younger segment deletes or replaces are included.
///
/// An estimate can be much too low if the positions on the leaf of the term are longer than elsewhere. Each term
/// therefore also has an upper bound, which assumes the shortest rows on the leaves that are not read.
struct SegmentTerms {
  private let table: FullTextTable
  private let db: Database
  private let pageSize: Int
  private let leafNumbers: SQLStatement
  private let leaf: SQLStatement

  /// - Throws: ``FTS5FallbackRequired`` if the table format is unknown.
  init(_ table: FullTextTable, _ db: Database) throws {
    try DoclistFormat.requireKnown(table: table.name, db)
    (self.table, self.db) = (table, db)
    pageSize = try DoclistFormat.pageSize(table: table.name, db)
    leafNumbers = try SQLStatement(
      cached: "SELECT pgno, term FROM \(table.name)_idx WHERE segid = ? ORDER BY term", in: db)
    leaf = try SQLStatement(cached: "SELECT block FROM \(table.name)_data WHERE id = ?", in: db)
  }

  /// Returns the terms that begin on some of a segment's leaves.
  ///
  /// - Parameters:
  ///   - leafIndexes: the indexes of the leaves, ascending.
  ///   - search: selects terms; nil for all. The doclists of other terms are not read.
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written, `DatabaseError`.
  func terms(
    on leaves: TermLeaves, at leafIndexes: some Sequence<Int>, acceptedBy search: TypoSearch? = nil
  ) throws -> TermList {
    var builder = TermListBuilder(search, pageSize: pageSize)
    try read(leafIndexes, of: leaves, into: &builder)
    return builder.list
  }

  /// Calls `body` with each word of a segment's word list and its estimated document frequency, in order. Words whose
  /// estimate is 0 are left out, as in the lists that earlier versions have stored.
  func forEachWord(on leaves: TermLeaves, _ body: (UnsafeBufferPointer<UInt8>, UInt32) throws -> Void) throws {
    var builder = TermListBuilder(nil, pageSize: pageSize, ofWordList: true)
    func flush(_ builder: inout TermListBuilder) throws {
      let list = builder.list
      try list.bytes.withUnsafeBufferPointer { bytes in
        for number in 0..<list.count {
          try body(UnsafeBufferPointer(rebasing: bytes[list.range(number)]), list.frequencies[number])
        }
      }
      builder.removeTerms()
    }
    try read(0..<leaves.count, of: leaves, into: &builder, afterEachLeaf: flush)
    try flush(&builder)
  }

  private func read(
    _ leafIndexes: some Sequence<Int>, of leaves: TermLeaves, into builder: inout TermListBuilder,
    afterEachLeaf body: (inout TermListBuilder) throws -> Void = { _ in }
  ) throws {
    var following: Int?
    for leafIndex in leafIndexes {
      if let following, following != leafIndex { try finish(following, of: leaves, &builder) }
      let number = leaves.numbers[leafIndex]
      try read(number, of: leaves.segment) { try builder.add($0, number: number) }
      try body(&builder)
      following = leafIndex + 1
    }
    if let following { try finish(following, of: leaves, &builder) }
  }

  /// Determines the end of the last doclist from the leaf on which the next term begins.
  private func finish(_ leafIndex: Int, of leaves: TermLeaves, _ builder: inout TermListBuilder) throws {
    guard builder.isPending else { return }
    guard leafIndex < leaves.count else { return builder.finish(lastLeaf: leaves.segment.lastLeaf) }
    let number = leaves.numbers[leafIndex]
    try read(number, of: leaves.segment) { try builder.finish($0, number: number) }
  }

  private func read(
    _ number: Int64, of segment: SegmentStructure.Segment, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    leaf.bind(1, segment.block(number))
    defer { leaf.reset() }
    guard try leaf.step() else { throw DoclistCorruption.missingBlock }
    try body(leaf.row.blob(0))
  }

  /// Returns the segments of the table.
  func segments() throws -> [SegmentStructure.Segment] {
    let structure = try DoclistFormat.block(DoclistFormat.structureID, table: table.name, db)
    guard let segments = try SegmentStructure(structure)?.segments else { throw FTS5FallbackRequired.unknownFormat }
    return segments
  }

  /// Returns the leaves of a segment on which terms begin.
  func leaves(of segment: SegmentStructure.Segment) throws -> TermLeaves {
    leafNumbers.bind(1, segment.id)
    defer { leafNumbers.reset() }
    var leaves = TermLeaves(segment)
    var previous = segment.firstLeaf
    while try leafNumbers.step() {
      let number = leafNumbers.row.int64(0) >> 1
      guard number <= segment.lastLeaf else { throw DoclistCorruption.badNumber }
      guard number > segment.firstLeaf else { continue }
      guard number > previous else { throw DoclistCorruption.unordered }
      leaves.append(number, leafNumbers.row.blob(1))
      previous = number
    }
    return leaves
  }
}

/// Builds the list of the terms of a segment, leaf by leaf.
private struct TermListBuilder {
  private(set) var list = TermList()
  private var term: [UInt8] = []
  /// The numbers of rows and bytes of all doclists that have been read.
  private var seen = (rows: 0, bytes: 0)
  /// The last term of the previous leaf, whose doclist may continue: its rows and bytes on the leaf, the number of the
  /// leaf, and the size of its content.
  private var pending: (rows: Int, bytes: Int, leaf: Int64, leafSize: Int)?

  /// Selects terms; nil for all.
  private var traversal: TypoTraversal?
  /// The length of the prefix for which the search rejected ``term``. Terms that share it are skipped without decoding.
  private var rejectedLength = Int.max

  private let isOfWordList: Bool
  /// An upper bound on the size of the content of leaves on which no term begins.
  private let maximumLeafSize: Int

  /// Whether the end of the last term's doclist is still unknown.
  var isPending: Bool { pending != nil }

  private static let fewRows = 16
  /// The size of the shortest row that is not a delete marker: a rowid, a size and a position of one byte each.
  private static let minimumRowSize = 3
  /// The number of bytes by which a leaf can exceed the page size: a rowid, a size and a part of a position list.
  private static let maximumExcess = 32
  private static let boundary = [DoclistFormat.termPrefix, TermStream.boundaryTerm]

  /// - Parameters:
  ///   - search: selects terms; nil for all.
  ///   - isOfWordList: whether only terms of word lists are kept (see ``WordListFormat``), and none whose estimate is 0
  ///     because none of its rows was read.
  init(_ search: TypoSearch?, pageSize: Int, ofWordList isOfWordList: Bool = false) {
    traversal = search.map { TypoTraversal($0) }
    self.isOfWordList = isOfWordList
    // The header contains offsets of 16 bits.
    maximumLeafSize = min(max(pageSize, 0), Int(UInt16.max)) + TermListBuilder.maximumExcess
  }

  mutating func removeTerms() { list.removeAll() }

  mutating func add(_ leaf: UnsafeBufferPointer<UInt8>, number: Int64) throws(DoclistCorruption) {
    var terms = try LeafTerms(leaf)
    guard let firstOffset = terms.firstOffset else { throw .badNumber }
    flush(before: number, rest: firstOffset - DoclistFormat.headerSize)
    while let content = try terms.next(&term, skippingPrefix: rejectedLength) {
      guard isWanted(sharedLength: terms.sharedLength) else { continue }
      let rows = try TermListBuilder.rows(content)
      seen.rows += rows
      seen.bytes += content.count
      if terms.isAtEnd {
        pending = (rows, content.count, number, terms.footer - DoclistFormat.headerSize)
      } else {
        append(rows, maximum: rows)
      }
    }
  }

  /// Returns whether the current term is selected.
  ///
  /// - Parameter sharedLength: the number of bytes that it shares with the previous term.
  private mutating func isWanted(sharedLength: Int) -> Bool {
    guard traversal != nil else { return true }
    guard term.first == DoclistFormat.termPrefix else {
      rejectedLength = 1
      return false
    }
    var length = Int.max
    let isAccepted = term.withUnsafeBufferPointer {
      traversal?.accepts(
        UnsafeBufferPointer(rebasing: $0[1...]), sharedLength: max(0, sharedLength - 1), rejectedLength: &length)
    }
    rejectedLength = length == .max ? .max : length + 1
    return isAccepted ?? true
  }

  /// Reads only the end of the pending doclist, from the leaf on which the next term begins.
  mutating func finish(_ leaf: UnsafeBufferPointer<UInt8>, number: Int64) throws(DoclistCorruption) {
    guard let firstOffset = try LeafTerms(leaf).firstOffset else { throw .badNumber }
    flush(before: number, rest: firstOffset - DoclistFormat.headerSize)
  }

  mutating func finish(lastLeaf: Int64) { flush(before: lastLeaf + 1, rest: 0) }

  /// Appends the last term of a leaf when the end of its doclist is known.
  private mutating func flush(before next: Int64, rest: Int) {
    guard let known = pending else { return }
    pending = nil
    let skippedLeaves = Int(next - known.leaf - 1)
    let elsewhere = skippedLeaves * known.leafSize + rest
    let (rows, bytes) = known.rows >= TermListBuilder.fewRows ? (known.rows, known.bytes) : seen
    let longest = skippedLeaves * max(maximumLeafSize, known.leafSize) + rest
    append(
      known.rows + (bytes == 0 ? 0 : Int(Double(elsewhere) * Double(rows) / Double(bytes))),
      maximum: known.rows + longest / TermListBuilder.minimumRowSize)
  }

  /// - Parameters:
  ///   - rows: the estimated number of rows.
  ///   - maximum: an upper bound on it.
  private mutating func append(_ rows: Int, maximum: Int) {
    let prefix = DoclistFormat.termPrefix
    guard term.first == prefix, rows > 0 || (!isOfWordList && maximum > 0), term != TermListBuilder.boundary
    else { return }
    term.withUnsafeBufferPointer { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes[1...])
      guard !isOfWordList || WordListFormat.contains(bytes) else { return }
      list.append(bytes, frequency: UInt32(clamping: max(1, rows)), maximum: UInt32(clamping: maximum))
    }
  }

  /// Returns the number of rows of a doclist that begin in a piece, excluding delete markers.
  private static func rows(_ piece: ByteReader) throws(DoclistCorruption) -> Int {
    var piece = piece
    var rows = 0
    while !piece.isAtEnd {
      _ = try piece.varint()
      let size = try piece.number(upTo: UInt64(UInt32.max)) >> 1
      if size > 0 { rows += 1 }
      _ = try piece.bytes(min(size, piece.count))
    }
    return rows
  }
}
