import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import SQLiteAccess

/// How the rows of a query are found when it runs. `explain`, queries and streams ask ``QueryRunner/path(of:_:_:)``.
enum QueryPath {
  /// Several threads test the documents, or the rows that pattern indexes leave, before the statement runs.
  case threads(among: [Int64]?)
  /// The statement runs over the rows that pattern indexes leave.
  case candidates([Int64])
  /// The statement finds its rows itself.
  case statement
}

extension QueryPath {
  /// The rows that pattern indexes leave; nil if they are not asked, or leave too many.
  var candidates: [Int64]? {
    switch self {
    case .threads(let rows): rows
    case .candidates(let rows): rows
    case .statement: nil
    }
  }

  var usesSeveralThreads: Bool { if case .threads = self { true } else { false } }
}

extension QueryRunner {
  /// Returns how the rows of a query are found in the state that a connection sees.
  func path(of query: CompiledQuery, _ parameters: [String: JSONValue], _ db: GRDB.Database) throws -> QueryPath {
    let rows = try candidates(query, parameters, db)
    if try hasPartsForThreads(query, rows, db) { return .threads(among: rows) }
    return rows.map { .candidates($0) } ?? .statement
  }

  /// Returns the statement that finds the rows of a query, bound, and whether it reads a whole collection.
  ///
  /// - Parameters:
  ///   - cached: whether the connection keeps the statement, to use it again.
  ///   - readerPool: tests the documents, if they are many.
  func statement(
    of query: CompiledQuery, _ parameters: [String: JSONValue], cached: Bool, _ db: GRDB.Database,
    _ readerPool: ReaderPool
  ) throws -> (statement: SQLStatement, isScanning: Bool) {
    let path = try path(of: query, parameters, db)
    var among: [Int64]?
    let statement: SQLStatement
    if let rows = try rows(path, query, parameters, db, readerPool), let filter = query.rowFilter {
      statement = try filter.statement(over: rows, cached: cached, in: db)
    } else if let rows = path.candidates, let restricted = try query.statement(over: rows, cached: cached, in: db) {
      statement = restricted
    } else {
      among = path.candidates
      statement = try query.statement(cached: cached, in: db)
      try query.bind(parameters, to: statement, among: among, in: db)
      return (statement, query.plan.readsWholeCollection)
    }
    try query.bind(parameters, to: statement, in: db)
    return (statement, false)
  }

  /// The rows that several threads find; nil if they do not help, or would leave too many.
  private func rows(
    _ path: QueryPath, _ query: CompiledQuery, _ parameters: [String: JSONValue], _ db: GRDB.Database,
    _ readerPool: ReaderPool
  ) throws -> [Int64]? {
    guard case .threads(let candidates) = path, let filter = query.rowFilter else { return nil }
    if let candidates { return try filter.rows(among: candidates, of: query, parameters, db, readerPool) }
    return try engine.store.scanning(db) { try filter.rows(of: query, parameters, db, readerPool) }
  }

  /// The rows that pattern indexes leave of a query's documents; nil where they are not asked, or leave too many.
  private func candidates(
    _ query: CompiledQuery, _ parameters: [String: JSONValue], _ db: GRDB.Database
  ) throws -> [Int64]? {
    // Other indexes may be asked beside, which takes all values.
    guard let collection = query.candidates?.collection,
      query.parameterNames.allSatisfy({ parameters[$0] != nil })
    else { return nil }
    let count = try CollectionCatalog.documentCount(collection, db)
    return try CandidateFinder(query, parameters, db, documentCount: count ?? 0).rows()
  }

  /// Whether several threads would test the documents faster than one.
  private func hasPartsForThreads(
    _ query: CompiledQuery, _ rows: [Int64]?, _ db: GRDB.Database
  ) throws -> Bool {
    guard let filter = query.rowFilter, !engine.store.isWriting else { return false }
    if let rows { return rows.count >= RowFilter.minimumCandidateCount }
    return try CollectionCatalog.documentCount(filter.collection, db) >= RowFilter.minimumDocumentCount
  }
}
