import Synchronization
import TextIndex

/// A term in one state of an index whose blocks are read individually: the blocks of segments whose rows do not
/// overlap, and the remaining postings.
final class TermBlocks: BlockwisePostings {
  /// The blocks in row order.
  let sources: [Source]
  /// The row ranges of the blocks.
  let blocks: [PostingBlock]
  /// The postings of other segments and of recent documents.
  let rest: Postings
  let documentFrequency: Int
  /// The bounds for the most recently used rankings, latest first.
  private let bounds = Mutex<[BlockBounds]>([])

  /// The location of a block.
  struct Source: Sendable {
    let view: IndexSnapshot.View
    let term: SegmentTerm
    let number: Int
    let frequency: Float
  }

  init(_ sources: [(Source, PostingBlock)], rest: Postings, documentFrequency: Int) {
    self.sources = sources.map(\.0)
    blocks = sources.map(\.1)
    self.rest = rest
    self.documentFrequency = documentFrequency
  }

  /// The size in bytes.
  var size: Int { rest.size + blocks.count * (MemoryLayout<PostingBlock>.stride + MemoryLayout<Source>.stride) }

  func bounds(_ scorer: Scorer) -> BlockBounds? {
    if let known = bounds.withLock({ $0.first { $0.ranking == scorer.ranking } }) { return known }
    let frequencies = sources.lazy.map {
      BlockFrequency(maximum: Double($0.frequency), normalization: $0.view.segment.header.normalization)
    }
    guard let computed = BlockBounds(frequencies, scorer) else { return nil }
    bounds.withLock { $0 = [computed] + $0.prefix(ResolvedRanking.keptCount - 1) }
    return computed
  }
}

/// The blocks of a term in a transaction. They are read in batches: each batch contains the next blocks in the order of
/// the score bounds and is larger than the previous one, so that a search takes few round trips.
final class SegmentBlockList: PostingBlockList {
  private let term: TermBlocks
  private let store: SegmentPostingStore
  /// The number of blocks that may still be read.
  private var budget: Int
  private var batchSize = 12
  /// The order in which blocks will probably be requested, and the position of each block in it.
  private var order: [Int]
  private var positions: [Int: Int] = [:]
  private var decoded: [Int: Postings] = [:]

  init(_ term: TermBlocks, _ store: SegmentPostingStore, _ reading: LeafReadPolicy) {
    self.term = term
    self.store = store
    budget = Int(Double(term.blocks.count) * reading.share)
    order = Array(term.blocks.indices)
  }

  var blocks: [PostingBlock] { term.blocks }
  var rest: Postings { term.rest }
  var documentFrequency: Int { term.documentFrequency }

  func bounds(_ scorer: Scorer) -> BlockBounds? {
    guard let bounds = term.bounds(scorer) else { return nil }
    order = bounds.order
    positions = [:]
    return bounds
  }

  func postings(ofBlock number: Int) throws -> Postings {
    if let known = decoded[number] { return known }
    guard budget > 0 else { throw BlocksUnavailable() }
    budget -= 1
    if isUnknown(number) { try load(from: number) }
    let source = term.sources[number]
    var postings = PostingsAssembler(columnCount: store.columnCount, keepingPositions: false)
    var decoder = BlockDecoder(columnCount: store.columnCount)
    try source.term.append(
      block: source.number, base: source.view.segment.base, withPositions: false, hiding: source.view.hidden, &decoder,
      to: &postings)
    let made = postings.finish()
    guard made.count == 0 || made.rows[0] >= term.blocks[number].firstRow,
      made.lastRow <= Int(term.blocks[number].lastRow)
    else { throw SegmentDamage.unordered }
    decoded[number] = made
    return made
  }

  private func isUnknown(_ number: Int) -> Bool {
    let source = term.sources[number]
    return !source.term.unknownKeys(CollectionOfOne(source.number), withPositions: false).isEmpty
  }

  /// Reads a block and the unknown blocks that follow it in the order of the bounds.
  private func load(from number: Int) throws {
    if positions.isEmpty {
      for (position, block) in order.enumerated() { positions[block] = position }
    }
    var wanted = [number]
    var position = (positions[number] ?? order.count) + 1
    while position < order.count, wanted.count < batchSize {
      if isUnknown(order[position]) { wanted.append(order[position]) }
      position += 1
    }
    batchSize *= 3
    try store.storage.load(
      wanted.map { block in
        let source = term.sources[block]
        return BlockRequest(source.term, source.number..<source.number + 1, withPositions: false)
      })
  }
}

extension SegmentPostingStore {
  func blocks(of term: String, _ reading: LeafReadPolicy) throws -> FoundBlocks? {
    if let known = snapshot.blockLists.blockwisePostings(term) as? TermBlocks {
      return FoundBlocks(isKnown: true) { SegmentBlockList(known, self, reading) }
    }
    let terms = try lookUp([term], needingLengths: true)[0]
    guard terms.reduce(0, { $0 + $1.blockCount }) >= reading.leafCount else { return nil }
    return FoundBlocks(isKnown: false) {
      guard let made = try self.termBlocks(term, terms) else { return nil }
      self.snapshot.blockLists.keep(made, of: term)
      return SegmentBlockList(made, self, reading)
    }
  }

  /// Chooses the segments whose blocks are read individually: long lists whose rows do not overlap.
  ///
  /// - Returns: nil if most blocks are in other segments.
  private func termBlocks(_ text: String, _ terms: [SegmentTerm]) throws -> TermBlocks? {
    var chosen: [(number: Int, rows: ClosedRange<UInt32>)] = []
    var others: [(offset: Int, element: SegmentTerm)] = []
    for (number, term) in terms.enumerated().sorted(by: { $0.element.blockCount > $1.element.blockCount }) {
      let rows = try term.entry?.rows(base: snapshot.segments[number].segment.base)
      if let rows, !chosen.contains(where: { $0.rows.overlaps(rows) }) {
        chosen.append((number, rows))
      } else if term.blockCount > 0 {
        others.append((number, term))
      }
    }
    let count = chosen.reduce(0) { $0 + terms[$1.number].blockCount }
    guard others.reduce(0, { $0 + $1.element.blockCount }) < count else { return nil }
    try loadLengths()
    let rest = try read(others.sorted { $0.offset < $1.offset }, recent: text, withPositions: false)
    var sources: [(TermBlocks.Source, PostingBlock)] = []
    for (number, rows) in chosen.sorted(by: { $0.rows.lowerBound < $1.rows.lowerBound }) {
      guard case .blocks(_, _, _, let blocks) = terms[number].entry?.content else { continue }
      let view = snapshot.segments[number]
      var first = rows.lowerBound
      for (block, content) in blocks.enumerated() {
        let last = content.lastRow + view.segment.base
        sources.append(
          (
            TermBlocks.Source(view: view, term: terms[number], number: block, frequency: content.frequency),
            PostingBlock(firstRow: first, lastRow: last)
          ))
        first = last &+ 1
      }
    }
    return TermBlocks(sources, rest: rest, documentFrequency: try documentFrequency(text))
  }
}

extension DictionaryEntry {
  /// Returns the range of rows of a list in blocks; nil for other lists.
  ///
  /// - Parameter base: the row of the shard's document 0.
  fileprivate func rows(base: UInt32) throws -> ClosedRange<UInt32>? {
    guard case .blocks(_, _, let first, let blocks) = content, let last = blocks.last else { return nil }
    guard first <= last.lastRow, !last.lastRow.addingReportingOverflow(base).overflow else {
      throw SegmentDamage.badNumber
    }
    return first + base...last.lastRow + base
  }
}
