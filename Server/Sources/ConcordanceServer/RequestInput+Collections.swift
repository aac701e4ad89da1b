import Concordance

// Finding the database and the collection that the path of a request names.

extension RequestInput {
  /// Returns the database named in the path.
  func database() throws -> Database {
    let name = variables["database"] ?? ""
    guard let database = server.databases[name] else {
      let names = server.databases.keys.sorted().joined(separator: ", ")
      throw Problem.notFound("there is no database \"\(name)\"; the databases are \(names)")
    }
    if database.isFileReplaced { throw Problem.replaced(database) }
    return database
  }

  /// Returns the elements of the path of a document in the collection named in the path.
  func documentPath(_ id: String) -> [String] {
    ["databases", variables["database"] ?? "", "collections", variables["collection"] ?? "", "documents", id]
  }

  /// Runs `body` with the collection named in the path, on one of the database's threads.
  func withCollection<T: Sendable>(
    _ body: @escaping @Sendable (Concordance.Collection) throws -> T
  ) async throws -> T {
    let name = variables["collection"] ?? ""
    let collections = server.collections
    return try await database().async.perform { database in
      try collections.with(name, in: database, body)
    }
  }

  /// Returns the collection named in the path after checking that it exists.
  func withExistingCollection() async throws -> Concordance.Collection {
    try await withCollection { collection in
      // Throws an error if the collection was deleted.
      _ = try collection.indexes()
      return collection
    }
  }

  /// Runs `body`. If it fails because the collection named in the path was deleted, the error is that of a request for
  /// a collection that does not exist.
  func reportingDeletedCollection<T: Sendable>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let error as CBLError {
      _ = try await withExistingCollection()
      throw error
    }
  }

  /// Runs `body` with the collection named in the path, in a transaction on the writing thread, so that requests
  /// waiting for another writer do not occupy threads that searches need. `body` must make only one change, because
  /// changes are not rolled back if it throws an error.
  func withCollectionForWriting<T: Sendable>(
    _ body: @escaping @Sendable (Concordance.Collection) throws -> T
  ) async throws -> T {
    let name = variables["collection"] ?? ""
    let (collections, database) = (server.collections, try database())
    // The result is unwrapped outside the batch, which would wrap errors thrown by the block.
    return try await database.async.inBatch {
      Swift.Result { try collections.with(name, in: database, body) }
    }.get()
  }

  static func collection(named name: String, in database: Database) throws -> Concordance.Collection {
    let (scope, collection) = try names(of: name)
    guard let found = try database.collection(name: collection, scope: scope) else {
      throw Problem.notFound("there is no collection \"\(name)\"")
    }
    return found
  }

  /// Splits `scope.name`. A name without a scope refers to the default scope.
  static func names(of name: String) throws -> (scope: String, collection: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    switch parts.count {
    case 1: return (Database.defaultScopeName, parts[0])
    case 2: return (parts[0], parts[1])
    default: throw Problem.invalidParameter("collection", "expected NAME or SCOPE.NAME, not \"\(name)\"")
    }
  }
}
