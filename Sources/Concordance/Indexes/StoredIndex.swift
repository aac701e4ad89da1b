import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import TextIndex

/// A kind of index: the properties that the database needs even if no index of the kind exists.
///
/// A kind is a folder in `Sources/Concordance/Indexes` with an ``IndexKind``, a ``StoredIndex``, its
/// ``StoredIndexDefinition`` and at least one ``StoredIndexConfiguration``. ``IndexKinds/standard`` lists it; nothing
/// else refers to it, except the query planner and the searches that use the index.
protocol IndexKind<Index>: Sendable {
  associatedtype Index: StoredIndex

  /// The name of the kind in the catalog, `concordance_index.kind`.
  var catalogName: IndexCatalog.Kind { get }

  /// The configuration types that create indexes of this kind. An exported definition is decoded as the first type
  /// whose ``StoredIndexConfiguration/distinctiveKey`` it contains.
  var configurations: [any StoredIndexConfiguration.Type] { get }

  /// Registers the extensions, such as a tokenizer, that SQLite needs for the tables of this kind on a connection.
  func prepare(_ db: GRDB.Database) throws

  /// Returns the indexes of a collection as currently stored in the file, by name.
  ///
  /// - Throws: an error if a definition cannot be read.
  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [Index]

  /// Returns whether an index of this version with this definition may be outdated. Called for every index when a file
  /// is opened, before definitions are parsed.
  func mayBeOutdated(version: String, definition: String) -> Bool

  /// Returns whether a statement in `sqlite_schema` creates a table or SQLite index that belongs to an index of this
  /// kind. Files with any other statement are rejected.
  func isStatement(_ sql: String, ofObject name: String) -> Bool
}

extension IndexKind {
  func prepare(_ db: GRDB.Database) throws {}
}

/// An index that is stored in a database file.
protocol StoredIndex: Sendable {
  /// The row id in the catalog.
  var id: Int64 { get }
  /// The name, unique in the collection.
  var name: String { get }
  /// Whether the index must be rebuilt or completed before it is used.
  var isOutdated: Bool { get }

  // MARK: Contents

  /// Registers the index with the query compiler.
  func add(to schema: inout CollectionSchema)

  /// Returns the definition and the size of the index.
  ///
  /// - Complexity: O(p) in the number of its pages.
  func summary(_ db: GRDB.Database) throws -> IndexSummary

  /// The configuration that creates the same index, as written to exports.
  var exportedConfiguration: any StoredIndexConfiguration { get throws }

  /// Compares the index with the documents of its collection.
  ///
  /// - Returns: a description of the problem; nil if there is none.
  ///
  /// - Complexity: O(n) in the number of documents.
  func problem(in collection: CollectionRecord, _ db: GRDB.Database) throws -> String?

  /// Whether ``problem(in:_:)`` needs a writable connection. Its transaction is rolled back.
  var isVerifiedByWriting: Bool { get }

  // MARK: Documents

  /// Returns a function that computes the entries of a document on any thread, before it is saved; nil if they are
  /// computed when the document is saved.
  ///
  /// - Parameters:
  ///   - memory: the memory for entries that are collected before documents are saved, in bytes.
  ///   - db: a connection.
  func makeTermAnalysis(memory: Int, _ db: GRDB.Database) -> TermAnalysis?

  /// Returns a writer that changes the index in the transaction that changes documents.
  func makeWriter(_ context: IndexWriterContext) throws -> any StoredIndexWriter

  // MARK: Maintenance

  /// Clears the index and fills it from the documents with the rules of this version of the library.
  ///
  /// - Parameter abandoningTable: whether to leave its tables in the file because SQLite cannot drop them.
  func rebuild(in change: IndexChange, abandoningTable: Bool) throws

  /// Updates an outdated index: rebuilds it, or adds missing documents.
  func refresh(in change: IndexChange) throws

  /// Merges the segments of the index.
  func optimize(in change: IndexChange) throws

  /// Merges segments and computes statistics after large changes, so that searches are faster. Single saves do not.
  /// If few documents have changed, most calls take little time.
  func finishChanges(in change: IndexChange) throws

  /// Drops the index and its tables.
  func drop(_ db: GRDB.Database) throws

