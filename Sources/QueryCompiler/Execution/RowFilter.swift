public import DocumentStore
public import GRDB
public import JSONText
public import SQLiteAccess

/// The conditions of a query on the documents of its first source, which several threads can test before the statement runs.
///
/// Each thread tests the documents of one range of rows after the other. The statement then runs over the rows that are left. It is
/// of use where documents are many and those that are left few: they are read twice.
public struct RowFilter: Sendable {
  /// The collection whose documents are tested.
  public let collection: CollectionRecord
  /// The first parameter behind those of the query.
  let firstParameter: Int
  /// The conditions on the collection, which is called `t0`.
  let own: [String]
  /// The conditions on other sources.
  let others: [String]
  /// What is around the conditions.
  let statement: StatementText

  /// Selects the rows between two, both included, that satisfy the conditions.
  private var selection: String {
    let range = "t0.rowid BETWEEN ?\(firstParameter) AND ?\(firstParameter + 1)"
    return "SELECT t0.rowid FROM \(collection.table) AS t0 WHERE \(SQLText.joined([range] + own, by: "AND"))"
  }

  /// Selects those of the given rows that satisfy the conditions.
  private var candidateSelection: String {
    "SELECT t0.rowid FROM \(RowIDTableFunction.name)(?\(firstParameter)) AS r CROSS JOIN \(collection.table) AS t0 "
      + "ON t0.rowid = r.doc WHERE \(SQLText.joined(own, by: "AND"))"
  }

  /// The statement for the rows that are left.
  private var remainder: String {
    statement.sql(where: ["t0.rowid IN (\(RowIDBlob.selection(parameter: firstParameter)))"] + others)
  }

  /// Documents below which one thread is as fast.
  public static let minimumDocumentCount = 8192

  /// Of those that were tested, the share that may be left: with more it is faster to read the documents once.
  private static let maximumShare = 0.25
  /// Documents of a part.
  private static let partSize: Int64 = 2048
  /// Candidates of a part, which may be large documents.
  private static let candidatePartSize = 64

  /// Candidates below which one thread is as fast.
  public static let minimumCandidateCount = 256

  /// The rows that satisfy the conditions, in their order; nil where they are too many to be of use.
  ///
  /// - Throws: ``QueryCompilationError`` for what a function refuses, such as a pattern that cannot be read.
  public func rows(
    of query: CompiledQuery, _ parameters: [String: JSONValue], _ db: Database, _ readerPool: ReaderPool
  ) throws -> [Int64]? {
    let selection = selection
    let ranges = try RowRanges(of: collection, size: RowFilter.partSize, db)
    var rows: [Int64] = []
    var tested = 0
    var isUseful = true
    try readerPool.map(count: ranges.count, on: db) { part, db in
      let (first, last) = ranges[part]
      return try self.rows(selection, from: first, to: last, of: query, parameters, db)
    } deliver: { found in
      rows += found
      tested += Int(RowFilter.partSize)
      isUseful = tested < 4 * Int(RowFilter.partSize) || Double(rows.count) <= Double(tested) * RowFilter.maximumShare
      return isUseful
    }
    return isUseful ? rows : nil
  }

  /// The rows among some candidates that satisfy the conditions, in their order.
  ///
  /// - Throws: as ``rows(of:_:_:_:)``.
  public func rows(
    among candidates: [Int64], of query: CompiledQuery, _ parameters: [String: JSONValue], _ db: Database,
    _ readerPool: ReaderPool
  ) throws -> [Int64] {
    let candidateSelection = candidateSelection
    let size = RowFilter.candidatePartSize
    var rows: [Int64] = []
    try readerPool.map(count: (candidates.count + size - 1) / size, on: db) { part, db in
      let statement = try SQLStatement(cached: candidateSelection, in: db)
      let blob = RowIDBlob.blob(of: Array(candidates[(part * size)..<min(candidates.count, (part + 1) * size)]))
      statement.bind(Int32(firstParameter), copying: blob, asText: false)
      return try self.rows(statement, of: query, parameters, db)
    } deliver: {
      rows += $0
      return true
    }
    return rows
  }

  private func rows(
    _ selection: String, from start: Int64, to end: Int64, of query: CompiledQuery, _ parameters: [String: JSONValue],
    _ db: Database
  ) throws -> [Int64] {
    let statement = try SQLStatement(cached: selection, in: db)
    statement.bind(Int32(firstParameter), start)
    statement.bind(Int32(firstParameter + 1), end)
    return try rows(statement, of: query, parameters, db)
  }

  private func rows(
    _ statement: SQLStatement, of query: CompiledQuery, _ parameters: [String: JSONValue], _ db: Database
  ) throws -> [Int64] {
    defer { statement.clear() }
    try query.bind(parameters, to: statement, in: db)
    var rows: [Int64] = []
    while try query.step(statement) { rows.append(statement.row.int64(0)) }
    return rows
  }

  /// The statement over the rows that are left, bound to all but the parameters of the query.
  ///
  /// - Parameter cached: whether the connection keeps it, to use it again.
  public func statement(over rows: [Int64], cached: Bool, in db: Database) throws -> SQLStatement {
    let statement = try QueryCompilationError.namingLimits {
      try cached ? SQLStatement(cached: remainder, in: db) : SQLStatement(sql: remainder, in: db)
    }
    statement.bind(Int32(firstParameter), copying: RowIDBlob.blob(of: rows), asText: false)
    return statement
  }
}
