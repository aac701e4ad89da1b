import DocumentStore
public import GRDB
public import JSONText
import PatternMatching
import SQLiteAccess
import TrigramIndex

/// Finds the candidate rows of a query with pattern indexes and other indexes when the query runs.
public struct CandidateFinder {
  private let query: CompiledQuery
  private let parameters: [ExactString: JSONValue]
  private let cached: Bool
  private let db: Database
  /// The maximum number of candidates; with more, reading all documents is as fast.
  private let limit: Int

  /// - Parameters:
  ///   - query: the query.
  ///   - parameters: the values of its parameters.
  ///   - cached: whether the connection caches the statements for later use.
  ///   - db: the connection.
  ///   - documentCount: the number of documents in the collection.
  public init(
    _ query: CompiledQuery, _ parameters: [ExactString: JSONValue], cached: Bool, _ db: Database, documentCount: Int64
  ) {
    self.query = query
    self.parameters = parameters
    self.cached = cached
    self.db = db
    limit = CandidateFinder.limit(documentCount: documentCount)
  }

  /// Returns the maximum number of useful candidates: a quarter of the documents, but at least 64.
  public static func limit(documentCount: Int64) -> Int { max(64, Int(clamping: documentCount / 4)) }

  /// Returns the candidate rows in ascending order; nil if the indexes exclude too few rows.
  public func rows() throws -> [Int64]? { try query.candidates.flatMap { try rows($0) } }

  private func rows(_ candidates: RowCandidates) throws -> [Int64]? {
    switch candidates {
    case .pattern(let probe):
      guard let trigrams = probe.trigrams(parameters) else { return nil }
      return try PatternCandidates(probe.index, db)
        .rows(for: trigrams.query, isWithinLines: trigrams.isWithinLines, limit: limit)
    case .rows(let sql): return try select(sql, limit)
    case .few(let sql, _): return try select(sql, min(limit, CandidateFinder.fewCandidates))
    case .all(let parts):
      var common: [Int64]?
      for part in parts {
        // Reading so few documents is faster than searching another index.
        if let common, common.count < CandidateFinder.fewRows { return common }
        guard let rows = try rows(part) else { continue }
        common = common.map { CandidateFinder.intersection($0, rows) } ?? rows
      }
      return common
    case .any(let parts):
      var union: Set<Int64> = []
      for part in parts {
        guard let rows = try rows(part) else { return nil }
        union.formUnion(rows)
        if union.count > limit { return nil }
      }
      return union.sorted()
    }
  }

  /// With fewer rows than this, no further index is searched.
  private static let fewRows = 16

  /// With more rows than this, reading the matches in the order of their rank is faster.
  private static let fewCandidates = 8192

  private func select(_ sql: String, _ limit: Int) throws -> [Int64]? {
    let statement = try SQLStatement(sql: sql, cached: cached, in: db)
    // The cached statement would otherwise keep the matches of full-text queries.
    defer { statement.clear() }
    try query.bind(parameters, to: statement, in: db)
    var rows: Set<Int64> = []
    while try statement.step() {
      rows.insert(statement.row.int64(0))
      if rows.count > limit { return nil }
    }
    return rows.sorted()
  }

  private static func intersection(_ one: [Int64], _ other: [Int64]) -> [Int64] {
    var common: [Int64] = []
    var (first, second) = (0, 0)
    while first < one.count, second < other.count {
      if one[first] == other[second] {
        common.append(one[first])
        (first, second) = (first + 1, second + 1)
      } else if one[first] < other[second] {
        first += 1
      } else {
        second += 1
      }
    }
    return common
  }
}
