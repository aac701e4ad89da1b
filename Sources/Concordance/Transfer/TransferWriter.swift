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

  /// Saves a batch. Waits while others wait for the thread.
  ///
  /// - Throws: errors with which writing this batch or an earlier one has failed.
  func save(_ batch: TransferBatch) throws {
    if isInBatch {
      return try TransferWriter.save(batch, to: database, existing, after: &earlier, results)
    }
    try requireNoBatch()
    try (queue ?? start()).put(batch)
  }

  /// Waits until all batches are saved.
  func finish() throws {
    guard let queue else { return }
    try requireNoBatch()
    self.queue = nil
    earlier = try queue.waitForEnd()
  }

  /// Throws inside a batch that began after the import: the thread may wait for its end.
  private func requireNoBatch() throws {
    guard database.engine.store.isWriting else { return }
    throw CBLError(
      CBLError.transactionNotClosed,
      "the import began outside of a batch and has its own transactions; create it inside the batch, or continue it after "
        + "the batch")
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
    let (summary, refused) = try batch.write(to: database, existing, after: &earlier)
    results.withLock { results in
      results.summary.add(summary)
      results.refused.insert(contentsOf: refused.reversed(), at: 0)
    }
  }
}
