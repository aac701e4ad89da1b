import DocumentStore
import JSONText

/// Computes the entries of saved documents for an ``AnalyzedIndex`` while the transaction saves more documents.
///
/// The changes of a transaction are collected in batches, which another thread analyzes. The thread of the transaction
/// writes the entries in the order of the changes. If it has to wait for the other thread, it analyzes batches itself.
/// The entries of a transaction with few changes, such as a single save, are computed without another thread.
///
/// ``write()`` must be called before the index is read or otherwise changed, and before the transaction is committed.
final class DeferredAnalysis<Writer: TermWriter> where Writer.Terms: Equatable & Sendable {
  typealias Analysis = (JSONElement) throws -> Writer.Terms

  private let makeAnalysis: () -> Analysis
  private let writer: Writer
  private let transaction: WriteTransaction
  /// The function for the thread of the transaction.
  private lazy var analyze = makeAnalysis()
  /// The other thread, which starts when the first batch is full.
  private lazy var worker = AnalysisWorker(makeAnalysis())
  /// The changes that are not sent yet, and the number of bytes of their documents.
  private var changes: [AnalyzedChange<Writer.Terms>] = []
  private var changesSize = 0
  /// The batches whose entries are not written yet, oldest first, and the number of bytes of their documents.
  private var sent: [ChangeBatch<Writer.Terms>] = []
  private var sentSize = 0
  /// Whether there are changes whose entries are not written yet. The arrays are not examined, because the code is not
  /// specialized, and finding the types of their elements takes longer than writing small documents.
  private var hasChanges = false

  /// The number of bytes of documents that are sent together, because sending takes longer than analyzing a small
  /// document.
  private static var batchSize: Int { 32 << 10 }
  /// The number of bytes of documents that wait for the other thread. The thread of the transaction analyzes the next
  /// ones.
  private static var maximumSentSize: Int { 512 << 10 }

  init(_ makeAnalysis: @escaping () -> Analysis, _ writer: Writer, in transaction: WriteTransaction) {
    self.makeAnalysis = makeAnalysis
    self.writer = writer
    self.transaction = transaction
  }

  /// Adds a new document with known entries.
  ///
  /// - Returns: false if the entries are those of another kind of index.
  /// - Throws: the errors of the analysis of earlier changes, and those of the writer.
  func insert(_ known: IndexedTerms, rowID: Int64, predictedRow: Int64?) throws -> Bool {
    if hasChanges { try write() }
    return try failing { try writer.insert(known, rowID: rowID, predictedRow: predictedRow) }
  }

  /// Adds a change.
  ///
  /// - Throws: the errors of the analysis and of the writer, also for earlier changes.
  func add(_ change: AnalyzedChange<Writer.Terms>) throws {
    if change.size == 0 {
      try write()
      return try failing {
        // Imports analyze documents before the transaction, so this is done for each of their documents.
        if change.previous == nil, case .terms(let terms) = change.document {
          return try writer.insert(terms, rowID: change.rowID)
        }
        try write(analyzed([change]))
      }
    }
    // A batch is sent when it is followed by another change, so a single large document is not sent.
    if changesSize >= Self.batchSize {
      send()
      try failing { try writeAnalyzed(upTo: Self.maximumSentSize) }
    }
    changes.append(change)
    changesSize += change.size
    hasChanges = true
  }

  /// Writes the entries of all changes.
  func write() throws {
    guard !changes.isEmpty || !sent.isEmpty else { return }
    try failing {
      let last = try analyzed(changes)
      (changes, changesSize) = ([], 0)
      try writeAnalyzed(upTo: 0)
      try write(last)
      hasChanges = false
    }
  }

  /// Discards the changes after a rollback. Also called after a commit, when none are left.
  func discard() {
    if !sent.isEmpty { worker.discardWaiting() }
    (changes, changesSize) = ([], 0)
    (sent, sentSize) = ([], 0)
    hasChanges = false
  }

  private func send() {
    let batch = ChangeBatch(changes, size: changesSize)
    sent.append(batch)
    sentSize += batch.size
    (changes, changesSize) = ([], 0)
    worker.analyze(batch)
  }

  /// Writes the entries that are ready, until at most `limit` bytes of documents wait for the other thread.
  private func writeAnalyzed(upTo limit: Int) throws {
    while let first = sent.first {
      if let result = worker.result(of: first) {
        sent.removeFirst()
        sentSize -= first.size
        try write(result.get())
      } else if sentSize <= limit {
        return
      } else if let batch = worker.takeLast() {
        worker.finish(batch, with: Swift.Result { try analyzed(batch.changes) })
      } else {
        worker.wait(for: first)
      }
    }
  }

  private func analyzed(_ changes: [AnalyzedChange<Writer.Terms>]) throws -> [EntryChange<Writer.Terms>] {
    try changes.isEmpty ? [] : AnalyzedChange.entries(of: changes, analyze)
  }

  private func write(_ changes: [EntryChange<Writer.Terms>]) throws {
    for change in changes {
      if let removed = change.removed { try writer.remove(removed, rowID: change.rowID) }
      if let inserted = change.inserted { try writer.insert(inserted, rowID: change.rowID) }
    }
  }

  /// Makes the transaction fail if `body` throws, because the documents are already written.
  private func failing<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      discard()
      transaction.fail(error)
      throw error
    }
  }
}

/// A change to a document of an ``AnalyzedIndex``.
struct AnalyzedChange<Terms: Equatable & Sendable>: Sendable {
  /// A document in the index.
  enum Document: Sendable {
    case text([UInt8])
    case terms(Terms)
  }

  let rowID: Int64
  /// The stored document whose entries are removed; nil if the index does not contain it.
  let previous: StoredDocument?
  /// The new document; nil if it does not belong to the index.
  let document: Document?

  /// The number of bytes of text to analyze.
  var size: Int {
    let new = if case .text(let text) = document { text.count } else { 0 }
    return new + (previous?.body.count ?? 0)
  }

  /// Returns the entries that several changes remove and add, in the same order.
  static func entries(
    of changes: [AnalyzedChange], _ analyze: (JSONElement) throws -> Terms
  ) throws -> [EntryChange<Terms>] {
    try JSONParser.withShared { parser in try changes.map { try $0.entries(parser, analyze) } }
  }

  /// Returns the entries that change.
  private func entries(_ parser: JSONParser, _ analyze: (JSONElement) throws -> Terms) throws -> EntryChange<Terms> {
    let inserted =
      switch document {
      case nil: nil as Terms?
      case .terms(let terms): terms
      case .text(let text): try text.withUnsafeBytes { try analyze(parser.parse($0)) }
      }
    let removed = try previous?.withRoot(parser, analyze)
    if removed == inserted { return EntryChange(rowID: rowID) }
    return EntryChange(rowID: rowID, removed: removed, inserted: inserted)
  }
}

/// The entries that a change removes from an index and adds to it.
struct EntryChange<Terms: Sendable>: Sendable {
  let rowID: Int64
  var removed: Terms?
  var inserted: Terms?
}
