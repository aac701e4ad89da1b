import Foundation

/// Hands batches from the thread that makes them to the thread that writes them, and holds the first back when it is
/// too far ahead.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
final class ImportQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var waiting: [ImportBatch] = []
  private var isClosed = false
  private var isCancelled = false
  private var outcome: Swift.Result<ImportSummary, any Error>?

  init(capacity: Int) { self.capacity = capacity }

  /// Adds a batch, and waits while there are too many.
  ///
  /// - Throws: what ended the writing thread.
  func put(_ batch: ImportBatch) throws {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count >= capacity, outcome == nil { condition.wait() }
    if let outcome { return _ = try outcome.get() }
    waiting.append(batch)
    condition.broadcast()
  }

  /// Takes the next batch; nil when there will be none.
  func take() -> ImportBatch? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, !isClosed, !isCancelled { condition.wait() }
    guard !isCancelled, !waiting.isEmpty else { return nil }
    let batch = waiting.removeFirst()
    condition.broadcast()
    return batch
  }

  /// Ends the input and waits for the writing thread.
  func waitForEnd() throws -> ImportSummary {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while true {
      if let outcome { return try outcome.get() }
      condition.wait()
    }
  }

  /// Makes the writing thread stop behind the batch that it is writing.
  func cancel() {
    condition.lock()
    defer { condition.unlock() }
    isCancelled = true
    condition.broadcast()
  }

  /// The writing thread's last word.
  func end(_ result: Swift.Result<ImportSummary, any Error>) {
    condition.lock()
    defer { condition.unlock() }
    outcome = result
    waiting = []
    condition.broadcast()
  }
}
