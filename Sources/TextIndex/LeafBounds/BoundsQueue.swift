import Foundation

/// Computes the bounds of doclists on other threads, while the thread of the transaction reads the next doclists and
/// stores finished bounds.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
final class BoundsQueue: @unchecked Sendable {
  /// The bounds of a doclist in their stored form.
  struct StoredBounds: Sendable {
    let id: Int64
    let bytes: [UInt8]
  }

  private let scorer: Scorer
  private let columnCount: Int
  private let queue = DispatchQueue(label: "Concordance bounds", attributes: .concurrent)
  private let condition = NSCondition()
  private var finished: [StoredBounds] = []
  private var error: (any Error)?
  /// The number of doclists whose bounds are not computed yet, and of the bytes of their leaves.
  private var waitingCount = 0
  private var waitingSize = 0

  /// The maximum number of doclists that wait: one for each processor.
  private let maximumCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
  /// The maximum number of bytes that wait, so that the doclists of a large index do not fill the memory. A larger
  /// doclist is admitted alone.
  private let maximumSize: Int

  init(_ scorer: Scorer, columnCount: Int, maximumSize: Int = 64 << 20) {
    self.scorer = scorer
    self.columnCount = columnCount
    self.maximumSize = maximumSize
  }

  /// Adds a doclist. Waits while there are too many.
  ///
  /// - Parameters:
  ///   - leaf: the leaf on which the doclist begins, as the last one.
  ///   - leaves: this leaf and the following ones, up to the end of the doclist.
  func add(_ leaves: SegmentPart, from leaf: Int64, in segment: SegmentStructure.Segment) {
    let size = leaves.byteCount
    condition.withLock {
      while waitingCount >= maximumCount || waitingCount > 0 && waitingSize + size > maximumSize { condition.wait() }
      waitingCount += 1
      waitingSize += size
    }
    queue.async { [self] in
      let result = Result { try bounds(of: leaves, from: leaf) }
      condition.withLock {
        switch result {
        case .success(let bounds):
          let id = DoclistBounds.block(leaf, in: segment)
          if let bounds { finished.append(StoredBounds(id: id, bytes: bounds.bytes(id: id))) }
        case .failure(let error): self.error = self.error ?? error
        }
        waitingCount -= 1
        waitingSize -= size
        condition.broadcast()
      }
    }
  }

  /// Removes and returns the bounds that were computed since the last call.
  ///
  /// - Throws: ``DoclistCorruption`` or ``FTS5FallbackRequired`` for a doclist that cannot be read.
  func takeFinished() throws -> [StoredBounds] {
    try condition.withLock {
      if let error { throw error }
      defer { finished = [] }
      return finished
    }
  }

  /// Waits until the bounds of all doclists are computed.
  func wait() {
    condition.withLock {
      while waitingCount > 0 { condition.wait() }
    }
  }

  private func bounds(of leaves: SegmentPart, from leaf: Int64) throws -> DoclistBounds? {
    let term = try leaves.withBlock(0) { try LeafReader.last(of: LeafTerms($0)).term }
    var sink = BoundsSink(columnCount: columnCount, firstLeaf: leaf)
    var scan = LeafScan(term: term)
    var number = 0
    while number < leaves.blockCount, try leaves.withBlock(number, { try scan.scan($0, into: &sink) }) { number += 1 }
    // Has no effect after the end of the doclist.
    try scan.finish(into: &sink)
    return sink.finish(term, scorer)
  }
}
