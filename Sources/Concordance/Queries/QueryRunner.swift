import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel
import SQLiteAccess
import Synchronization
import TextIndex

/// Runs a query: compiles it once for each state of the catalog, and runs it any number of times, in any thread.
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
  ///   - body: returns whether to go on.
  /// - Returns: the query as it was compiled.
  @discardableResult
  func run(
    _ parameters: [String: JSONValue], isStreaming: Bool = false,
    _ body: (CompiledQuery, StatementRow) throws -> Bool
  ) throws -> CompiledQuery {
    try Deadline.run(timeout.withLock { $0 }, of: "query") {
      try runWithoutLimit(parameters, isStreaming: isStreaming, body)
    }
  }

  private func runWithoutLimit(
    _ parameters: [String: JSONValue], isStreaming: Bool,
    _ body: (CompiledQuery, StatementRow) throws -> Bool
  ) throws -> CompiledQuery {
    let done = try engine.store.read { db -> CompiledQuery? in
      let query = try compiled(db)
      let rows = try candidates(query, parameters, db)
      if try !isStreaming && hasPartsForThreads(query, rows, db) { return nil }
      // A statement that is run again is kept by the connection. One that runs once is not: programs that make a new text
      // for every query would fill the memory.
      let isRepeated = isRepeated.withLock { known in
        defer { known = true }
        return known
      }
      // While rows are handed out one by one, the same query may run inside.
      let isCached = isRepeated && !isStreaming
      let restricted = try rows.flatMap { try query.statement(over: $0, cached: isCached, in: db) }
      let statement = try restricted ?? query.statement(cached: isCached, in: db)
      let isScanning = restricted == nil && query.plan.readsWholeCollection && !isStreaming
      try run(query, statement, parameters, among: restricted == nil ? rows : nil, isScanning: isScanning, db, body)
      return query
    }
    return try done ?? runInParallel(parameters, body)
  }

  /// The rows that pattern indexes leave of a query's documents; nil where they are not asked, or leave too many.
  func candidates(
    _ query: CompiledQuery, _ parameters: [String: JSONValue], _ db: GRDB.Database
  ) throws -> [Int64]? {
    guard let collection = query.candidates?.collection else { return nil }
    let count = try CollectionCatalog.documentCount(collection, db)
    return try CandidateFinder(query, parameters, db, documentCount: count ?? 0).rows()
  }

  /// Whether several threads would test the documents faster than one.
  func hasPartsForThreads(_ query: CompiledQuery, _ rows: [Int64]?, _ db: GRDB.Database) throws -> Bool {
    guard let filter = query.rowFilter, !engine.store.isWriting else { return false }
    if let rows { return rows.count >= RowFilter.minimumCandidateCount }
    return try CollectionCatalog.documentCount(filter.collection, db) >= RowFilter.minimumDocumentCount
  }

  private func runInParallel(
    _ parameters: [String: JSONValue], _ body: (CompiledQuery, StatementRow) throws -> Bool
  ) throws -> CompiledQuery {
    try engine.store.readInParallel { db, readerPool in
      let query = try compiled(db)
      let candidates = try candidates(query, parameters, db)
      let rows = try query.rowFilter.flatMap { filter in
        if let candidates { return try filter.rows(among: candidates, of: query, parameters, db, readerPool) }
        return try engine.store.scanning(db) { try filter.rows(of: query, parameters, db, readerPool) }
      }
      if let rows, let filter = query.rowFilter {
        try run(query, filter.statement(over: rows, in: db), parameters, isScanning: false, db, body)
      } else {
        let statement = try query.statement(cached: false, in: db)
        try run(query, statement, parameters, isScanning: query.plan.readsWholeCollection, db, body)
      }
      return query
    }
  }

  private func run(
    _ query: CompiledQuery, _ statement: SQLStatement, _ parameters: [String: JSONValue],
    among candidates: [Int64]? = nil, isScanning: Bool,
    _ db: GRDB.Database, _ body: (CompiledQuery, StatementRow) throws -> Bool
  ) throws {
    // What is bound belongs to the transaction.
    defer { statement.clear() }
    if !query.fullTextIndexes.isEmpty { try engine.store.writeDeferred() }
    try query.bind(parameters, to: statement, among: candidates, in: db)
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
  }

  /// The query as it is compiled for the catalog of a connection.
  func compiled(_ db: GRDB.Database) throws -> CompiledQuery {
    let version = try CollectionCatalog.version(db)
    if let known = compiled.withLock({ $0 }), known.version == version, !engine.hasChangedCatalog { return known.query }
    let query = try compile(model, db)
    // What a transaction sees of its own changes may be rolled back, and the version number be used again by another.
    if !engine.hasChangedCatalog { compiled.withLock { $0 = (version, query) } }
    return query
  }

  /// Another query, compiled for the catalog of a connection.
  func compile(_ model: SelectQuery, _ db: GRDB.Database) throws -> CompiledQuery {
    try SelectCompiler(
      collectionNames: { try QueryRunner.collectionNames(db) }, schema: { try self.schema($0, db) }
    )
    .compile(model)
  }

  /// The collections as a query names them.
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

  /// The collection that a query means.
  func record(_ path: CollectionPath, _ db: GRDB.Database) throws -> CollectionRecord? {
    if path == .standard { return try CollectionCatalog.find(.default, db) }
    guard let name = try? CollectionName(path.name, scope: path.scope ?? CollectionName.defaultName) else { return nil }
    if let found = try CollectionCatalog.find(name, db) { return found }
    // A database was one collection once, and queries named it.
    return path.scope == nil && path.name == databaseName ? try CollectionCatalog.find(.default, db) : nil
  }
}
