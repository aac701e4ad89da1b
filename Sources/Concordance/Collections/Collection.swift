import DocumentStore
import JSONText
import Synchronization

/// A set of documents with indexes of its own, in a ``Scope`` of a ``Database``.
///
/// ```swift
/// let hotels = try database.createCollection(name: "hotels", scope: "inventory")
/// try hotels.save(document: MutableDocument(id: "hotel_1", data: ["name": "Hotel Ghia"]))
/// try hotels.document(id: "hotel_1")?.string(forKey: "name")
/// ```
///
/// It may be used from any thread.
public final class Collection: Sendable {
  /// The name of the collection that every database has.
  public static let defaultCollectionName = "_default"

  /// The collection's name.
  public var name: String { record.name.name }

  /// The names of the scope and the collection, joined by a dot.
  public var fullName: String { record.name.description }

  /// The scope that it is in.
  public var scope: Scope { Scope(name: record.name.scope, database: database) }

  /// The database that it is in.
  public let database: Database

  let record: CollectionRecord
  var engine: DatabaseEngine { database.engine }

  init(_ record: CollectionRecord, in database: Database) {
    self.record = record
    self.database = database
  }

  /// The number of documents; 0 when the collection was deleted or the database is closed.
  ///
  /// - Complexity: O(1).
  public var count: UInt64 {
    let count = try? engine.store.documentCount(of: record)
    return UInt64(clamping: count ?? 0)
  }
}

extension Collection: Equatable, Hashable {
  /// Whether both are the same collection of the same ``Database`` object.
  public static func == (one: Collection, other: Collection) -> Bool {
    one.database === other.database && one.record.id == other.record.id
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(record.name) }
}

extension Collection: CustomStringConvertible {
  /// ``fullName``.
  public var description: String { fullName }
}
