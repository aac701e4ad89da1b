import DocumentStore
import JSONText

/// A collection that receives documents of an import, with the analyses of its text indexes when the first document was read.
struct TransferTarget {
  let collection: Collection
  private let analyses: [TermAnalysis]
  /// Collects the entries of new documents; nil if no index supports it.
  private let preparation: ImportPreparation?

  init(_ collection: Collection) throws {
    self.collection = collection
    (analyses, preparation) = try collection.termAnalyses()
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

  /// Ends the current batch.
  func endBatch() { preparation?.endBatch() }

  /// Computes the statistics of the indexes after documents were saved.
  func writeStatistics() throws {
    if !analyses.isEmpty { try collection.writeStatistics() }
  }
}
