/// Consecutive leaves of a segment that is merged.
struct LeafRequest: Sendable {
  /// The number of the segment among those that are merged.
  let segment: Int
  /// The IDs of their blocks.
  let blocks: ClosedRange<Int64>
}

/// The leaves of a segment that is merged, in order. While some are merged, another thread reads the next ones.
final class LeafReadAhead {
  private let segment: SegmentStructure.Segment
  private let number: Int
  private let encoding: SegmentEncoding
  private var nextLeaf: Int64
  private var leaves: SegmentPart?
  private var position = 0

  /// The number of leaves that are read together, about 128 KiB.
  private static let batchCount: Int64 = 32

  /// - Parameters:
  ///   - number: the number of the segment among those that are merged.
  ///   - encoding: the merged segment.
  init(_ segment: SegmentStructure.Segment, number: Int, _ encoding: SegmentEncoding) {
    self.segment = segment
    self.number = number
    self.encoding = encoding
    nextLeaf = segment.firstLeaf
    request()
  }

  /// Calls `body` with the next leaf. The segment must have another one.
  func withNext<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) throws -> T {
    if let leaves, position < leaves.blockCount { return try read(leaves, body) }
    let leaves = try encoding.takeLeaves(number)
    self.leaves = leaves
    position = 0
    request()
    return try read(leaves, body)
  }

  private func read<T>(_ leaves: SegmentPart, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    defer { position += 1 }
    return try leaves.withBlock(position, body)
  }

  private func request() {
    guard nextLeaf <= segment.lastLeaf else { return }
    let last = min(segment.lastLeaf, nextLeaf + LeafReadAhead.batchCount - 1)
    encoding.request(LeafRequest(segment: number, blocks: segment.block(nextLeaf)...segment.block(last)))
    nextLeaf = last + 1
  }
}

@available(*, unavailable)
extension LeafReadAhead: Sendable {}
