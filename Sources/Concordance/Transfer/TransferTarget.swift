import DocumentStore

/// A collection that receives documents of an import, with the analyses of its text indexes when its first line was
/// read.
final class TransferTarget {
  let collection: Collection
  let preparation: ImportPreparation
  /// Whether an earlier batch has documents of the collection.
  private var isKnown = false

  init(_ collection: Collection) throws {
    self.collection = collection
    preparation = try collection.makeImportPreparation()
  }

  /// Returns a document to save, and prepares its entries.
  func prepare(_ document: ImportedDocument) -> TransferDocument {
    TransferDocument(
      collection, id: document.id ?? TimeOrderedUUID.make(), preparation.prepare(document.body, document.terms),
      expiration: document.expiration)
  }

  /// Ends the current batch. If only earlier ones have documents of the collection, later documents are not prepared:
  /// an export contains one collection after the other, and the prepared entries of each keep their memory for the next
  /// batch.
  func endBatch() {
    if !preparation.isEmpty {
      preparation.endBatch()
      isKnown = true
    } else if isKnown {
      preparation.stop()
    }
  }

  /// Makes searches in the indexes faster after documents were saved.
  func finishImport() throws {
    if preparation.hasIndexes { try collection.finishImport() }
  }
}
