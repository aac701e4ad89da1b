import DocumentStore
import Foundation
import GRDB
public import QueryCompiler
import QueryModel

/// How a query is run. See ``Query/explanation()``.
public struct QueryExplanation: Sendable, Codable {
  /// The query as SQL++.
  public let query: String
  /// How each source is read, in the order of the query.
  public let steps: [QueryPlan.Step]
  /// The conditions that are tested on each row, in SQL++.
  public let filters: [String]
  /// Whether the rows are sorted after they are read, because no index has them in the order that is asked for.
  public let isSorted: Bool
  /// Whether rows are put into groups by sorting them, because no index has them in that order.
  public let isGroupedBySorting: Bool
  /// The statement of SQLite that is run.
  public let sql: String
  /// What SQLite says of it: the lines of `EXPLAIN QUERY PLAN`.
  public let sqlitePlan: [String]

  /// The explanation as a JSON object, with the names of these properties.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

extension QueryExplanation: CustomStringConvertible {
  /// The explanation in words.
  public var description: String {
    var lines = [query, ""]
    for step in steps {
      lines.append("\(step.source): \(step.words)")
      for index in step.unusedIndexes { lines.append("  index \"\(index.name)\" is not used: \(index.reason)") }
    }
    for filter in filters { lines.append("each row is tested: \(filter)") }
    if isGroupedBySorting { lines.append("rows are sorted to put them into groups") }
    if isSorted { lines.append("rows are sorted at the end: no index has their order") }
    lines += ["", "SQL", "  " + sql, "", "SQLite"] + sqlitePlan.map { "  " + $0 }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension QueryPlan.Step {
  fileprivate var words: String {
    let conditions = served.isEmpty ? "" : " for " + served.joined(separator: " AND ")
    let name = index.map { " \"\($0)\"" } ?? ""
    let documents = readsDocuments ? "" : "; no document is read"
    switch access {
    case .scan: return "every document of \(collection ?? "the collection") is read"
    case .documentID: return "looked up by document id\(conditions)"
    case .valueIndexSearch: return "value index\(name) is searched\(conditions)\(documents)"
    case .valueIndexScan: return "value index\(name) is read in its order\(documents)"
    case .arrayIndexSearch: return "array index\(name) is searched\(conditions)"
    case .fullTextIndex: return "full-text index\(name) is searched\(conditions)\(documents)"
    case .temporaryIndex:
      return "every document of \(collection ?? "the collection") is read into a temporary index\(conditions); "
        + "a value index would save that"
    case .elements: return "the elements of an array, for each row before"
    }
  }
}

extension Query {
  /// How the query is run, in words: which index serves which condition, what is read in full, and why an index is not used.
  ///
  /// ```swift
  /// print(try query.explain())
  /// ```
  ///
  /// - Throws: as ``execute()``; parameters need no values.
  public func explain() throws -> String { try explanation().description }

  /// How the query is run, for programs. ``QueryExplanation/json`` gives it as JSON.
  ///
  /// - Throws: as ``execute()``; parameters need no values.
  public func explanation() throws -> QueryExplanation {
    try withPublicErrors {
      let (compiled, plan) = try runner().explain()
      return QueryExplanation(
        query: description, steps: compiled.plan.steps, filters: compiled.plan.filters,
        isSorted: plan.contains { $0.hasPrefix("USE TEMP B-TREE FOR") && $0.hasSuffix("ORDER BY") },
        isGroupedBySorting: plan.contains { $0.hasPrefix("USE TEMP B-TREE FOR GROUP BY") }, sql: compiled.sql,
        sqlitePlan: plan)
    }
  }
}

extension QueryRunner {
  /// The compiled query, and what SQLite says of it.
  func explain() throws -> (CompiledQuery, [String]) {
    try engine.store.read { db in
      let query = try compiled(db)
      let rows = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + query.sql)
      return (query, rows.compactMap { $0["detail"] })
    }
  }
}
