import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import TextIndex
import TrigramIndex

/// The terms of a document for one index.
struct IndexedTerms: Sendable {
  enum Terms: Equatable, Sendable {
    case fullText(AnalyzedDocument)
    case trigrams(DocumentTrigrams)
  }

  let index: Int64
  let terms: Terms
}

/// Computes the terms of documents for one index, full-text or pattern. It belongs to one thread at a time.
struct TermAnalysis {
  let index: Int64
  private let make: (JSONElement) throws -> IndexedTerms.Terms

  init(_ index: StoredFullTextIndex) {
    let analysis = DocumentAnalysis(index)
    self.index = index.id
    make = { .fullText(try analysis.analyze($0)) }
  }

  init(_ index: TrigramIndex.StoredPatternIndex) {
    let analysis = TrigramAnalysis(index)
    self.index = index.id
    make = { .trigrams(try analysis.analyze($0)) }
  }

  func terms(of root: JSONElement) throws -> IndexedTerms { IndexedTerms(index: index, terms: try make(root)) }
}

/// Writes documents together with the indexes of their collection, within one transaction.
final class CollectionWriter {
  private struct Maintainer {
    enum Writer {
      case fullText(FullTextWriter)
      case trigrams(PatternIndexWriter)
    }

    let analysis: TermAnalysis
    let writer: Writer
    /// Which documents are in the index; nil for all.
    var condition: DocumentCondition?

    func insert(_ terms: IndexedTerms.Terms, rowID: Int64) throws {
      switch (writer, terms) {
      case (.fullText(let writer), .fullText(let terms)): try writer.insert(terms, rowID: rowID)
      case (.trigrams(let writer), .trigrams(let terms)): try writer.insert(terms, rowID: rowID)
      default: throw Maintainer.mixedUp
      }
    }

    func remove(_ terms: IndexedTerms.Terms, rowID: Int64) throws {
      switch (writer, terms) {
      case (.fullText(let writer), .fullText(let terms)): try writer.remove(terms, rowID: rowID)
      case (.trigrams(let writer), .trigrams(let terms)): try writer.remove(terms, rowID: rowID)
      default: throw Maintainer.mixedUp
      }
    }

    /// Thrown if the writer and the terms are of different kinds: an index was dropped and one of another kind created
    /// with the same number, which the catalog never reuses.
    private static let mixedUp = CBLError(
      CBLError.corruptData, "the catalog of indexes gives one number to two indexes")
  }

  let documents: DocumentWriter
  let transaction: WriteTransaction
  private let maintainers: [Maintainer]
  private let valueIndexes: [(index: StoredValueIndex, writer: ValueIndexWriter)]
  private let leaveIncomplete: (StoredValueIndex) throws -> Void
  private let parser: JSONParser

  /// - Parameter leaveIncomplete: notes that an index lacks a document.
  init(
    documents: DocumentWriter, schema: CollectionSchema, _ transaction: WriteTransaction,
    leaveIncomplete: @escaping (StoredValueIndex) throws -> Void
  ) throws {
    self.leaveIncomplete = leaveIncomplete
    self.documents = documents
    self.transaction = transaction
    valueIndexes = try schema.valueIndexes.map { ($0, try ValueIndexWriter($0, of: schema.record, transaction.db)) }
    maintainers =
      try schema.fullTextIndexes.map {
        Maintainer(
          analysis: TermAnalysis($0), writer: .fullText(try transaction.fullTextWriter($0)),
          condition: try $0.documentCondition(of: schema.record, transaction.db))
      }
      + schema.patternIndexes.map {
        Maintainer(analysis: TermAnalysis($0), writer: .trigrams(try PatternIndexWriter($0, transaction.db)))
      }
    parser = try JSONParser()
  }

