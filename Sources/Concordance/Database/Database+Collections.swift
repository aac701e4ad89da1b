import DocumentStore
import QueryCompiler
import TextIndex
import TrigramIndex

extension Database {
  /// The scope that every database has.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func defaultScope() throws -> Scope {
    try withPublicErrors { try engine.store.requireOpen() }
    return Scope(name: Database.defaultScopeName, database: self)
  }

  /// The scopes that hold collections, and the default one, by name.
  public func scopes() throws -> [Scope] {
    let names = try records().map(\.name.scope) + [Database.defaultScopeName]
    return Set(names).sorted().map { Scope(name: $0, database: self) }
  }

  /// The scope with this name, or nil when it holds no collection.
  public func scope(name: String) throws -> Scope? { try scopes().first { $0.name == name } }

  /// The collection that every database has.
  ///
  /// - Throws: ``CBLError/notFound`` when it was deleted.
  public func defaultCollection() throws -> Collection {
    guard let collection = try collection(name: Database.defaultCollectionName) else {
      throw CBLError(CBLError.notFound, "the default collection was deleted")
    }
    return collection
  }

  /// The collections of a scope, by name.
  public func collections(scope: String? = defaultScopeName) throws -> [Collection] {
    let scope = scope ?? Database.defaultScopeName
    return try records().filter { $0.name.scope == scope }.map { Collection($0, in: self) }
  }

  /// The collection with this name, created when there is none.
  ///
  /// - Parameters:
  ///   - name: 1 to 251 of `A-Z a-z 0-9 _ - %`, not beginning with `_` or `%`. Case matters.
  ///   - scope: likewise.
  /// - Throws: ``CBLError/invalidParameter`` for a name that is not allowed.
  public func createCollection(name: String, scope: String? = defaultScopeName) throws -> Collection {
    try withPublicErrors {
      let name = try CollectionName(name, scope: scope ?? Database.defaultScopeName)
      return try engine.write { transaction in
        if let existing = try CollectionCatalog.find(name, transaction.db) { return Collection(existing, in: self) }
        let record = try transaction.createCollection(name)
        try engine.catalogDidChange(in: transaction)
        return Collection(record, in: self)
      }
    }
  }

  /// The collection with this name, or nil.
  public func collection(name: String, scope: String? = defaultScopeName) throws -> Collection? {
    try withPublicErrors {
      let name = try CollectionName(name, scope: scope ?? Database.defaultScopeName)
      return try engine.store.read { try CollectionCatalog.find(name, $0) }.map { Collection($0, in: self) }
    }
  }

  /// Deletes a collection with its documents and indexes; does nothing when there is none.
  ///
  /// - Throws: ``CBLError/invalidParameter`` for the default collection, which every database has.
  public func deleteCollection(name: String, scope: String? = defaultScopeName) throws {
    try withPublicErrors {
      let name = try CollectionName(name, scope: scope ?? Database.defaultScopeName)
      guard name != .default else {
        throw CBLError(
          CBLError.invalidParameter, "the default collection cannot be deleted; delete or purge its documents")
      }
      try engine.write { transaction in
        guard let record = try CollectionCatalog.find(name, transaction.db) else { return }
        let schema = try engine.schema(of: record, transaction.db)
        for index in schema.fullTextIndexes { try FullTextCatalog.drop(index, transaction.db) }
        for index in schema.valueIndexes { try ValueIndexCatalog.drop(index, transaction.db) }
        for index in schema.patternIndexes { try PatternIndexCatalog.drop(index, transaction.db) }
        try transaction.deleteCollection(record)
        try engine.catalogDidChange(in: transaction)
      }
    }
  }

  private func records() throws -> [CollectionRecord] {
    try withPublicErrors { try engine.store.read { try CollectionCatalog.all($0) } }
  }
}