  /// Whether this process can fill the index now. If it cannot, the index is left unchanged.
  var canBeFilled: Bool { get }

  /// Returns whether the index remains unchanged after an error, because the error only means that the documents cannot
  /// be indexed now.
  func remainsUnchanged(after error: any Error) -> Bool
}

extension StoredIndex {
  var isVerifiedByWriting: Bool { false }
  func makeTermAnalysis(memory: Int, _ db: GRDB.Database) -> TermAnalysis? { nil }
  func refresh(in change: IndexChange) throws { try rebuild(in: change, abandoningTable: false) }
  func optimize(in change: IndexChange) throws {}
  func finishChanges(in change: IndexChange) throws {}
  var canBeFilled: Bool { true }
  func remainsUnchanged(after error: any Error) -> Bool { false }
}

/// The definition of a stored index.
protocol StoredIndexDefinition: Sendable {
  associatedtype Index: StoredIndex

  /// The subject of the error for databases on PostgreSQL, such as "views are"; nil if they support the index.
  static var unavailableOnPostgreSQL: String? { get }

  /// Throws if no index can be created from the definition. Called before anything is changed.
  func check() throws

  /// Changes an existing index to this definition without rebuilding it.
  ///
  /// - Returns: whether the index now has this definition and is up to date. If false, nothing was changed.
  func adopt(_ existing: Index, in change: IndexChange) throws -> Bool

  /// Creates an index and fills it.
  func create(_ name: String, in change: IndexChange) throws
}

extension StoredIndexDefinition {
  static var unavailableOnPostgreSQL: String? { nil }
  func check() throws {}

  /// Adopts an index of any kind; returns false if the kind is not ``Index``.
  func adopt(any existing: any StoredIndex, in change: IndexChange) throws -> Bool {
    guard let existing = existing as? Index else { return false }
    return try adopt(existing, in: change)
  }
}

/// A configuration of the public API that creates an index.
protocol StoredIndexConfiguration: IndexConfiguration, Codable {
  associatedtype Definition: StoredIndexDefinition

  /// A key of the configuration's JSON that distinguishes it from the configurations listed after it.
  static var distinctiveKey: String { get }

  /// Returns the definition that is stored.
  ///
  /// - Throws: ``CBLError`` if no index can be created from the configuration.
  func definition() throws -> Definition
}

/// Updates an index when documents of its collection change, within one transaction.
protocol StoredIndexWriter {
  /// Replaces the entries of a document that has been saved.
  func update(_ document: SavedDocument) throws
  /// Removes the entries of a document that has been deleted.
  func remove(_ document: StoredDocument, _ parser: JSONParser) throws
}

/// The dependencies of an index writer.
struct IndexWriterContext {
  let collection: CollectionRecord
  let transaction: WriteTransaction
  /// Must be called after the version of an index has changed in the catalog.
  let noteVersionChange: () throws -> Void
}

/// A saved document, as passed to index writers.
struct SavedDocument {
  let id: String
  let rowID: Int64
  let body: [UInt8]
  /// The document that was stored before; nil for a new one.
  let previous: StoredDocument?
  /// The entries that were computed before the save.
  let terms: [IndexedTerms]
  /// The row that was predicted for the entries; nil if none was.
  let predictedRow: Int64?
  /// The prediction run, which all indexes share; see ``QueryCompiler/PredictionRun``.
  let predictionRun: Int64
  let parser: JSONParser
}

/// The creation or change of an index in a write transaction.
struct IndexChange {
  let collection: Collection
  let transaction: WriteTransaction
  /// Called periodically with the number of indexed documents and the total number of documents; returns whether to
  /// continue.
  var progress: ((UInt64, UInt64) -> Bool)?
  /// Whether the index may omit documents that cannot be indexed now.
  var mayLackDocuments = false

  var record: CollectionRecord { collection.record }
  var db: GRDB.Database { transaction.db }

  /// Must be called before a virtual table is created: SQLite cannot continue a transaction in which the creation of a
  /// virtual table was rolled back to a savepoint.
  func willCreateVirtualTable() { collection.engine.didCreateIndex() }

  /// Must be called after the catalog has changed, before the index is filled.
  func catalogDidChange() throws { try collection.engine.catalogDidChange(in: transaction) }
}
