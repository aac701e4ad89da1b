import DocumentStore
import Foundation

/// A bounded queue of batches between the thread that produces them and the thread that writes them.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
final class ImportQueue<Batch: Sendable, Summary: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var waiting: [Batch] = []
  /// The batches that were written since the last one was added.
  private var written: [Batch] = []
  private var isClosed = false
  private var isCancelled = false
  private var outcome: Swift.Result<Summary, any Error>?

  init(capacity: Int) { self.capacity = capacity }

  /// Adds a batch. Blocks while the queue is full.
  ///
  /// - Throws: the error that ended the writer thread.
  func put(_ batch: Batch) throws {
    let written = try exchange(batch)
    withExtendedLifetime(written) {}
  }

  /// Adds a batch, and returns those that were written, whose memory is freed without holding the lock.
  private func exchange(_ batch: Batch) throws -> [Batch] {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count >= capacity, outcome == nil { condition.wait() }
    if let outcome {
      _ = try outcome.get()
      return []
    }
    waiting.append(batch)
    condition.broadcast()
    defer { written = [] }
    return written
  }

  /// Returns a batch to the thread that has produced it. That thread frees its memory, because it has also allocated
  /// it, and the allocator reuses memory within a thread without locks.
  func recycle(_ batch: Batch) {
    condition.lock()
    defer { condition.unlock() }
    if !isClosed { written.append(batch) }
  }

  /// Calls `body`, which writes to `store`, with each batch until the end of the import, and then `atEnd`. The writer
  /// thread calls this.
  func forEachBatch(in store: Store, _ body: (Batch) throws -> Void, atEnd: () throws -> Void = {}) throws {
    // An import of one batch needs no checkpoint while it writes.
    if let first = take() { try body(first) }
    guard let second = take() else { return try atEnd() }
    try store.checkpointingInBackground {
      try body(second)
      while let batch = take() { try body(batch) }
      // The checkpoint of the last batch still runs.
      try atEnd()
    }
  }

  /// Removes and returns the next batch. Blocks while the queue is empty. Returns nil at the end of the import.
  func take() -> Batch? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, !isClosed, !isCancelled { condition.wait() }
    return removeFirst()
  }

  /// Removes and returns the next batch. If the queue is empty, waits for a batch for at most `duration` seconds.
  /// Returns nil if none was added in this time, or if the import has ended.
  func take(within duration: TimeInterval) -> Batch? {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: duration)
    while waiting.isEmpty, !isClosed, !isCancelled, condition.wait(until: end) {}
    return removeFirst()
  }

  /// Requires the lock.
  private func removeFirst() -> Batch? {
    guard !isCancelled, !waiting.isEmpty else { return nil }
    let batch = waiting.removeFirst()
    condition.broadcast()
    return batch
  }

  /// Closes the queue, and waits until the writer thread has ended.
  func waitForEnd() throws -> Summary {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while true {
      if let outcome { return try outcome.get() }
      condition.wait()
    }
  }

  /// Closes the queue without waiting: ``take()`` returns nil after the last batch.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
  }

  /// Makes the writer thread end after its current batch.
  func cancel() {
    condition.lock()
    defer { condition.unlock() }
    isCancelled = true
    written = []
    condition.broadcast()
  }

  /// Sets the result of the import. Afterwards, ``waitForEnd()`` returns it, and ``put(_:)`` throws its error or
  /// discards the batch. The writer thread calls this when it ends.
  func end(_ result: Swift.Result<Summary, any Error>) {
    condition.lock()
    defer { condition.unlock() }
    outcome = result
    waiting = []
    written = []
    condition.broadcast()
  }
}
