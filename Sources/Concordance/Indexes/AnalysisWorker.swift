import Foundation
import JSONText

/// Analyzes the changes of a transaction on a serial queue.
///
/// `@unchecked Sendable`: `waiting`, `isRunning` and the results of batches are accessed only under the lock of
/// `condition`; `analyze` is used only on `queue`.
final class AnalysisWorker<Terms: Equatable & Sendable>: @unchecked Sendable {
  typealias Batch = ChangeBatch<Terms>

  private let queue = DispatchQueue(label: "Concordance analysis")
  private let condition = NSCondition()
  private let analyze: (JSONElement) throws -> Terms
  /// The batches that no thread has started, oldest first.
  private var waiting: [Batch] = []
  private var isRunning = false

  init(_ analyze: @escaping (JSONElement) throws -> Terms) { self.analyze = analyze }

  /// Analyzes a batch after the earlier ones.
  func analyze(_ batch: Batch) {
    let isIdle = condition.withLock {
      waiting.append(batch)
      defer { isRunning = true }
      return !isRunning
    }
    if isIdle { queue.async { [self] in run() } }
  }

  /// Removes and returns the last batch that has not been started, so that another thread can analyze it.
  func takeLast() -> Batch? { condition.withLock { waiting.popLast() } }

  /// Removes the batches that have not been started.
  func discardWaiting() { condition.withLock { waiting = [] } }

  /// Sets the result of a batch.
  func finish(_ batch: Batch, with result: Batch.Result) {
    condition.withLock {
      batch.result = result
      condition.signal()
    }
  }

  /// Returns the result of a batch; nil if it is not known yet.
  func result(of batch: Batch) -> Batch.Result? { condition.withLock { batch.result } }

  /// Waits for the result of a batch that has been started.
  func wait(for batch: Batch) {
    condition.withLock { while batch.result == nil { condition.wait() } }
  }

  private func run() {
    while let batch = next() {
      finish(batch, with: Swift.Result { try AnalyzedChange.entries(of: batch.changes, analyze) })
    }
  }

  private func next() -> Batch? {
    condition.withLock {
      if waiting.isEmpty {
        isRunning = false
        return nil
      }
      return waiting.removeFirst()
    }
  }
}

/// Changes that are analyzed together.
///
/// `@unchecked Sendable`: `result` is accessed only under the lock of the ``AnalysisWorker``.
final class ChangeBatch<Terms: Equatable & Sendable>: @unchecked Sendable {
  typealias Result = Swift.Result<[EntryChange<Terms>], any Error>

  let changes: [AnalyzedChange<Terms>]
  /// The number of bytes of text to analyze.
  let size: Int
  fileprivate var result: Result?

  init(_ changes: [AnalyzedChange<Terms>], size: Int) {
    self.changes = changes
    self.size = size
  }
}
