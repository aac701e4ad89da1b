import Foundation
import Synchronization

/// Computes the bounds of doclists on other threads, while the thread of the transaction reads the next doclists and stores
/// finished bounds.
final class BoundsQueue: Sendable {
  /// The bounds of a doclist in their stored form.
  struct StoredBounds: Sendable {
    let id: Int64
    let bytes: [UInt8]
  }

  private struct Results {
    var finished: [StoredBounds] = []
    var error: (any Error)?
  }

  private let scorer: Scorer
  private let columnCount: Int
  private let queue = DispatchQueue(label: "Concordance bounds", attributes: .concurrent)
  private let group = DispatchGroup()
  /// Limits the number of doclists in memory.
  private let vacancies = DispatchSemaphore(value: max(2, ProcessInfo.processInfo.activeProcessorCount))
  private let results = Mutex(Results())

  init(_ scorer: Scorer, columnCount: Int) {
    self.scorer = scorer
    self.columnCount = columnCount
  }

  /// Adds a doclist. Waits while there are too many.
  ///
  /// - Parameters:
  ///   - leaf: the leaf on which the doclist begins, as the last one.
  ///   - leaves: this leaf and the following ones, up to the end of the doclist.
  func add(_ leaves: SegmentPart, from leaf: Int64, in segment: SegmentStructure.Segment) {
    vacancies.wait()
    queue.async(group: group) { [self] in
      let result = Result { try bounds(of: leaves, from: leaf) }
      results.withLock { results in
        switch result {
        case .success(let bounds):
          let id = DoclistBounds.block(leaf, in: segment)
          if let bounds { results.finished.append(StoredBounds(id: id, bytes: bounds.bytes(id: id))) }
        case .failure(let error): results.error = results.error ?? error
        }
      }
      vacancies.signal()
    }
  }

  /// Removes and returns the bounds that were computed since the last call.
  ///
  /// - Throws: ``DoclistCorruption`` or ``FTS5FallbackRequired`` for a doclist that cannot be read.
  func takeFinished() throws -> [StoredBounds] {
    try results.withLock { results in
      if let error = results.error { throw error }
      defer { results.finished = [] }
      return results.finished
    }
  }

  /// Waits until the bounds of all doclists are computed. Must be called before the queue is released.
  func wait() { group.wait() }

  private func bounds(of leaves: SegmentPart, from leaf: Int64) throws -> DoclistBounds? {
    let term = try leaves.withBlock(0) { try LeafReader.last(of: LeafTerms($0)).term }
    var sink = BoundsSink(columnCount: columnCount, firstLeaf: leaf)
    var scan = LeafScan(term: term, columnCount: columnCount)
    var number = 0
    while number < leaves.blockCount, try leaves.withBlock(number, { try scan.scan($0, into: &sink) }) { number += 1 }
    // Has no effect after the end of the doclist.
    try scan.finish(into: &sink)
    return sink.finish(term, scorer)
  }
}
