import DocumentStore
import JSONText
import Synchronization

/// Analyzes the documents of an import and collects their index entries before the documents are saved, so that a
/// transaction only stores the entries. The entries need the rows of the documents, which are therefore predicted:
/// SQLite assigns consecutive rows to new documents.
///
/// If a document gets another row, because it replaces a stored one, is refused, or another writer has saved documents,
/// its batch is indexed as if nothing had been prepared, and later batches are not prepared.
final class ImportPreparation {
  /// The analyses of the indexes when the import began.
  private var analyses: [TermAnalysis]
  private var collectsEntries: Bool
  private let rows = PredictedRows()
  private var nextRow: Int64
  /// The entries of the documents of the current batch, for each index; empty until the first document is analyzed. If
  /// it is not added, they are used for the next one.
  private var entries: [(any PreparedEntries)?] = []
  /// Whether the current batch has no entries.
  private(set) var isEmpty = true

  /// - Parameters:
  ///   - analyses: the analyses of the indexes.
  ///   - lastRow: the last row of the collection; nil if rows cannot be predicted.
  init(_ analyses: [TermAnalysis], after lastRow: Int64?) {
    self.analyses = analyses
    collectsEntries =
      analyses.contains { $0.prepare != nil } && lastRow.map((0...ImportPreparation.largestRow).contains) == true
    nextRow = (lastRow ?? 0) + 1
  }

  /// The last row after which rows are predicted, so that their numbers cannot overflow.
  private static let largestRow: Int64 = 1 << 48

  /// Whether the collection has indexes whose entries are computed before documents are saved.
  var hasIndexes: Bool { !analyses.isEmpty }

  /// Returns whether the entries of the batch use so much memory that it should be saved. Two batches may have been
  /// prepared while a third one is written.
  func isFull(in store: Store) -> Bool {
    entries.reduce(0) { $0 + ($1?.size ?? 0) } >= store.configuration.indexMemory / 2
  }

  /// Returns the terms of a document for each index, with the entries of the current batch that they may be added to.
  func terms(of root: JSONElement) throws -> [IndexedTerms] {
    if collectsEntries, entries.isEmpty, rows.areRight { entries = analyses.map { $0.prepare?(nextRow) } }
    var terms: [IndexedTerms] = []
    terms.reserveCapacity(analyses.count)
    for (number, analysis) in analyses.enumerated() {
      terms.append(
        IndexedTerms(
          index: analysis.index, terms: try analysis.make(root), prepared: entries.isEmpty ? nil : entries[number]))
    }
    return terms
  }

  /// Adds a document with its terms to the batch, and returns it in the form in which it is saved.
  func prepare(_ body: DocumentBody, _ terms: [IndexedTerms]) -> PreparedBody {
    // The entries were not used yet, so they may have been created before a prediction was wrong.
    if isEmpty, !rows.areRight { entries = [] }
    let belongsToBatch = !entries.isEmpty && zip(terms, entries).allSatisfy { $0.prepared === $1 }
    guard belongsToBatch else { return PreparedBody(body, terms) }
    for document in terms { document.prepared?.append(document.terms) }
    isEmpty = false
    defer { nextRow += 1 }
    return PreparedBody(body, terms, predictedRow: nextRow, rows)
  }

  /// Ends the batch.
  func endBatch() {
    guard !isEmpty else { return }
    for entries in entries { entries?.finish() }
    entries = []
    isEmpty = true
  }

  /// Stops collecting entries for later documents, and frees the memory that is kept for them. Call it between two
  /// batches.
  func stop() {
    collectsEntries = false
    entries = []
    for number in analyses.indices { analyses[number].prepare = nil }
  }
}

/// Entries of an index that are collected for the documents of a batch before they are saved.
protocol PreparedEntries: AnyObject, Sendable {
  /// The memory that the entries use, in bytes.
  var size: Int { get }
  /// Adds the terms of the next document, in the row after that of the previous one.
  func append(_ terms: any Sendable)
  /// Ends the batch. Nothing may be added afterwards.
  func finish()
}

/// Whether the predicted rows of an import are those of the saved documents.
final class PredictedRows: Sendable {
  private let isFailed = Atomic(false)

  var areRight: Bool { !isFailed.load(ordering: .relaxed) }

  /// Records the row of a saved document. The next batches are not prepared if it differs from the predicted one.
  func note(_ row: Int64, predicted: Int64?) {
    if let predicted, predicted != row { isFailed.store(true, ordering: .relaxed) }
  }
}
