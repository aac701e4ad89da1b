import DocumentStore
public import GRDB
public import JSONText
import PatternMatching
import SQLiteAccess
import TrigramIndex

/// Asks the indexes for the rows that a query's patterns may match.
public struct CandidateFinder {
  private let query: CompiledQuery
  private let parameters: [String: JSONValue]
  private let db: Database
  /// How many rows are of use.
  private let limit: Int

  /// - Parameters:
  ///   - query: the query.
  ///   - parameters: the values of its parameters.
  ///   - db: the connection.
  ///   - documentCount: the documents of the collection: where more than a quarter may match, reading all is as fast.
  public init(_ query: CompiledQuery, _ parameters: [String: JSONValue], _ db: Database, documentCount: Int64) {
    self.query = query
    self.parameters = parameters
    self.db = db
    limit = CandidateFinder.limit(documentCount: documentCount)
  }

  /// How many rows an index may leave to be of use: a quarter of the documents.
  public static func limit(documentCount: Int64) -> Int { max(64, Int(clamping: documentCount / 4)) }

  /// The rows, sorted; nil where the indexes say too little to be of use.
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
        // What is left is quicker read than another index asked.
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

  private static let fewRows = 16

  /// With more rows than these it is faster to go over the best matches.
  private static let fewCandidates = 8192

  private func select(_ sql: String, _ limit: Int) throws -> [Int64]? {
    let statement = try SQLStatement(cached: sql, in: db)
    defer { statement.reset() }
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
