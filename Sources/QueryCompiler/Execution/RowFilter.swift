public import DocumentStore
public import GRDB
public import JSONText
public import SQLiteAccess

/// The conditions on the first source of a query, which several threads test before the statement runs.
///
/// Each thread tests the documents of one range of rows after another. The statement then runs over the rows that
/// satisfy the conditions. This is useful if there are many documents and few of them satisfy the conditions, because
/// the documents that satisfy them are read twice.
public struct RowFilter: Sendable {
  /// The collection whose documents are tested.
  public let collection: CollectionRecord
  /// The first parameter after those of the query.
  let firstParameter: Int
  /// The conditions on the collection, whose alias is `t0`.
  let own: [String]
  /// The conditions on other sources.
  let others: [String]
  /// The statement without these conditions.
  let statement: StatementText

  /// SQL that selects the rows in an inclusive range that satisfy the conditions.
  private var selection: String {
    let range = "t0.rowid BETWEEN ?\(firstParameter) AND ?\(firstParameter + 1)"
    return "SELECT t0.rowid FROM \(collection.table) AS t0 WHERE \(SQLText.joined([range] + own, by: "AND"))"
  }

  /// SQL that selects the given rows that satisfy the conditions.
  private var candidateSelection: String {
    "SELECT t0.rowid FROM \(RowIDTableFunction.name)(?\(firstParameter)) AS r CROSS JOIN \(collection.table) AS t0 "
      + "ON t0.rowid = r.doc WHERE \(SQLText.joined(own, by: "AND"))"
  }

  /// SQL of the statement for the rows that satisfy the conditions.
  private var remainder: String {
    statement.sql(where: ["t0.rowid IN (\(RowIDBlob.selection(parameter: firstParameter)))"] + others)
  }

  /// The minimum number of documents for which several threads are faster than one.
  public static let minimumDocumentCount = 8192

  /// The maximum share of the tested documents that may satisfy the conditions; above it, reading the documents only
  /// once is faster.
  private static let maximumShare = 0.25
  /// The number of documents in a part.
  private static let partSize: Int64 = 2048
  /// The number of candidates in a part. It is lower because candidates may be large documents.
  private static let candidatePartSize = 64

  /// The minimum number of candidates for which several threads are faster than one.
  public static let minimumCandidateCount = 256

  /// Returns the rows that satisfy the conditions in ascending order; nil if there are too many of them for the filter
  /// to help.
  ///
  /// - Parameter cached: whether the connections cache the statement for later use.
  /// - Throws: ``QueryCompilationError`` if a function rejects its arguments, such as an invalid pattern.
  public func rows(
    of query: CompiledQuery, _ parameters: [ExactString: JSONValue], cached: Bool, _ db: Database,
    _ readerPool: ReaderPool
  ) throws -> [Int64]? {
    let selection = selection
    let ranges = try RowRanges(of: collection, size: RowFilter.partSize, db)
    var rows: [Int64] = []
    var tested = 0
    var isUseful = true
    try readerPool.map(count: ranges.count, on: db, state: { try ThreadStatement(selection, cached: cached, $0) }) {
      part, thread in
      let (first, last) = ranges[part]
      thread.statement.bind(Int32(firstParameter), first)
      thread.statement.bind(Int32(firstParameter + 1), last)
      return try self.rows(thread, of: query, parameters)
    } deliver: { found in
      rows += found
      tested += Int(RowFilter.partSize)
      isUseful = tested < 4 * Int(RowFilter.partSize) || Double(rows.count) <= Double(tested) * RowFilter.maximumShare
      return isUseful
    }
    return isUseful ? rows : nil
  }

  /// Returns the candidates that satisfy the conditions in ascending order.
  ///
  /// - Throws: as ``rows(of:_:cached:_:_:)``.
  public func rows(
    among candidates: [Int64], of query: CompiledQuery, _ parameters: [ExactString: JSONValue], cached: Bool,
    _ db: Database, _ readerPool: ReaderPool
  ) throws -> [Int64] {
    let candidateSelection = candidateSelection
    let size = RowFilter.candidatePartSize
    var rows: [Int64] = []
    let count = (candidates.count + size - 1) / size
    try readerPool.map(count: count, on: db, state: { try ThreadStatement(candidateSelection, cached: cached, $0) }) {
      part, thread in
      let blob = RowIDBlob.blob(of: Array(candidates[(part * size)..<min(candidates.count, (part + 1) * size)]))
      thread.statement.bind(Int32(firstParameter), copying: blob, asText: false)
      return try self.rows(thread, of: query, parameters)
    } deliver: {
      rows += $0
      return true
    }
    return rows
  }

  private func rows(
    _ thread: ThreadStatement, of query: CompiledQuery, _ parameters: [ExactString: JSONValue]
  ) throws -> [Int64] {
    let statement = thread.statement
    defer { statement.clear() }
    try query.bind(parameters, to: statement, in: thread.db)
    var rows: [Int64] = []
    while try query.step(statement) { rows.append(statement.row.int64(0)) }
    return rows
  }

  /// Returns the statement for the rows that satisfy the conditions. The rows are bound; the parameters of the query
  /// are not.
  ///
  /// - Parameter cached: whether the connection caches the statement for later use.
  public func statement(over rows: [Int64], cached: Bool, in db: Database) throws -> SQLStatement {
    let statement = try QueryCompilationError.convertingLimitErrors {
      try SQLStatement(sql: remainder, cached: cached, in: db)
    }
    statement.bind(Int32(firstParameter), copying: RowIDBlob.blob(of: rows), asText: false)
    return statement
  }
}

/// A statement of one thread, which tests one part of the rows after another.
private struct ThreadStatement {
  let statement: SQLStatement
  let db: Database

  init(_ sql: String, cached: Bool, _ db: Database) throws {
    statement = try QueryCompilationError.convertingLimitErrors {
      try SQLStatement(sql: sql, cached: cached, in: db)
    }
    self.db = db
  }
}
