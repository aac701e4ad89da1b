import DocumentStore
import Foundation
import JSONText
import QueryCompiler

/// Fills an index with the documents of a collection. The thread of the transaction reads the documents and writes
/// their entries; other threads compute the entries.
///
/// Not an ``OrderedPipeline``: its reading thread processes parts while it waits for a result. Meanwhile the other
/// threads could run out of batches, because only this thread reads documents.
struct IndexPopulator<Terms: Sendable> {
  let collection: CollectionRecord
  /// Selects the documents to index; nil for all.
  var condition: DocumentCondition?
  let transaction: WriteTransaction
  let progress: ((UInt64, UInt64) -> Bool)?

  /// The size of a batch in bytes of document text.
  private static var batchSize: Int { 1 << 20 }

  /// The number of threads that compute entries: one per processor, at most 16. The thread of the transaction does not
  /// need a processor of its own, because it often waits for the disk or for these threads.
  private static var threadCount: Int { max(1, min(16, ProcessorCount.active)) }

  /// Calls `insert` with the entries of each document, in the order of the rows.
  ///
  /// - Parameter makeAnalysis: returns a function that computes the entries of documents on one thread at a time.
  /// - Throws: the errors of the closures; `CancellationError` if `progress` returns false.
  func run(
    _ makeAnalysis: () -> (JSONElement) throws -> Terms, insert: (Terms, _ rowID: Int64) throws -> Void
  ) throws {
    let total = UInt64(clamping: try CollectionCatalog.documentCount(collection, transaction.db))
    let queues = try (0..<IndexPopulator.threadCount).map { _ in
      AnalysisQueue(parser: try JSONParser(), makeAnalysis())
    }
    var done: UInt64 = 0
    var batch: [StoredDocument] = []
    var size = 0
    // The batches that are being analyzed, oldest first, and the number of batches so far.
    var pending: [AnalysisBatch<Terms>] = []
    var batchCount = 0
    func advance() throws {
      done += 1
      guard done % 1000 == 0 || done == total else { return }
      try Interruption.check()
      if progress?(done, total) == false { throw CancellationError() }
    }
    func write(_ batch: AnalysisBatch<Terms>) throws {
      for (terms, rowID) in try batch.wait() {
        try insert(terms, rowID)
        try advance()
      }
    }
    func submitBatch() throws {
      pending.append(queues[batchCount % queues.count].start(batch))
      batchCount += 1
      (batch, size) = ([], 0)
      if pending.count > queues.count { try write(pending.removeFirst()) }
    }
    try DocumentReader(collection, transaction.db).forEach(includingExpired: true) { document in
      guard try condition?.holds(document) ?? true else {
        try advance()
        return true
      }
      batch.append(document)
      size += document.body.count
      if size >= IndexPopulator.batchSize { try submitBatch() }
      return true
    }
    try submitBatch()
    for batch in pending { try write(batch) }
  }
}

/// Computes the terms of documents on its own serial queue.
///
/// `@unchecked Sendable`: `parser` and `analyze` are used only on `queue`.
private final class AnalysisQueue<Terms: Sendable>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "concordance.analysis")
  private let parser: JSONParser
  private let analyze: (JSONElement) throws -> Terms

  init(parser: JSONParser, _ analyze: @escaping (JSONElement) throws -> Terms) {
    self.parser = parser
    self.analyze = analyze
  }

  func start(_ documents: [StoredDocument]) -> AnalysisBatch<Terms> {
    let batch = AnalysisBatch<Terms>()
    queue.async { [self] in
      batch.finish(
        Swift.Result {
          try documents.map { document in
            (try document.withRoot(parser, analyze), document.rowID)
          }
        })
    }
    return batch
  }
}

/// The pending result of a batch of documents.
///
/// `@unchecked Sendable`: it needs no lock, because `result` is set before `semaphore` is signalled and read only after
/// waiting for `semaphore`.
private final class AnalysisBatch<Terms: Sendable>: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private var result: Swift.Result<[(Terms, rowID: Int64)], any Error> = .success([])

  fileprivate func finish(_ result: Swift.Result<[(Terms, rowID: Int64)], any Error>) {
    self.result = result
    semaphore.signal()
  }

  /// Waits for the terms and returns them. Call it once.
  func wait() throws -> [(Terms, rowID: Int64)] {
    semaphore.wait()
    return try result.get()
  }
}
