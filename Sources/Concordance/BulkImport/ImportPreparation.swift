import Synchronization

/// Collects the index entries of the documents of an import before the documents are saved, so that a transaction only stores
/// them. The entries need the rows of the documents, which are therefore predicted: SQLite assigns consecutive rows to new
/// documents.
///
/// If a document gets another row, because it replaces a stored one, is refused, or another writer has saved documents, its
/// batch is indexed as if nothing had been prepared, and later batches are not prepared.
final class ImportPreparation {
  private let preparations: [((_ firstRow: Int64) -> any PreparedEntries)?]
  /// Whether all predictions have been right. The thread of the transactions sets it.
  let rows = PredictedRows()
  private var nextRow: Int64
  /// The entries of the documents of the current batch, for each index; empty before its first document.
  private var entries: [(any PreparedEntries)?] = []

  /// - Parameters:
  ///   - analyses: the analyses of the indexes.
  ///   - lastRow: the last row of the collection.
  /// - Returns: nil if the entries of no index can be prepared.
  init?(_ analyses: [TermAnalysis], after lastRow: Int64) {
    guard analyses.contains(where: { $0.prepare != nil }), (0...ImportPreparation.largestRow).contains(lastRow) else {
      return nil
    }
    preparations = analyses.map(\.prepare)
    nextRow = lastRow + 1
  }

  /// The last row after which rows are predicted, so that their numbers cannot overflow.
  private static let largestRow: Int64 = 1 << 48

  /// Whether the batch has no documents.
  var isEmpty: Bool { entries.isEmpty }

  /// The memory that the entries of the batch use, in bytes.
  var size: Int { entries.reduce(0) { $0 + ($1?.size ?? 0) } }

  /// Adds a document to the batch.
  ///
  /// - Parameter terms: its terms for each index, which afterwards refer to the prepared entries.
  /// - Returns: the predicted row; nil if the batch is not prepared.
  func add(_ terms: inout [IndexedTerms]) -> Int64? {
    if entries.isEmpty {
      guard rows.areRight else { return nil }
      entries = preparations.map { $0?(nextRow) }
    }
    for (number, entries) in entries.enumerated() {
      guard let entries else { continue }
      entries.append(terms[number].terms)
      terms[number].prepared = entries
    }
    defer { nextRow += 1 }
    return nextRow
  }

  /// Ends the batch.
  func endBatch() {
    for entries in entries { entries?.finish() }
    entries = []
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
