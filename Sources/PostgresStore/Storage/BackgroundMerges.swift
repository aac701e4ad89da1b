import DocumentStore
import Foundation
import Synchronization
package import TextIndex

/// An index on PostgreSQL that has segments.
package enum MergedIndex: Sendable {
  case fullText(StoredFullTextIndex)
  /// The ID of a pattern index.
  case patterns(Int64)

  var id: Int64 {
    switch self {
    case .fullText(let index): index.id
    case .patterns(let id): id
    }
  }
}

/// Merges the segments of indexes on a thread, after commits that have added the tenth segment of a tier. So a database
/// needs no other program that merges.
///
/// Ending the process is safe at any time: a merge takes effect with its last transaction, and the rows of an
/// unfinished one are deleted by a later merge.
package final class BackgroundMerges: Sendable {
  private struct State {
    var waiting = MergeQueue()
    var isRunning = false
    var isClosed = false
    /// Receives errors.
    var report: (@Sendable (any Error) -> Void)?
    /// The last error of each index whose last merge has failed.
    var failures: [Int64: String] = [:]
  }

  private let state = Mutex(State())
  private let running = DispatchGroup()

  /// Whether the database was closed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Sets the closure that receives errors of merges. It receives the same error of an index again only after the index
  /// was merged.
  package func reportFailures(_ report: @escaping @Sendable (any Error) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Merges indexes soon, one after the other.
  func add(_ indexes: [MergedIndex], _ storage: PostgresStorage) {
    guard !indexes.isEmpty else { return }
    let starts = state.withLock { state in
      guard !state.isClosed else { return false }
      for index in indexes { state.waiting.add(index) }
      guard !state.isRunning else { return false }
      state.isRunning = true
      // Before another thread can wait for the merge.
      running.enter()
      return true
    }
    guard starts else { return }
    Thread.detachNewThread { [self] in
      while let index = next() {
        // The commit that adds the next segment tries again. Another process may be merging the index.
        do {
          _ = try storage.merge(index)
          try storage.dropOldValueTables()
          state.withLock { $0.failures[index.id] = nil }
        } catch { note(error, of: index) }
      }
      running.leave()
    }
  }

  private func note(_ error: any Error, of index: MergedIndex) {
    let text = "\(error)"
    let report = state.withLock { state -> (@Sendable (any Error) -> Void)? in
      // Closing the database ends merges with an error.
      guard !state.isClosed, state.failures.updateValue(text, forKey: index.id) != text else { return nil }
      return state.report
    }
    report?(error)
  }

  private func next() -> MergedIndex? {
    state.withLock { state in
      guard !state.isClosed, let next = state.waiting.takeNext() else {
        state.isRunning = false
        return nil
      }
      return next
    }
  }

  /// Waits until nothing is being merged.
  package func wait() { running.wait() }

  /// Stops before the next transaction of a merge.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = MergeQueue()
    }
  }
}

/// A queue of indexes to merge. An index that was merged is not merged again before the others, also during an import
/// that adds segments to all of them while they are merged.
struct MergeQueue {
  private var indexes: [Int64: MergedIndex] = [:]
  /// The ID of the index that was taken last.
  private var last = Int64.min

  mutating func add(_ index: MergedIndex) { indexes[index.id] = index }

  /// Removes the next index and returns it.
  mutating func takeNext() -> MergedIndex? {
    guard let next = indexes.keys.filter({ $0 > last }).min() ?? indexes.keys.min() else { return nil }
    last = next
    return indexes.removeValue(forKey: next)
  }
}
