/// Builds the list of the terms of a segment, leaf by leaf.
struct TermListBuilder {
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
