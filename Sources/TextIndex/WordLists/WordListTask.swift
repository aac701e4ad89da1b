import Foundation
import Synchronization

/// Encodes the word list of a segment on another thread. The thread of the transaction, whose connection alone can read
/// uncommitted leaves, sends it the leaves and stores the finished blocks.
///
/// `@unchecked Sendable`: `words` is used only on the serial `queue`; the results have a lock.
final class WordListTask: @unchecked Sendable {
  /// A block of a word list.
  struct Block: Sendable {
    let id: Int64
    let bytes: [UInt8]
  }

  private struct Results {
    var finished: [Block] = []
    var error: (any Error)?
  }

  private let queue = DispatchQueue(label: "Concordance word list")
  private let results = Mutex(Results())
  private var words: SegmentWords?
  /// Limits the leaves that wait.
  private let vacancies = DispatchSemaphore(value: 8)

  /// - Parameter pageSize: the page size of the FTS5 table.
  init(_ segment: SegmentStructure.Segment, pageSize: Int) {
    words = SegmentWords(segment, pageSize: pageSize) { [weak self] id, block in
      self?.results.withLock { $0.finished.append(Block(id: id, bytes: block)) }
    }
  }

  /// Adds the next leaves on which terms begin. Waits while too many wait.
  ///
  /// - Parameter leaves: the leaves by their numbers.
  func add(_ leaves: SegmentPart) {
    vacancies.wait()
    queue.async { [self] in
      defer { vacancies.signal() }
      attempt {
        try leaves.forEachBlock { try words?.add($1.bindMemory(to: UInt8.self), number: $0) }
        try words?.encode()
      }
    }
  }

  /// Ends the list.
  ///
  /// - Parameter firstLeafChecksum: the checksum of the first leaf of the segment.
  func finish(firstLeafChecksum: UInt64) {
    queue.async { [self] in
      attempt { try words?.finish(firstLeafChecksum: firstLeafChecksum) }
    }
  }

  /// Waits until everything that was added is encoded.
  func wait() { queue.sync {} }

  /// Removes and returns the blocks that were finished since the last call, the header last.
  ///
  /// - Throws: ``DoclistCorruption`` for a leaf that cannot be read.
  func takeFinished() throws -> [Block] {
    try results.withLock { results in
      if let error = results.error { throw error }
      defer { results.finished = [] }
      return results.finished
    }
  }

  /// Calls `body`, and ignores later leaves if it throws an error.
  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      words = nil
      results.withLock { $0.error = error }
    }
  }
}
