import DocumentStore
import Foundation

/// Saves the batches of a ``DatabaseImport`` on another thread, while its own thread parses the next lines.
///
/// Inside a batch of the database, the import's own thread saves them: another one would wait until the batch ends.
final class TransferWriter {
  private struct Results {
    var summary = TransferSummary()
    /// The refused lines that were not reported yet, the first one last.
    var refused: [DatabaseImport.LineError] = []
  }

  private let database: Database
  private let existing: DatabaseImport.ExistingDocuments
  private let isInBatch: Bool
  /// The results of the saved batches.
  private let results = Locked(Results())
  /// Recognizes the documents of earlier lines. A running thread has its own copy.
  private var earlier = EarlierLines()
  /// The batches for the thread; nil if none runs.
  private var queue: ImportQueue<TransferBatch, EarlierLines>?
  /// The error that has ended the import: documents that were passed to the thread may be missing.
  private var failure: (any Error)?

  init(_ database: Database, _ existing: DatabaseImport.ExistingDocuments) {
    self.database = database
    self.existing = existing
    isInBatch = database.engine.store.isWriting
  }

  deinit { queue?.cancel() }

  /// The numbers of saved documents and blobs.
  var summary: TransferSummary { results.withLock { $0.summary } }

  /// Removes and returns the first refused line that was not reported yet.
  func takeFirstRefused() -> DatabaseImport.LineError? { results.withLock { $0.refused.popLast() } }

  /// Removes and returns all refused lines that were not reported yet, in order.
  func takeRefused() -> [DatabaseImport.LineError] {
    results.withLock { results in
      defer { results.refused = [] }
      return results.refused.reversed()
    }
  }

  /// Throws if the import cannot continue: after an error, if the task of the operation was cancelled, or inside a
  /// batch that began after the import, because the thread may wait for its end.
  func requireUsable() throws {
    if let failure { throw failure }
    guard isInBatch || !database.engine.store.isWriting else {
      throw CBLError(
        CBLError.transactionNotClosed,
        "the import began outside of a batch and has its own transactions; create it inside the batch, or continue it after "
          + "the batch")
    }
    try ending { try Interruption.check() }
  }

  /// Saves a batch. Waits while others wait for the thread.
  ///
  /// - Parameter isLast: whether no other batch follows soon, so that a thread is not started for it.
  /// - Throws: errors with which writing this batch or an earlier one has failed. The import has ended then.
  func save(_ batch: TransferBatch, isLast: Bool) throws {
    try requireUsable()
    try ending {
      if isInBatch || isLast && queue == nil {
        try TransferWriter.save(batch, to: database, existing, after: &earlier, results)
      } else {
        try (queue ?? start()).put(batch)
      }
    }
  }

  /// Waits until all batches are saved.
  func finish() throws {
    try requireUsable()
    guard let queue else { return }
    self.queue = nil
    try ending { earlier = try queue.waitForEnd() }
  }

  /// Waits until the thread has ended, after an error with which the import ends.
  func abandon() {
    guard let queue, isInBatch || !database.engine.store.isWriting else { return }
    self.queue = nil
    do { earlier = try queue.waitForEnd() } catch { failure = failure ?? error }
  }

  /// Calls `body`, whose error ends the import.
  private func ending(_ body: () throws -> Void) throws {
    do { try body() } catch {
      failure = error
      queue?.cancel()
      throw error
    }
  }

  private func start() -> ImportQueue<TransferBatch, EarlierLines> {
    let store = database.engine.store
    let queue = ImportQueue<TransferBatch, EarlierLines>(capacity: ImportBatch.queueCapacity(in: store))
    self.queue = queue
    let (database, existing, results, earlierLines) = (database, existing, results, earlier)
    Thread.detachNewThread {
      queue.end(
        Swift.Result {
          var earlier = earlierLines
          try queue.forEachBatch(in: store) { batch in
            try TransferWriter.save(batch, to: database, existing, after: &earlier, results)
            queue.recycle(batch)
          }
          return earlier
        })
    }
    return queue
  }

  private static func save(
    _ batch: TransferBatch, to database: Database, _ existing: DatabaseImport.ExistingDocuments,
    after earlier: inout EarlierLines, _ results: Locked<Results>
  ) throws {
    let outcome = try batch.write(to: database, existing, after: &earlier)
    results.withLock { results in
      results.summary.add(outcome.summary)
      results.refused.insert(contentsOf: outcome.refused.reversed(), at: 0)
    }
  }
}
