import DocumentStore
import GRDB
import JSONText
import PatternMatching
import QueryCompiler
import QueryModel
import SQLiteAccess
import TrigramIndex

extension QueryExplanation {
  /// The use of a pattern index for a condition with LIKE, ILIKE, CONTAINS or a regular expression.
  public struct PatternCondition: Hashable, Sendable, Codable {
    /// The condition in SQL++.
    public let condition: String
    /// The name of the pattern index.
    public let index: String
    /// The trigram query of the pattern, which matching strings must satisfy: `("spin_" AND ("lock_" OR "unlock_"))`.
    /// `ALL` if the pattern requires no trigram; nil if its parameter does not have a string value.
    public let trigrams: String?
    /// The number of documents that satisfy the trigram query; nil if the index is not used.
    public let candidateCount: Int?
    /// The number of candidates for which the condition, or the ANY expression that contains it, is true.
    public let verifiedCount: Int?
    /// The reason why the index is not used for this condition; nil if it is used.
    public let unusedReason: String?
  }
}

extension QueryExplanation.PatternCondition: CustomStringConvertible {
  /// The condition in two lines.
  public var description: String {
    let trigrams = trigrams.map { "\n    trigrams: \($0)" } ?? ""
    if let unusedReason {
      return "  index \"\(index)\" is not used for \(condition): \(unusedReason)\(trigrams)"
    }
    return "  index \"\(index)\" for \(condition): candidates \(candidateCount ?? 0), "
      + "verified \(verifiedCount ?? 0)\(trigrams)"
  }
}

/// The use of pattern indexes and threads by a query.
struct PatternReport {
  var conditions: [QueryExplanation.PatternCondition] = []
  var documentCount: Int?
  var candidateCount: Int?
  var usesSeveralThreads = false
}

extension QueryRunner {
  /// Runs the trigram queries of the query and counts the candidates that match.
  func patternReport(
    _ query: CompiledQuery, _ parameters: [ExactString: JSONValue], _ db: GRDB.Database
  ) throws -> PatternReport {
    let path = try path(of: query, parameters, cached: false, db)
    var report = PatternReport(candidateCount: path.candidates?.count)
    report.usesSeveralThreads = path.usesSeveralThreads
    guard let probes = query.candidates?.probes, let collection = probes.first?.index.collection
    else { return report }
    let count = try CollectionCatalog.documentCount(collection, db) ?? 0
    report.documentCount = Int(count)
    report.conditions = try probes.map {
      try condition($0, parameters, CandidateFinder.limit(documentCount: count), db)
    }
    return report
  }

  private func condition(
    _ probe: PatternProbe, _ parameters: [ExactString: JSONValue], _ limit: Int, _ db: GRDB.Database
  ) throws -> QueryExplanation.PatternCondition {
    let trigrams = probe.trigrams(parameters)
    let rows = try trigrams.flatMap {
      try PatternCandidates(probe.index, db).rows(for: $0.query, isWithinLines: $0.isWithinLines, limit: limit)
    }
    var reason: String?
    if trigrams == nil {
      reason = "its pattern is a parameter without a string value"
    } else if trigrams?.query == .all {
      reason = "the pattern requires no trigram"
    } else if rows == nil {
      reason = "more than a quarter of the documents may match"
    }
    return QueryExplanation.PatternCondition(
      condition: probe.condition, index: probe.index.name, trigrams: trigrams?.query.description,
      candidateCount: rows?.count,
      verifiedCount: try rows.flatMap { try verifiedCount(probe, $0, parameters, db) },
      unusedReason: reason)
  }

  /// The number of rows for which a condition is true.
  private func verifiedCount(
    _ probe: PatternProbe, _ rows: [Int64], _ parameters: [ExactString: JSONValue], _ db: GRDB.Database
  ) throws -> Int? {
    let count = ResultColumn(.function(.count, [.everything(source: nil)]))
    let query = try compile(
      SelectQuery(columns: [count], sources: Array(model.sources.prefix(1)), filter: probe.test), db
    )
    guard query.parameterNames.allSatisfy({ parameters[$0] != nil }),
      let statement = try query.statement(over: rows, cached: false, in: db)
    else { return nil }
    defer { statement.reset() }
    try query.bind(parameters, to: statement, in: db)
    return try query.step(statement) ? Int(statement.row.int64(0)) : nil
  }
}
