import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel
import SQLiteAccess
import TextIndex

/// The compiled condition of a search. Finds rows with the indexes of the collection, or tests given rows.
struct SearchCondition {
  private let all: CompiledQuery
  private let given: CompiledQuery
  private let parameters: [ExactString: JSONValue]
  private let documentCount: Int64

  /// The number of rows that a thread tests at a time.
  private static let partSize = 2048

  /// - Parameter other: a condition that must hold in addition to the filter.
  /// - Throws: ``CBLError`` if the condition is invalid.
  init?(
    _ filter: SearchFilter?, and other: QueryExpression? = nil, _ compiler: SearchCompiler, _ db: GRDB.Database
  ) throws {
    if filter == nil, other == nil { return nil }
    var query = try filter?.query(over: compiler.source) ?? SelectQuery(columns: [], sources: [compiler.source])
    let expressions = [query.filter, other].compactMap { $0 }
    query.filter = expressions.count > 1 ? .and(expressions) : expressions.first
    all = try compiler.compile(query, from: .documents)
    given = try compiler.compile(query, from: .given(rankedBy: compiler.index))
    parameters = filter?.parameters ?? [:]
    documentCount = try CollectionCatalog.documentCount(compiler.record.id, db) ?? 0
    try all.requireValues(of: parameters)
  }

  /// Whether indexes find only candidates, which must be tested.
  var testsCandidates: Bool { all.candidates?.probes.isEmpty == false }

  /// The matching rows in order, read from indexes; nil if no index applies or too many rows match.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows to read. The candidates of pattern indexes have their own limit.
  ///   - matches: the rows to intersect with the candidates of pattern indexes before these are tested.
  func indexedRows(limit: Int, _ matches: MatchSet, _ reading: SearchTransaction) throws -> [Int64]? {
    if testsCandidates {
      let finder = CandidateFinder(all, parameters, cached: false, reading.db, documentCount: documentCount)
      guard let candidates = try finder.rows() else { return nil }
      return try rows(among: matches.rows().filtered(among: candidates).rows, reading)
    }
    guard !all.plan.readsWholeCollection else { return nil }
    let statement = try all.statement(cached: false, in: reading.db)
    defer { statement.reset() }
    try all.bind(parameters, to: statement, in: reading.db)
    var rows: [Int64] = []
    while try all.step(statement) {
      guard rows.count < limit else { return nil }
      rows.append(statement.row.int64(0))
    }
    return rows.sorted()
  }

  /// Returns what is read from the server to evaluate the condition.
  func serverReading(_ db: GRDB.Database) throws -> ServerReading {
    let conditions = all.plan.filters
    if testsCandidates {
      return ServerReading(nil, notes: ["the client tests the candidates of pattern indexes"])
    }
    guard !all.plan.readsWholeCollection else {
      let text = conditions.joined(separator: " AND ")
      return ServerReading(nil, notes: ["the client tests the documents that match; no index evaluates \(text)"])
    }
    return ServerReading(try StatementPlan(of: all.sql, db), notes: [])
  }

  /// Returns the sorted `rows` for which the condition is true.
  func rows(among rows: [Int64], _ reading: SearchTransaction) throws -> [Int64] {
    guard let readerPool = reading.readerPool(forDocuments: rows.count) else { return try test(rows, reading.db) }
    let size = SearchCondition.partSize
    var passing: [Int64] = []
    try readerPool.map(count: (rows.count + size - 1) / size, on: reading.db) { part, db in
      try test(Array(rows[(part * size)..<min(rows.count, (part + 1) * size)]), db)
    } deliver: {
      passing += $0
      return true
    }
    return passing
  }

  private func test(_ rows: [Int64], _ db: GRDB.Database) throws -> [Int64] {
    let statement = try given.statement(cached: false, in: db)
    defer { statement.reset() }
    try given.bind(parameters, to: statement, given: MatchSet(MatchedRows(rows: rows)), in: db)
    var passing: [Int64] = []
    while try given.step(statement) { passing.append(statement.row.int64(0)) }
    return passing
  }
}

/// Compiles the condition and the sort order of a search.
final class SearchCompiler {
  let record: CollectionRecord
  /// The name of the index that is searched.
  let index: String
  let schema: CollectionSchema

  init(record: CollectionRecord, index: String, schema: CollectionSchema) {
    self.record = record
    self.index = index
    self.schema = schema
  }

  /// The collection as a source of a query.
  var source: QuerySource { QuerySource(.collection(CollectionPath(record.name))) }

  func compile(_ query: SelectQuery, from rows: SelectCompiler.RowSource) throws -> CompiledQuery {
    try SelectCompiler { [schema] _ in schema }.compileRows(of: query, from: rows)
  }

  /// The rows of all documents, in order.
  func allRows(_ db: GRDB.Database) throws -> [Int64] {
    try rows(of: SelectQuery(columns: [], sources: [source]), db).sorted()
  }

  /// The rows that a query without parameters finds, at most `limit`; all rows if `limit` is nil.
  func rows(of query: SelectQuery, limit: Int? = nil, _ db: GRDB.Database) throws -> [Int64] {
    var query = query
    query.limit = limit.map { .integer(Int64($0)) }
    let compiled = try compile(query, from: .documents)
    let statement = try compiled.statement(cached: false, in: db)
    defer { statement.reset() }
    try compiled.bind([:], to: statement, in: db)
    var rows: [Int64] = []
    while try compiled.step(statement) { rows.append(statement.row.int64(0)) }
    return rows
  }

  /// Returns a page of the matches, sorted by `order`.
  func sorted(
    _ matches: MatchSet, by order: SearchOrder, limit: Int, offset: Int, _ db: GRDB.Database
  ) throws -> [RankedRow] {
    var query = try order.query(over: source)
    query.limit = .integer(Int64(limit))
    query.offset = .integer(Int64(offset))
    let compiled = try compile(query, from: .given(rankedBy: index))
    let statement = try compiled.statement(cached: false, in: db)
    defer { statement.reset() }
    try compiled.bind([:], to: statement, given: matches, in: db)
    let all = try matches.scoredRows()
    var rows: [RankedRow] = []
    while try compiled.step(statement) {
      let row = statement.row.int64(0)
      rows.append(RankedRow(rowID: row, score: all.number(ofRow: row).map { all.score($0) } ?? 0))
    }
    return rows
  }
}
