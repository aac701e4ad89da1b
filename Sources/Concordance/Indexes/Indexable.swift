/// A type that has indexes: ``Collection``.
public protocol Indexable {
  /// Returns the names of the indexes, sorted.
  ///
  /// - Throws: the same errors as ``Collection/indexes()``.
  func indexes() throws -> [String]
  /// Creates an index. See ``Collection/createIndex(withName:config:)``.
  ///
  /// - Parameters:
  ///   - name: the name of the index.
  ///   - config: the kind and definition of the index.
  /// - Throws: the same errors as ``Collection/createIndex(withName:config:)``.
  func createIndex(withName name: String, config: any IndexConfiguration) throws
  /// Creates an index from a definition made with ``IndexBuilder``. See ``Collection/createIndex(_:name:)``.
  ///
  /// - Parameters:
  ///   - index: the definition of the index.
  ///   - name: the name of the index.
  /// - Throws: the same errors as ``Collection/createIndex(_:name:)``.
  func createIndex(_ index: Index, name: String) throws
  /// Deletes an index. Does nothing if it does not exist.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: the same errors as ``Collection/deleteIndex(forName:)``.
  func deleteIndex(forName name: String) throws
  /// Returns the index with this name, or nil if it does not exist.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  func index(withName name: String) throws -> QueryIndex?
}

extension Collection: Indexable {
  /// Returns the index with the given name, or nil if it does not exist.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func index(withName name: String) throws -> QueryIndex? {
    try indexes().contains { $0.utf8.elementsEqual(name.utf8) } ? QueryIndex(collection: self, name: name) : nil
  }
}

/// A reference by name to an index of a collection.
public final class QueryIndex: Sendable {
  /// The collection of the index.
  public let collection: Collection
  /// The name of the index.
  public let name: String

  init(collection: Collection, name: String) {
    self.collection = collection
    self.name = name
  }
}
