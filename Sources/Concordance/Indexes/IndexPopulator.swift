import DocumentStore
import Foundation
import JSONText
import QueryCompiler

/// Fills an index with the documents of a collection: the thread of the transaction reads them and writes what is made
/// of them, another thread makes it.
struct IndexPopulator<Terms: Sendable> {
  let collection: CollectionRecord
  /// Selects the documents to index; nil for all.
  var condition: DocumentCondition?
  let transaction: WriteTransaction
  let progress: ((UInt64, UInt64) -> Bool)?

  /// The number of bytes of text in a batch.
  private static var batchSize: Int { 4 << 20 }

  /// Calls `insert` with the result of `analyze` for each document.
  ///
  /// - Throws: the errors of the closures; `CancellationError` if `progress` returns false.
  func run(
    _ analyze: @escaping (JSONElement) throws -> Terms, insert: (Terms, _ rowID: Int64) throws -> Void
  ) throws {
    let total = UInt64(clamping: try CollectionCatalog.documentCount(collection, transaction.db))
    let queue = AnalysisQueue(parser: try JSONParser(), analyze)
    var done: UInt64 = 0
    var batch: [StoredDocument] = []
    var size = 0
    var pending: AnalysisBatch<Terms>?
    func advance() throws {
      done += 1
      guard done % 1000 == 0 || done == total else { return }
      try Interruption.check()
      if progress?(done, total) == false { throw CancellationError() }
    }
    func write(_ batch: AnalysisBatch<Terms>?) throws {
      guard let batch else { return }
      for (terms, rowID) in try batch.wait() {
        try insert(terms, rowID)
        try advance()
      }
    }
    func handOver() throws {
      let next = queue.start(batch)
      (batch, size) = ([], 0)
      defer { pending = next }
      try write(pending)
    }
    try DocumentReader(collection, transaction.db).forEach { document in
      guard try condition?.holds(document) ?? true else {
        try advance()
        return true
      }
      batch.append(document)
      size += document.body.count
      if size >= IndexPopulator.batchSize { try handOver() }
      return true
    }
    try handOver()
    try write(pending)
  }
}

/// Computes the terms of documents on a separate thread.
///
/// `@unchecked Sendable`: `parser` and `analyze` are used on the serial `queue` only.
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

/// A batch of documents.
///
/// `@unchecked Sendable`: no lock. `result` is set on the queue before `semaphore` is signalled, and read after the
/// wait for it.
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
