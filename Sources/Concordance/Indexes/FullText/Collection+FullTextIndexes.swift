import DocumentStore
import GRDB
import QueryCompiler
import TextIndex

extension Collection {
  /// Returns the definitions and sizes of the collection's full-text indexes, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func indexDescriptions() throws -> [IndexDescription] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.fullTextIndexes(of: record, db).map { try IndexDescription($0, db) }
      }
    }
  }

  /// Returns the definition and size of the full-text index that a search uses.
  ///
  /// ```swift
  /// let fields = try notes.searchedIndexDescription().fields   // ["title", "text"]
  /// ```
  ///
  /// - Parameter name: the name of the index, as in ``SearchRequest/index``; nil for the only full-text index of the
  ///   collection, or the one with the name ``defaultFullTextIndexName``.
  /// - Throws: ``CBLError/missingIndex`` if there is no such index, or if there are several and none has the default
  ///   name; ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func searchedIndexDescription(named name: String? = nil) throws -> IndexDescription {
    try withPublicErrors {
      try engine.store.readIndexes { db in try IndexDescription(fullTextIndex(named: name, db), db) }
    }
  }

  /// The name of the full-text index that is searched if a collection has several and the request names none.
  /// `concord index` creates its index with this name.
  public static let defaultFullTextIndexName = "search"

  /// Returns the full-text index with this name; if the name is nil, the only full-text index of the collection, or the
  /// one with the name ``defaultFullTextIndexName``.
  func fullTextIndex(named name: String?, _ db: GRDB.Database) throws -> StoredFullTextIndex {
    try fullTextIndex(named: name, in: engine.indexes(of: record, db))
  }

  /// Returns the full-text index with this name among the indexes of the collection; if the name is nil, the only one,
  /// or the default.
  func fullTextIndex(named name: String?, in all: CollectionIndexes) throws -> StoredFullTextIndex {
    let indexes = all.schema.fullTextIndexes
    if name == nil, indexes.count == 1 { return indexes[0] }
    let names = indexes.map(\.name).joined(separator: ", ")
    guard let name = name ?? defaultName(indexes) else {
      throw CBLError(
        CBLError.missingIndex,
        indexes.isEmpty
          ? "the collection \(fullName) has no full-text index"
          : "the collection \(fullName) has several full-text indexes, none of them with the name "
            + "\"\(Collection.defaultFullTextIndexName)\"; specify one of \(names)")
    }
    guard let index = indexes.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      let isOther = all[name] != nil
      let reason =
        isOther
        ? "the index \"\(name)\" of the collection \(fullName) is not a full-text index"
        : "the collection \(fullName) has no full-text index \"\(name)\""
      throw CBLError(CBLError.missingIndex, reason + (names.isEmpty ? "" : "; it has \(names)"))
    }
    return index
  }

  private func defaultName(_ indexes: [StoredFullTextIndex]) -> String? {
    indexes.contains { $0.name == Collection.defaultFullTextIndexName } ? Collection.defaultFullTextIndexName : nil
  }
}

extension DatabaseEngine {
  /// Returns the full-text indexes of a collection as currently stored in the file.
  func fullTextIndexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [StoredFullTextIndex] {
    try schema(of: collection, db).fullTextIndexes
  }
}
