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

  /// Returns the scope with the given name.
  ///
  /// ```swift
  /// let inventory = try database.scope(name: "inventory")
  /// ```
  ///
  /// - Parameter name: the name of the scope. Names are case-sensitive.
  /// - Returns: the scope, or nil if it contains no collection. The default scope always exists.
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func scope(name: String) throws -> Scope? { try scopes().first { $0.name == name } }

  /// Returns the collection `_default._default`. It is created when a database is first opened for writing.
  ///
  /// ```swift
  /// let collection = try database.defaultCollection()
  /// ```
  ///
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if the database was opened for reading only and has no default collection.
  ///   - ``CBLError/notOpen`` if the database is closed.
  public func defaultCollection() throws -> Collection {
    guard let collection = try collection(name: Database.defaultCollectionName) else {
      throw CBLError(
        CBLError.notFound, "\(name): there is no default collection; open the database once for writing to create it")
    }
    return collection
  }

  /// Returns the collections of all scopes, sorted by scope and name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  func allCollections() throws -> [Collection] { try scopes().flatMap { try $0.collections() } }

  /// Returns the collections of a scope, sorted by name.
  ///
  /// ```swift
  /// for collection in try database.collections(scope: "inventory") {
  ///   print(collection.name, collection.count)
  /// }
  /// ```
  ///
  /// - Parameter scope: the name of the scope; nil for the default scope.
  /// - Returns: the collections; an empty array if the scope does not exist.
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func collections(scope: String? = defaultScopeName) throws -> [Collection] {
    let scope = scope ?? Database.defaultScopeName
    return try records().filter { $0.name.scope == scope }.map { Collection($0, in: self) }
  }

  /// Returns the collection with the given name, and creates it if it does not exist.
  ///
  /// ```swift
  /// let hotels = try database.createCollection(name: "hotels", scope: "inventory")
  /// print(hotels.fullName)  // inventory.hotels
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name: 1 to 251 characters of `A-Z a-z 0-9 _ - %`, the first of which is not `_` or `%`. Names are
  ///     case-sensitive.
  ///   - scope: the name of the scope, which follows the same rules; nil for the default scope. A scope is created with
  ///     its first collection.
  /// - Returns: the new collection, or the existing one.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if a name breaks these rules.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/busy`` if another process holds the write lock for longer than
  ///     ``DatabaseConfiguration/busyTimeout``.
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

  /// Returns the collection with the given name.
  ///
  /// ```swift
  /// if let hotels = try database.collection(name: "hotels", scope: "inventory") { print(hotels.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the collection. Names are case-sensitive.
  ///   - scope: the name of its scope; nil for the default scope.
  /// - Returns: the collection, or nil if it does not exist.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if a name breaks the rules of ``createCollection(name:scope:)``.
  ///   - ``CBLError/notOpen`` if the database is closed.
  public func collection(name: String, scope: String? = defaultScopeName) throws -> Collection? {
    try withPublicErrors {
      let name = try CollectionName(name, scope: scope ?? Database.defaultScopeName)
      return try engine.store.read { try CollectionCatalog.find(name, $0) }.map { Collection($0, in: self) }
    }
  }

  /// Deletes a collection with its documents and indexes. Does nothing if it does not exist.
  ///
  /// A scope disappears when its last collection is deleted. Calls on a ``Collection`` object of a deleted collection
  /// throw ``CBLError/notOpen``.
  ///
  /// ```swift
  /// try database.deleteCollection(name: "hotels", scope: "inventory")
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the collection.
  ///   - scope: the name of its scope; nil for the default scope.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for the default collection, which cannot be deleted.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/busy`` if another process holds the write lock for longer than
  ///     ``DatabaseConfiguration/busyTimeout``.
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
