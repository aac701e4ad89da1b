import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel
import SQLiteAccess
import Synchronization
import TextIndex

/// Compiles a query once for each version of the catalog, and runs it any number of times on any thread.
final class QueryRunner: Sendable {
  let model: SelectQuery
  let engine: DatabaseEngine
  private let databaseName: String
  private let compiled = Mutex<(version: Int64, query: CompiledQuery)?>(nil)
  private let isRepeated = Mutex(false)
  /// See ``Query/timeout``.
  let timeout = Mutex<Duration?>(nil)

  init(_ model: SelectQuery, in database: Database) {
    self.model = model
    engine = database.engine
    databaseName = database.name
  }

  /// Calls `body` with every row.
  ///
  /// - Parameters:
  ///   - parameters: the values of the query's parameters.
  ///   - isStreaming: whether `body` may use the database.
  ///   - body: receives a row and returns whether to continue.
  /// - Returns: the compiled query.
  @discardableResult
  func run(
    _ parameters: [ExactString: JSONValue], isStreaming: Bool = false,
    _ body: (CompiledQuery, StatementRow) throws -> Bool
  ) throws -> CompiledQuery {
    try Deadline.run(timeout.withLock { $0 }, of: "query") {
      try runWithoutLimit(parameters, isStreaming: isStreaming, body)
    }
  }

  private func runWithoutLimit(
    _ parameters: [ExactString: JSONValue], isStreaming: Bool,
    _ body: (CompiledQuery, StatementRow) throws -> Bool
  ) throws -> CompiledQuery {
    // The compiled query shows whether helper threads can make the read faster.
    let mayUseThreads = try knownQuery() ?? engine.store.read { try compiled($0) }
    return try engine.store.readInParallel(hasHelpers: mayUseThreads.rowFilter != nil) { db, readerPool in
      let query = try compiled(db)
      // The connection caches a statement from its second run on. Otherwise a program that generates a new text for
      // every query would fill the memory with statements.
      let isRepeated = isRepeated.withLock { known in
        defer { known = true }
        return known
      }
      if query.readsBufferedIndexes { try engine.store.writeDeferred() }
      // While rows are streamed, `body` may run the same query, so the statement is not cached.
      let (statement, isScanning) = try statement(
        of: query, parameters, cached: isRepeated && !isStreaming, db, readerPool)
      // The bound values are valid only in this transaction.
      defer { statement.clear() }
      func steps() throws {
        while try query.step(statement) {
          guard try body(query, statement.row) else { break }
        }
      }
      if isScanning {
        try engine.store.scanning(db) { try steps() }
      } else {
        try steps()
      }
      return query
    }
  }

  /// The query as last compiled; nil if it has not been compiled yet.
  private func knownQuery() -> CompiledQuery? { compiled.withLock { $0?.query } }

  /// Returns the query compiled for the catalog of a connection.
  func compiled(_ db: GRDB.Database) throws -> CompiledQuery {
    let version = try CollectionCatalog.version(db)
    if let known = compiled.withLock({ $0 }), known.version == version, !engine.hasChangedCatalog { return known.query }
    let query = try compile(model, db)
    // Changes that only this transaction sees may be rolled back, and another transaction may use the version number
    // again.
    if !engine.hasChangedCatalog { compiled.withLock { $0 = (version, query) } }
    return query
  }

  /// Compiles another query for the catalog of a connection.
  func compile(_ model: SelectQuery, _ db: GRDB.Database) throws -> CompiledQuery {
    try SelectCompiler(
      collectionNames: { try QueryRunner.collectionNames(db) }, schema: { try self.schema($0, db) }
    )
    .compile(model)
  }

  /// The names by which queries can refer to collections.
  private static func collectionNames(_ db: GRDB.Database) throws -> [String] {
    try CollectionCatalog.all(db).map { collection in
      let name = collection.name
      return name.scope == CollectionName.defaultName ? name.name : "\(name)"
    }
  }

  private func schema(_ path: CollectionPath, _ db: GRDB.Database) throws -> CollectionSchema? {
    guard let record = try record(path, db) else { return nil }
    return try engine.schema(of: record, db)
  }

  /// The collection that a name in a query refers to.
  func record(_ path: CollectionPath, _ db: GRDB.Database) throws -> CollectionRecord? {
    if path == .standard { return try CollectionCatalog.find(.default, db) }
    guard let name = try? CollectionName(path.name, scope: path.scope ?? CollectionName.defaultName) else { return nil }
    if let found = try CollectionCatalog.find(name, db) { return found }
    // In early versions, a database was one collection, and queries referred to it by the name of the database.
    return path.scope == nil && path.name == databaseName ? try CollectionCatalog.find(.default, db) : nil
  }
}
