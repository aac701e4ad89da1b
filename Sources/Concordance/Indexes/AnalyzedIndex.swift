import DocumentStore
import GRDB
import JSONText
import QueryCompiler

/// An index whose entries are computed from a document's JSON without the database, such as the terms of its text.
///
/// Entries can be computed on another thread. To remove the entries of a document, the writer computes them again from
/// the stored document.
protocol AnalyzedIndex: StoredIndex {
  associatedtype Terms: Equatable & Sendable
  associatedtype Writer: TermWriter<Terms>
  associatedtype Verification: TermVerification<Terms>

  /// Returns a function that computes the entries of documents on one thread at a time.
  func makeAnalysis() -> (JSONElement) throws -> Terms
  /// Returns a function that collects the entries of new documents before they are saved, from the row of the first one on;
  /// nil if the index does not support it.
  ///
  /// - Parameters:
  ///   - memory: the memory for the entries of a batch, in bytes.
  ///   - db: a connection.
  func makePreparation(memory: Int, _ db: GRDB.Database) -> ((_ firstRow: Int64) -> any PreparedEntries)?
  /// Returns a writer for the entries of the index.
  func makeTermWriter(_ transaction: WriteTransaction) throws -> Writer
  /// Returns an object that verifies the index.
  func makeVerification(_ db: GRDB.Database) throws -> Verification
  /// Returns the condition that indexed documents satisfy; nil if all documents are indexed.
  func documentCondition(of collection: CollectionRecord, _ db: GRDB.Database) throws -> DocumentCondition?
}

/// Writes the entries of documents.
protocol TermWriter<Terms> {
  associatedtype Terms
  func insert(_ terms: Terms, rowID: Int64) throws
  func remove(_ terms: Terms, rowID: Int64) throws
  /// Inserts the known terms of a new document.
  ///
  /// - Returns: false if they are those of another kind of index.
  func insert(_ known: IndexedTerms, rowID: Int64, predictedRow: Int64?) throws -> Bool
}

extension TermWriter {
  func insert(_ known: IndexedTerms, rowID: Int64, predictedRow: Int64?) throws -> Bool {
    guard let terms = known.terms as? Terms else { return false }
    try insert(terms, rowID: rowID)
    return true
  }
}

/// Compares an index with the entries that it should contain.
protocol TermVerification<Terms> {
  associatedtype Terms
  mutating func expect(_ terms: Terms, rowID: Int64) throws
  func problem() throws -> String?
}

extension AnalyzedIndex {
  func documentCondition(of collection: CollectionRecord, _ db: GRDB.Database) throws -> DocumentCondition? { nil }
  func makePreparation(memory: Int, _ db: GRDB.Database) -> ((_ firstRow: Int64) -> any PreparedEntries)? { nil }

  // The integrity check of FTS5 is an INSERT statement, so it needs a writable connection.
  var isVerifiedByWriting: Bool { true }

  func makeTermAnalysis(memory: Int, _ db: GRDB.Database) -> TermAnalysis? {
    TermAnalysis(index: id, make: makeAnalysis(), prepare: makePreparation(memory: memory, db))
  }

  func makeWriter(_ context: IndexWriterContext) throws -> any StoredIndexWriter {
    let analysis = DeferredAnalysis(makeAnalysis, try makeTermWriter(context.transaction), in: context.transaction)
    context.transaction.add(
      DeferredWrites(index: id, .analysis, write: { _ in try analysis.write() }, discard: { analysis.discard() }))
    return AnalyzedIndexWriter(
      index: id, analysis: analysis, condition: try documentCondition(of: context.collection, context.transaction.db))
  }

  /// Fills the empty index, and finishes the changes.
  func fill(in change: IndexChange) throws {
    let writer = try makeTermWriter(change.transaction)
    let condition = try documentCondition(of: change.record, change.db)
    try IndexPopulator(
      collection: change.record, condition: condition, transaction: change.transaction, progress: change.progress
    ).run(makeAnalysis, insert: writer.insert)
    try finishChanges(in: change)
  }

  func problem(in collection: CollectionRecord, _ db: GRDB.Database) throws -> String? {
    var verification = try makeVerification(db)
    let analyze = makeAnalysis()
    let condition = try documentCondition(of: collection, db)
    let parser = try JSONParser()
    try DocumentReader(collection, db).forEach(includingExpired: true) { document in
      guard try condition?.holds(document) ?? true else { return true }
      let terms = try document.body.withUnsafeBytes { try analyze(parser.parse($0)) }
      try verification.expect(terms, rowID: document.rowID)
      return true
    }
    return try verification.problem()
  }
}

/// The entries of a document for one index.
struct IndexedTerms: Sendable {
  /// The row id of the index in the catalog.
  let index: Int64
  let terms: any Sendable
  /// The entries that were collected before the save and contain these terms; nil if there are none.
  let prepared: (any PreparedEntries)?
}

/// Computes the entries of documents for one index. Used by one thread at a time.
struct TermAnalysis {
  /// The row id of the index in the catalog.
  let index: Int64
  let make: (JSONElement) throws -> any Sendable
  /// Collects the entries of new documents before they are saved; nil if the index does not support it.
  var prepare: ((_ firstRow: Int64) -> any PreparedEntries)?
}

/// Updates an ``AnalyzedIndex`` when its documents change.
private struct AnalyzedIndexWriter<Writer: TermWriter>: StoredIndexWriter where Writer.Terms: Equatable & Sendable {
  let index: Int64
  let analysis: DeferredAnalysis<Writer>
  /// The condition that indexed documents satisfy; nil for all documents.
  let condition: DocumentCondition?

  func update(_ document: SavedDocument) throws {
    if document.previous == nil, condition == nil, let known = document.terms.first(where: { $0.index == index }) {
      guard try analysis.insert(known, rowID: document.rowID, predictedRow: document.predictedRow) else {
        throw wrongTerms
      }
      return
    }
    try add(
      AnalyzedChange(
        rowID: document.rowID, previous: document.previous.flatMap { try indexed($0) },
        document: newDocument(document)))
  }

  func remove(_ document: StoredDocument, _ parser: JSONParser) throws {
    try add(AnalyzedChange(rowID: document.rowID, previous: indexed(document), document: nil))
  }

  private func add(_ change: AnalyzedChange<Writer.Terms>) throws {
    if change.previous != nil || change.document != nil { try analysis.add(change) }
  }

  /// Returns a saved document; nil if it does not belong to the index.
  private func newDocument(_ document: SavedDocument) throws -> AnalyzedChange<Writer.Terms>.Document? {
    guard try condition?.holds(rowID: document.rowID, id: document.id, body: document.body) ?? true else { return nil }
    guard let known = document.terms.first(where: { $0.index == index })?.terms else { return .text(document.body) }
    guard let terms = known as? Writer.Terms else { throw wrongTerms }
    return .terms(terms)
  }

  /// Possible only if the id of a dropped index was reused for an index of another kind, which the catalog never does.
  private var wrongTerms: CBLError {
    CBLError(CBLError.corruptData, "the index catalog assigns the same id to two indexes")
  }

  /// Returns a stored document; nil if it is not in the index.
  private func indexed(_ document: StoredDocument) throws -> StoredDocument? {
    try condition?.holds(document) ?? true ? document : nil
  }
}