  /// Saves a document with its index entries. Saves, imports and indexing all call it.
  ///
  /// - Parameters:
  ///   - analyses: its terms by index, if they were computed before; others are computed here.
  ///   - mayReplace: returns whether the save may replace the stored document; nil if it may replace any.
  /// - Throws: ``CBLError`` of code ``CBLError/notFound`` for a reference to a blob that is not stored; ``StoreError``
  ///   as ``DocumentWriter`` does. Nothing was written then.
  func save(
    id: String, body: DocumentBody, source: Int64? = nil, precondition: DocumentWriter.Precondition = .none,
    skippingUnchanged: Bool = false, analyses: [IndexedTerms] = [], mayReplace: ((StoredDocument) throws -> Bool)? = nil
  ) throws -> DocumentWriter.Change {
    try requireBlobs(of: body, id: id, precondition)
    let change = try documents.save(
      id: id, body: body, source: source, precondition: precondition, skippingUnchanged: skippingUnchanged,
      mayReplace: mayReplace)
    if change.isUnchanged { return change }
    try updatingIndexes {
      for maintainer in maintainers {
        let known = analyses.first { $0.index == maintainer.analysis.index }?.terms
        let isIncluded = try maintainer.condition?.holds(rowID: change.rowID, id: id, body: body.bytes) ?? true
        let terms = isIncluded ? try known ?? analyze(body.bytes, maintainer) : nil
        if let old = try change.previous.flatMap({ try analyzeStored($0, maintainer) }) {
          if old == terms { continue }
          try maintainer.remove(old, rowID: change.rowID)
        }
        if let terms { try maintainer.insert(terms, rowID: change.rowID) }
      }
      let run = PredictionRun.next()
      for (index, writer) in valueIndexes {
        let isIndexed = try writer.update(rowID: change.rowID, isNew: change.previous == nil, predictionRun: run)
        if !isIndexed { try leaveIncomplete(index) }
      }
    }
    return change
  }

  /// Throws if a text refers to a blob that is not stored. A text that was read before its blobs were deleted must not
  /// be saved; but a blob that the stored document already lacks does not prevent an edit of it.
  private func requireBlobs(of body: DocumentBody, id: String, _ precondition: DocumentWriter.Precondition) throws {
    guard body.mayReferenceBlobs else { return }
    let missing = try transaction.missingBlobs(in: body, parser: parser)
    guard !missing.isEmpty else { return }
    let stored = try documents.document(id: id).map { DocumentBody(of: $0) }
    let known = try stored.map { try transaction.missingBlobs(in: $0, parser: parser) } ?? []
    guard let lost = missing.first(where: { !known.contains($0) }) else { return }
    // A document that will not be saved because of a conflict may refer to any blob.
    try documents.require(precondition, id: id)
    throw CBLError(
      CBLError.notFound,
      "the document \"\(id)\" refers to the blob \(lost), whose content is not in the database; save it with saveBlob, or "
        + "set a Blob with the content")
  }

  /// Deletes a document; returns nil if there is none. See ``DocumentWriter/delete(id:precondition:replacing:)``.
  func delete(
    id: String, precondition: DocumentWriter.Precondition = .none, replacing tombstone: Int64? = nil
  ) throws -> DocumentWriter.Change? {
    guard let change = try documents.delete(id: id, precondition: precondition, replacing: tombstone) else {
      return nil
    }
    if let previous = change.previous { try removeFromIndexes(previous) }
    return change
  }

  /// Purges a document; returns nil if there is none.
  func purge(id: String) throws -> StoredDocument? {
    guard let document = try documents.purge(id: id) else { return nil }
    if !document.isDeleted { try removeFromIndexes(document) }
    return document
  }

  private func removeFromIndexes(_ document: StoredDocument) throws {
    try updatingIndexes {
      for maintainer in maintainers {
        guard let terms = try analyzeStored(document, maintainer) else { continue }
        try maintainer.remove(terms, rowID: document.rowID)
      }
      for (_, writer) in valueIndexes { try writer.remove(rowID: document.rowID) }
    }
  }

  /// Makes the transaction fail if an index cannot be updated, because the document is already changed. A savepoint
  /// around each change would do the same, but FTS5 flushes its pending terms at every savepoint: three times slower.
  private func updatingIndexes(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      transaction.fail(error)
      throw error
    }
  }

  /// Returns the terms that a stored document was indexed with; nil if it is not in the index.
  private func analyzeStored(_ document: StoredDocument, _ maintainer: Maintainer) throws -> IndexedTerms.Terms? {
    guard try maintainer.condition?.holds(document) ?? true else { return nil }
    return try document.withRoot(parser) { try maintainer.analysis.terms(of: $0).terms }
  }

  private func analyze(_ body: [UInt8], _ maintainer: Maintainer) throws -> IndexedTerms.Terms {
    try body.withUnsafeBytes { try maintainer.analysis.terms(of: parser.parse($0)).terms }
  }
}

extension WriteTransaction {
  /// Returns a writer of a full-text index that is flushed before the commit.
  func fullTextWriter(_ index: StoredFullTextIndex) throws -> FullTextWriter {
    // Another writer of the same index may have pending terms in memory.
    try writeDeferred()
    let writer = try FullTextWriter(index, db)
    add(DeferredWrites(write: { try writer.flush(syncing: $0) }, discard: { writer.discard() }))
    return writer
  }
}
