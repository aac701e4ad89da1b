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

/// Merges the segments of indexes on a thread, after commits that have added the tenth segment of a tier. So a database needs
/// no other program that merges.
///
/// Ending the process is safe at any time: a merge takes effect with its last transaction, and the rows of an unfinished
/// one are deleted by a later merge.
package final class BackgroundMerges: Sendable {
  private struct State {
    /// The indexes to merge, by their ID.
    var waiting: [Int64: MergedIndex] = [:]
    var isRunning = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let running = DispatchGroup()

  /// Whether the database was closed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Merges indexes soon, one after the other.
  func add(_ indexes: [MergedIndex], _ storage: PostgresStorage) {
    guard !indexes.isEmpty else { return }
    let starts = state.withLock { state in
      guard !state.isClosed else { return false }
      for index in indexes { state.waiting[index.id] = index }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    running.enter()
    Thread.detachNewThread { [self] in
      while let index = next() {
        // If it fails, the commit that adds the next segment tries again. Another process may be merging the index.
        _ = try? storage.merge(index)
      }
      running.leave()
    }
  }

  private func next() -> MergedIndex? {
    state.withLock { state in
      guard !state.isClosed, let next = state.waiting.keys.min() else {
        state.isRunning = false
        return nil
      }
      return state.waiting.removeValue(forKey: next)
    }
  }

  /// Waits until nothing is being merged.
  package func wait() { running.wait() }

  /// Stops before the next transaction of a merge.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = [:]
    }
  }
}
