import Synchronization
import TextIndex

/// A term in a segment: its dictionary entry and the stored payloads that were read so far. Segments do not change, so
/// it is valid in every state of the index that contains the segment.
final class SegmentTerm: BlockwisePostings {
  /// The entry; nil if the segment does not contain the term.
  let entry: DictionaryEntry?
  private let segment: SegmentKey
  private let payloads = Mutex<[PayloadKey: [UInt8]]>([:])

  init(_ entry: DictionaryEntry?, in segment: SegmentKey) {
    self.entry = entry
    self.segment = segment
  }

  /// The size in bytes.
  var size: Int {
    let blocks = (entry?.blockCount ?? 0) * MemoryLayout<DictionaryEntry.Block>.stride
    return payloads.withLock { $0.values.reduce(128 + blocks) { $0 + $1.count + 64 } }
  }

  /// The number of blocks.
  var blockCount: Int { entry?.blockCount ?? 0 }

  /// Returns the keys of the payloads that are needed for blocks and not known.
  func unknownKeys(_ blocks: some Sequence<Int>, withPositions: Bool) -> [PayloadKey] {
    let keys = blocks.flatMap { block in
      [blockKey(block), withPositions ? positionKey(block) : nil].compactMap { $0 }
    }
    return payloads.withLock { known in keys.filter { known[$0] == nil } }
  }

  /// Caches a payload.
  func keep(_ payload: [UInt8], _ key: PayloadKey) { payloads.withLock { $0[key] = payload } }

  /// Appends the postings of a block without those of hidden rows. Its payloads must be known.
  func append(
    block number: Int, base: UInt32, withPositions: Bool, hiding hidden: [UInt32], _ decoder: inout BlockDecoder,
    to postings: inout PostingsAssembler
  ) throws {
    guard let entry else { return }
    guard withPositions else {
      let block = try entry.block(number, in: segment) { payload($0) }
      let count = entry.postingCount(ofBlock: number)
      try block.withUnsafeBufferPointer { try decoder.decode($0, base: base, expected: count) }
      return decoder.append(to: &postings, hiding: hidden)
    }
    try entry.append(block: number, in: segment, base: base, hiding: hidden, &decoder, to: &postings) { payload($0) }
  }

  private func payload(_ key: PayloadKey) -> [UInt8]? { payloads.withLock { $0[key] } }

  private func blockKey(_ number: Int) -> PayloadKey? { entry?.blockKey(number, in: segment) }

  private func positionKey(_ number: Int) -> PayloadKey? { entry?.positionKey(number, in: segment) }
}

extension DictionaryEntry {
  /// Returns a block.
  ///
  /// - Parameter payload: returns the payload with a key; nil if it is missing.
  func block(_ number: Int, in segment: SegmentKey, _ payload: (PayloadKey) -> [UInt8]?) throws -> [UInt8] {
    if case .inline(let block, _) = content { return block }
    guard let block = blockKey(number, in: segment).flatMap(payload) else { throw MissingSegmentRow(segment) }
    return block
  }

  /// Appends the postings of a block with positions, without those of hidden rows.
  ///
  /// - Parameters:
  ///   - base: the number that is added to rows.
  ///   - payload: returns the payload with a key; nil if it is missing.
  func append(
    block number: Int, in segment: SegmentKey, base: UInt32 = 0, hiding hidden: [UInt32],
    _ decoder: inout BlockDecoder, to postings: inout PostingsAssembler, _ payload: (PayloadKey) -> [UInt8]?
  ) throws {
    let block = try block(number, in: segment, payload)
    guard let poslists = positionKey(number, in: segment).flatMap(payload) else { throw MissingSegmentRow(segment) }
    var range = 0..<poslists.count
    if case .inline(_, let part) = content { range = part.offset..<part.offset + part.count }
    try decoder.append(
      block, poslists, range, base: base, count: postingCount(ofBlock: number), hiding: hidden, to: &postings)
  }
}

/// A segment whose header was read, shared by all states of the index that contain it.
final class OpenSegment: Sendable {
  let key: SegmentKey
  /// The row of the shard's document 0.
  let base: UInt32
  let header: SegmentHeader
  /// The terms that were looked up, including those that the segment does not contain.
  let terms = PostingsCache()
  private let knownFirstTerms = Mutex<[[UInt8]]?>(nil)

  init(_ key: SegmentKey, base: UInt32, _ header: SegmentHeader) {
    self.key = key
    self.base = base
    self.header = header
  }

  /// Returns a term that was looked up before.
  func known(_ term: String) -> SegmentTerm? { terms.blockwisePostings(term) as? SegmentTerm }

  /// The first terms of the dictionary's pages; nil if they were not read.
  var firstTerms: [[UInt8]]? {
    get { knownFirstTerms.withLock { $0 } }
    set { knownFirstTerms.withLock { $0 = newValue } }
  }
}

/// Blocks of a term whose payloads are needed.
struct BlockRequest {
  let term: SegmentTerm
  let blocks: Range<Int>
  let withPositions: Bool

  init(_ term: SegmentTerm, _ blocks: Range<Int>, withPositions: Bool) {
    self.term = term
    self.blocks = blocks
    self.withPositions = withPositions
  }
}

extension SegmentStorage {
  /// Reads the payloads of blocks that are not known, in one round trip.
  func load(_ requests: [BlockRequest]) throws {
    var keys: [PayloadKey] = []
    var owners: [SegmentTerm] = []
    for request in requests {
      let unknown = request.term.unknownKeys(request.blocks, withPositions: request.withPositions)
      keys += unknown
      owners += Array(repeating: request.term, count: unknown.count)
    }
    guard !keys.isEmpty else { return }
    for ((key, owner), payload) in zip(zip(keys, owners), try payloads(keys)) { owner.keep(payload, key) }
  }
}
