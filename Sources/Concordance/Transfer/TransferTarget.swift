import DocumentStore
import JSONText

/// A collection that receives documents of an import, with the analyses of its text indexes when its first line was read.
struct TransferTarget {
  let collection: Collection
  private let analyses: [TermAnalysis]
  /// Collects the entries of new documents; nil if no index supports it.
  private var preparation: ImportPreparation?
  /// Whether an earlier batch has documents of the collection.
  private var isKnown = false

  init(_ collection: Collection) throws {
    self.collection = collection
    let (analyses, preparation) = try collection.termAnalyses()
    // Only the preparation keeps the memory of prepared entries.
    self.analyses = analyses.map { TermAnalysis(index: $0.index, make: $0.make, prepare: nil) }
    self.preparation = preparation
  }

  /// The memory of the prepared entries of the current batch, in bytes.
  var preparedSize: Int { preparation?.size ?? 0 }

  /// Returns the terms of a document for the text indexes.
  func terms(of root: JSONElement) throws -> [IndexedTerms] { try analyses.map { try $0.terms(of: root) } }

  /// Returns a document to save, and prepares its entries.
  func prepare(_ document: ImportedDocument) -> TransferDocument {
    var terms = document.terms
    let row = preparation?.add(&terms)
    return TransferDocument(
      collection, id: document.id ?? TimeOrderedUUID.make(), document.body, expiration: document.expiration,
      terms: terms, predictedRow: row, preparation?.rows)
  }

  /// Ends the current batch. If only earlier ones have documents of the collection, later documents are not prepared: an export
  /// contains one collection after the other, and the prepared entries of each keep their memory for the next batch.
  mutating func endBatch() {
    guard let preparation else { return }
    if !preparation.isEmpty {
      preparation.endBatch()
      isKnown = true
    } else if isKnown {
      self.preparation = nil
    }
  }

  /// Computes the statistics of the indexes after documents were saved.
  func writeStatistics() throws {
    if !analyses.isEmpty { try collection.writeStatistics() }
  }
}
