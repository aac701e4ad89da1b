import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import SQLiteAccess

/// The access path of a query: how it finds its rows. `explain`, queries and streams call
/// ``QueryRunner/path(of:_:cached:_:)``.
enum QueryPath {
  /// Several threads test the documents, or the candidates of pattern indexes, before the statement runs.
  case threads(among: [Int64]?)
  /// The statement runs over the candidates of pattern indexes.
  case candidates([Int64])
  /// The statement finds its rows itself.
  case statement
}

extension QueryPath {
  /// The candidates of pattern indexes; nil if none is used, or if there are too many candidates.
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
  /// Returns the access path of a query for the database state that a connection sees.
  ///
  /// - Parameter cached: whether the connection caches the statements that find candidates.
  func path(
    of query: CompiledQuery, _ parameters: [ExactString: JSONValue], cached: Bool, _ db: GRDB.Database
  ) throws -> QueryPath {
    let rows = try candidates(query, parameters, cached: cached, db)
    if try benefitsFromThreads(query, rows, db) { return .threads(among: rows) }
    return rows.map { .candidates($0) } ?? .statement
  }

  /// Returns the statement that finds the rows of a query, bound, and whether it reads a whole collection.
  ///
  /// - Parameters:
  ///   - cached: whether the connections cache the statements for later runs.
  ///   - readerPool: the threads that test the documents, if there are many.
  func statement(
    of query: CompiledQuery, _ parameters: [ExactString: JSONValue], cached: Bool, _ db: GRDB.Database,
    _ readerPool: ReaderPool
  ) throws -> (statement: SQLStatement, isScanning: Bool) {
    let path = try path(of: query, parameters, cached: cached, db)
    var among: [Int64]?
    let statement: SQLStatement
    if let rows = try rows(path, query, parameters, cached: cached, db, readerPool), let filter = query.rowFilter {
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

  /// The rows that several threads find; nil if more threads do not help, or if too many rows would match.
  private func rows(
    _ path: QueryPath, _ query: CompiledQuery, _ parameters: [ExactString: JSONValue], cached: Bool,
    _ db: GRDB.Database, _ readerPool: ReaderPool
  ) throws -> [Int64]? {
    guard case .threads(let candidates) = path, let filter = query.rowFilter else { return nil }
    if let candidates {
      return try filter.rows(among: candidates, of: query, parameters, cached: cached, db, readerPool)
    }
    return try engine.store.scanning(db) { try filter.rows(of: query, parameters, cached: cached, db, readerPool) }
  }

  /// The candidates of pattern indexes for a query; nil if none is used, or if there are too many candidates.
  private func candidates(
    _ query: CompiledQuery, _ parameters: [ExactString: JSONValue], cached: Bool, _ db: GRDB.Database
  ) throws -> [Int64]? {
    // Other indexes may be searched as well, which requires the values of all parameters.
    guard let collection = query.candidates?.collection,
      query.parameterNames.allSatisfy({ parameters[$0] != nil })
    else { return nil }
    let count = try CollectionCatalog.documentCount(collection, db)
    return try CandidateFinder(query, parameters, cached: cached, db, documentCount: count ?? 0).rows()
  }

  /// Whether several threads would test the documents faster than one.
  private func benefitsFromThreads(
    _ query: CompiledQuery, _ rows: [Int64]?, _ db: GRDB.Database
  ) throws -> Bool {
    guard let filter = query.rowFilter, !engine.store.isWriting else { return false }
    if let rows { return rows.count >= RowFilter.minimumCandidateCount }
    return try CollectionCatalog.documentCount(filter.collection, db) >= RowFilter.minimumDocumentCount
  }
}
