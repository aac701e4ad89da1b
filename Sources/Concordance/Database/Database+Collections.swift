import DocumentStore

extension Database {
  /// Returns the scope `_default`, which every database has.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func defaultScope() throws -> Scope {
    try withPublicErrors { try engine.store.requireOpen() }
    return Scope(name: Database.defaultScopeName, database: self)
  }

  /// Returns the scopes that contain collections, and the default scope, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  /// - Complexity: O(n) in the number of collections.
  public func scopes() throws -> [Scope] {
    let names = try records().map(\.name.scope) + [Database.defaultScopeName]
    return Set(names).sorted().map { Scope(name: $0, database: self) }
  }

  /// Returns the scope with a name.
  ///
  /// - Parameter name: the name of the scope. Case matters.
  /// - Returns: the scope; nil if it contains no collection. The default scope always exists.
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func scope(name: String) throws -> Scope? { try scopes().first { $0.name == name } }

  /// Returns the collection `_default._default`, which every database has.
  ///
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if the collection was deleted.
  ///   - ``CBLError/notOpen`` if the database is closed.
  public func defaultCollection() throws -> Collection {
    guard let collection = try collection(name: Database.defaultCollectionName) else {
      throw CBLError(CBLError.notFound, "the default collection was deleted")
    }
    return collection
  }

  /// Returns the collections of a scope, sorted by name.
  ///
  /// ```swift
  /// for collection in try database.collections(scope: "inventory") {
  ///   print(collection.name, collection.count)
  /// }
  /// ```
  ///
  /// - Parameter scope: the name of the scope; nil for the default scope.
  /// - Returns: the collections; empty for a scope that does not exist.
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func collections(scope: String? = defaultScopeName) throws -> [Collection] {
    let scope = scope ?? Database.defaultScopeName
    return try records().filter { $0.name.scope == scope }.map { Collection($0, in: self) }
  }

  /// Returns the collection with a name, and creates it if it does not exist.
  ///
  /// ```swift
  /// let hotels = try database.createCollection(name: "hotels", scope: "inventory")
  /// print(hotels.fullName)  // inventory.hotels
  /// ```
  ///
  /// - Parameters:
  ///   - name: 1 to 251 of the characters `A-Z a-z 0-9 _ - %`, not beginning with `_` or `%`. Case matters.
  ///   - scope: the name of the scope, with the same characters; nil for the default scope. The scope is created, too.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for a name that is not allowed.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/busy`` if another process is writing for longer than ``DatabaseConfiguration/busyTimeout``.
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

  /// Returns the collection with a name, or nil if it does not exist.
  ///
  /// - Parameters:
  ///   - name: the name of the collection. Case matters.
  ///   - scope: the name of its scope; nil for the default scope.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for a name that is not allowed, see ``createCollection(name:scope:)``.
  ///   - ``CBLError/notOpen`` if the database is closed.
  public func collection(name: String, scope: String? = defaultScopeName) throws -> Collection? {
    try withPublicErrors {
      let name = try CollectionName(name, scope: scope ?? Database.defaultScopeName)
      return try engine.store.read { try CollectionCatalog.find(name, $0) }.map { Collection($0, in: self) }
    }
  }

  /// Deletes a collection with its documents and indexes. Does nothing if it does not exist.
  ///
  /// The scope ceases to exist with its last collection. ``Collection`` objects of a deleted collection throw
  /// ``CBLError/notOpen``.
  ///
  /// - Parameters:
  ///   - name: the name of the collection.
  ///   - scope: the name of its scope; nil for the default scope.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for the default collection, which cannot be deleted.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/busy`` if another process is writing for longer than ``DatabaseConfiguration/busyTimeout``.
  public func deleteCollection(name: String, scope: String? = defaultScopeName) throws {
    try withPublicErrors {
      let name = try CollectionName(name, scope: scope ?? Database.defaultScopeName)
      guard name != .default else {
        throw CBLError(
          CBLError.invalidParameter, "the default collection cannot be deleted; delete or purge its documents")
      }
      try engine.write { transaction in
        guard let record = try CollectionCatalog.find(name, transaction.db) else { return }
        for index in try engine.indexes(of: record, transaction.db).all { try index.drop(transaction.db) }
        try transaction.deleteCollection(record)
        try engine.catalogDidChange(in: transaction)
      }
    }
  }

  private func records() throws -> [CollectionRecord] {
    try withPublicErrors { try engine.store.read { try CollectionCatalog.all($0) } }
  }
}
