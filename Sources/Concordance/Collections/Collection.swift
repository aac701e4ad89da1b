import DocumentStore
import GRDB
import SQLiteAccess

/// A named set of documents and their indexes, in a ``Scope`` of a ``Database``.
///
/// ```swift
/// let hotels = try database.createCollection(name: "hotels", scope: "inventory")
/// try hotels.save(document: MutableDocument(id: "hotel_1", data: ["name": "Hotel Ghia"]))
/// try hotels.document(id: "hotel_1")?.string(forKey: "name")
/// ```
///
/// Get a collection with ``Database/createCollection(name:scope:)``, ``Database/collection(name:scope:)`` or
/// ``Database/defaultCollection()``. A collection can be used from any thread. Its methods throw ``CBLError/notOpen``
/// after the database was closed or the collection was deleted.
///
/// ## Topics
///
/// ### Documents
///
/// - ``document(id:)``
/// - ``document(id:as:)``
/// - ``save(document:)``
/// - ``save(document:concurrencyControl:)``
/// - ``save(document:conflictHandler:)``
/// - ``save(document:conflictResolver:)``
/// - ``delete(document:)``
/// - ``delete(document:concurrencyControl:)``
/// - ``delete(document:conflictHandler:)``
/// - ``purge(document:)``
/// - ``purge(id:)``
/// - ``forEachDocument(_:)``
/// - ``count``
/// - ``createAllDocumentsQuery()``
/// - ``textSize()``
///
/// ### Search
///
/// - ``search(_:)-(SearchRequest)``
/// - ``search(_:)-(String)``
/// - ``search(like:limit:)``
/// - ``search(fusing:by:weights:limit:depth:)``
/// - ``count(matching:)``
/// - ``suggestions(for:field:index:limit:)``
/// - ``terms(beginningWith:index:order:limit:)``
/// - ``searchLines(_:including:sizeOf:transform:deliver:)``
///
/// ### Indexes
///
/// - ``createIndex(withName:config:)``
/// - ``createIndex(withName:config:progress:)``
/// - ``createIndex(_:name:)``
/// - ``deleteIndex(forName:)``
/// - ``rebuildIndex(forName:progress:)``
/// - ``optimizeIndex(forName:)``
/// - ``indexes()``
/// - ``indexSummaries()``
/// - ``indexDescriptions()``
/// - ``searchedIndexDescription(named:)``
/// - ``valueIndexDescriptions()``
/// - ``patternIndexDescriptions()``
///
/// ### Views
///
/// - ``view(named:)``
/// - ``views()``
///
/// ### Changes and expiration
///
/// - ``addChangeListener(queue:listener:)``
/// - ``addDocumentChangeListener(id:queue:listener:)``
/// - ``changes()``
/// - ``documentChanges(id:)``
/// - ``addSearchListener(_:queue:_:)``
/// - ``searchChanges(_:minimumInterval:)``
/// - ``searchDifferences(_:minimumInterval:)``
/// - ``liveList(of:)``
/// - ``setDocumentExpiration(id:expiration:)``
/// - ``getDocumentExpiration(id:)``
///
/// ### Tasks
///
/// - ``async``
public final class Collection: Sendable {
  /// The name of the default collection: `_default`.
  public static let defaultCollectionName = "_default"

  /// The name of the collection, without its scope.
  public var name: String { record.name.name }

  /// The name of the scope and the name of the collection: `inventory.hotels`.
  public var fullName: String { record.name.description }

  /// The scope of the collection.
  public var scope: Scope { Scope(name: record.name.scope, database: database) }

  /// The database of the collection.
  public let database: Database

  let record: CollectionRecord
  var engine: DatabaseEngine { database.engine }

  init(_ record: CollectionRecord, in database: Database) {
    self.record = record
    self.database = database
  }

  /// The number of documents, excluding tombstones; 0 if the collection was deleted or the database is closed.
  ///
  /// - Complexity: O(1).
  public var count: UInt64 {
    let count = try? engine.store.documentCount(of: record)
    return UInt64(clamping: count ?? 0)
  }

  /// Returns the total length of the JSON texts of all documents, in bytes. Tombstones are excluded.
  ///
  /// - Throws: ``CBLError``; ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  /// - Complexity: O(n) in the size of the collection, because every document is read.
  public func textSize() throws -> Int {
    try withPublicErrors {
      try engine.store.read { db in
        // SQLite's `length` counts the bytes of a BLOB, but the characters of a TEXT value up to the first NUL.
        try Int.fetchOne(
          db, sql: "SELECT sum(length(CAST(body AS BLOB))) FROM \(record.tableName.sqlIdentifier) WHERE deleted = 0")
          ?? 0
      }
    }
  }
}

extension Collection: Equatable, Hashable {
  /// Returns whether both objects refer to the same collection of the same ``Database`` object.
  public static func == (one: Collection, other: Collection) -> Bool {
    one.database === other.database && one.record.id == other.record.id
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(record.name) }
}

extension Collection: CustomStringConvertible {
  /// The ``fullName``.
  public var description: String { fullName }
}
