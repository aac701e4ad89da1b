import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import TextIndex

/// The registry of the kinds of indexes. Add a new kind to ``standard``.
struct IndexKinds: Sendable {
  /// The index kinds that this library provides.
  static let standard = IndexKinds([
    FullTextIndexKind(), ValueIndexKind(), PatternIndexKind(), ViewIndexKind(),
  ])

  /// The kinds, in the order in which exports list their indexes.
  let all: [any IndexKind]

  init(_ all: [any IndexKind]) { self.all = all }

  /// The names of the kinds in the catalog.
  var catalogNames: Set<String> { Set(all.map(\.catalogName.rawValue)) }

  /// Returns the indexes of a collection, by kind and name.
  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [any StoredIndex] {
    func indexes(of kind: some IndexKind) throws -> [any StoredIndex] { try kind.indexes(of: collection, db) }
    return try all.flatMap { try indexes(of: $0) }
  }

  /// Returns whether an index may have to be rebuilt, judged by its catalog row alone. False for an unknown kind.
  func mayBeOutdated(kind name: String, version: String, definition: String) -> Bool {
    all.first { $0.catalogName.rawValue == name }?.mayBeOutdated(version: version, definition: definition) ?? false
  }

  /// Returns whether an object of a file's schema belongs to an index.
  func isIndexObject(_ object: SchemaObject) -> Bool {
    guard let sql = object.sql else { return false }
    return all.contains { $0.isStatement(sql, ofObject: object.name) }
  }

  /// Returns the type of an exported configuration; nil if the JSON is not a configuration.
  func configuration(of definition: JSONElement) -> (any StoredIndexConfiguration.Type)? {
    all.lazy.flatMap(\.configurations).first { definition[$0.distinctiveKey] != nil }
  }
}

/// The indexes of a collection in one state of the catalog. A class, because each search receives a cached one.
final class CollectionIndexes: Sendable {
  /// All indexes.
  let all: [any StoredIndex]
  /// The schema of the indexes for the query compiler.
  let schema: CollectionSchema
  /// The collection.
  let collection: CollectionRecord
  /// The search box languages for the full-text indexes, in the order of the schema.
  let searchBoxes: [SearchBox]

  init(_ all: [any StoredIndex], of collection: CollectionRecord) {
    self.collection = collection
    var schema = CollectionSchema(collection)
    for index in all { index.add(to: &schema) }
    self.all = all
    self.schema = schema
    searchBoxes = schema.fullTextIndexes.map { SearchBox(of: $0) }
  }

  /// Returns the search box language for a full-text index.
  func searchBox(of index: StoredFullTextIndex) -> SearchBox {
    zip(schema.fullTextIndexes, searchBoxes).first { $0.0.id == index.id }?.1 ?? SearchBox(of: index)
  }

  /// Returns the index with the given name; nil if it does not exist. Names are compared by their bytes.
  subscript(name: String) -> (any StoredIndex)? { all.first { $0.name.utf8.elementsEqual(name.utf8) } }
}
