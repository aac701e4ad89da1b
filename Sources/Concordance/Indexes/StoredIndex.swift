import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import TextIndex

/// A kind of index: what the database needs to know before it has an index of the kind.
///
/// A kind is a folder in `Sources/Concordance/Indexes` with an ``IndexKind``, a ``StoredIndex``, its ``StoredIndexDefinition``
/// and at least one ``StoredIndexConfiguration``. ``IndexKinds/standard`` lists it; nothing else names it, except the planner of
/// queries and the searches that use the index.
protocol IndexKind<Index>: Sendable {
  associatedtype Index: StoredIndex

  /// The name of the kind in the catalog, `concordance_index.kind`.
  var catalogName: IndexCatalog.Kind { get }

  /// The configurations of which indexes of the kind are created. Of an export, the first is taken whose
  /// ``StoredIndexConfiguration/distinctiveKey`` a definition has.
  var configurations: [any StoredIndexConfiguration.Type] { get }

  /// Registers on a connection what SQLite needs for the tables of the kind, such as a tokenizer.
  func prepare(_ db: GRDB.Database) throws

  /// Returns the indexes of a collection as the file has them now, by name.
  ///
  /// - Throws: errors of the definitions, if one cannot be read.
  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [Index]

  /// Whether an index with a version may be outdated. It is called for every index when a file is opened, before definitions are
  /// read.
  func mayBeOutdated(version: String) -> Bool

  /// Whether a statement of `sqlite_schema` creates a table or index that an index of the kind has. Files with other statements
  /// are refused.
  func isStatement(_ sql: String, ofObject name: String) -> Bool
}

extension IndexKind {
  func prepare(_ db: GRDB.Database) throws {}
}

/// An index that a file contains, from its creation to its end.
protocol StoredIndex: Sendable {
  /// The row in the catalog.
  var id: Int64 { get }
  /// The name, unique in the collection.
  var name: String { get }
  /// Whether the index must be rebuilt or completed before it is used.
  var isOutdated: Bool { get }

  // MARK: Contents

  /// Makes the index known to the compiler of queries.
  func add(to schema: inout CollectionSchema)

  /// Returns what the index is made of and how much it contains.
  ///
  /// - Complexity: O(p) in the number of its pages.
  func summary(_ db: GRDB.Database) throws -> IndexSummary

  /// What an export contains of the index: the configuration of which the same index is created.
  var exportedConfiguration: any StoredIndexConfiguration { get throws }

  /// Returns what is wrong with the index, compared with the documents of its collection; nil if nothing is.
  ///
  /// - Complexity: O(n) in the documents.
  func problem(in collection: CollectionRecord, _ db: GRDB.Database) throws -> String?

  /// Whether ``problem(in:_:)`` needs a connection that may write, in a transaction that is rolled back.
  var isVerifiedByWriting: Bool { get }

  // MARK: Documents

  /// Returns a function that computes the entries of a document on any thread, before it is saved; nil if they are computed when
  /// the document is saved.
  func makeTermAnalysis() -> TermAnalysis?

  /// Returns a writer that changes the index in the transaction that changes documents.
  func makeWriter(_ context: IndexWriterContext) throws -> any StoredIndexWriter

  // MARK: Life

  /// Empties the index and fills it from the documents by the rules of this version of the library.
  ///
  /// - Parameter abandoningTable: whether its tables are left in the file because SQLite cannot drop them.
  func rebuild(in change: IndexChange, abandoningTable: Bool) throws

  /// Brings an outdated index up to date: rebuilds it, or adds what is missing.
  func refresh(in change: IndexChange) throws

  /// Merges the parts that the index has grown from.
  func optimize(in change: IndexChange) throws

  /// Computes data by which searches are faster and that writing leaves out. It is quick if little was written.
  func writeStatistics(in change: IndexChange) throws

  /// Drops the index and its tables.
  func drop(_ db: GRDB.Database) throws

  /// Whether the index can be filled by this process now. One that cannot stays as it is.
  var canBeFilled: Bool { get }

  /// Whether an error of filling says only that the documents cannot be indexed now.
  func mayStay(after error: any Error) -> Bool
}

extension StoredIndex {
  var isVerifiedByWriting: Bool { false }
  func makeTermAnalysis() -> TermAnalysis? { nil }
  func refresh(in change: IndexChange) throws { try rebuild(in: change, abandoningTable: false) }
  func optimize(in change: IndexChange) throws {}
  func writeStatistics(in change: IndexChange) throws {}
  var canBeFilled: Bool { true }
  func mayStay(after error: any Error) -> Bool { false }
}

/// What an index is made of.
protocol StoredIndexDefinition: Sendable {
  associatedtype Index: StoredIndex

  /// Throws if no index can be created of the definition, before anything is changed.
  func check() throws

  /// Gives an existing index this definition without filling it again.
  ///
  /// - Returns: whether the index is one of this definition now, up to date. Otherwise nothing was changed.
  func adopt(_ existing: Index, in change: IndexChange) throws -> Bool

  /// Creates an index and fills it.
  func create(_ name: String, in change: IndexChange) throws
}

extension StoredIndexDefinition {
  func check() throws {}

  /// The same for an index of any kind.
  func adopt(any existing: any StoredIndex, in change: IndexChange) throws -> Bool {
    guard let existing = existing as? Index else { return false }
    return try adopt(existing, in: change)
  }
}

/// A configuration of the public API of which an index is created.
protocol StoredIndexConfiguration: IndexConfiguration, Codable {
  associatedtype Definition: StoredIndexDefinition

  /// A member of the configuration's JSON that tells it from the configurations listed after it.
  static var distinctiveKey: String { get }

  /// - Throws: ``CBLError`` for a configuration of which no index can be created.
  func definition() throws -> Definition
}

/// Changes an index with the documents of its collection, in one transaction.
protocol StoredIndexWriter {
  /// Replaces the entries of a document that has been saved.
  func update(_ document: SavedDocument) throws
  /// Removes the entries of a document that has been deleted.
  func remove(_ document: StoredDocument, _ parser: JSONParser) throws
}

/// What a writer of an index needs.
struct IndexWriterContext {
  let collection: CollectionRecord
  let transaction: WriteTransaction
  /// To be called after the version of an index was changed in the catalog.
  let noteVersionChange: () throws -> Void
}

/// A document that has been saved, for the indexes.
struct SavedDocument {
  let id: String
  let rowID: Int64
  let body: [UInt8]
  /// The document that was stored before; nil for a new one.
  let previous: StoredDocument?
  /// Entries that were computed before, for some indexes.
  let terms: [IndexedTerms]
  /// The same for all indexes; see ``QueryCompiler/PredictionRun``.
  let predictionRun: Int64
  let parser: JSONParser
}

/// The creation or change of an index in a write transaction.
struct IndexChange {
  let collection: Collection
  let transaction: WriteTransaction
  /// Called now and then with the documents that are done and their number; returns whether to go on.
  var progress: ((UInt64, UInt64) -> Bool)?
  /// Whether the index may lack documents that cannot be indexed now.
  var mayLackDocuments = false

  var record: CollectionRecord { collection.record }
  var db: GRDB.Database { transaction.db }

  /// To be called before a virtual table is created: SQLite cannot roll this back to a savepoint and go on.
  func willCreateVirtualTable() { collection.engine.didCreateIndex() }

  /// To be called after the catalog was changed, before the index is filled.
  func catalogDidChange() throws { try collection.engine.catalogDidChange(in: transaction) }
}
