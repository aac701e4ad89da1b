import DocumentStore
import Foundation
import JSONText
public import QueryCompiler
import QueryModel
import SQLiteAccess

/// The plan of a query: how each source is read, and which indexes are used. See ``Query/explanation()``.
///
/// ```swift
/// for step in try query.explanation().steps { print(step.source, step.access, step.index ?? "no index") }
/// ```
public struct QueryExplanation: Sendable, Codable {
  /// How the rows of a source are found.
  public typealias Access = QueryPlan.Access

  /// An index that is not used.
  public typealias UnusedIndex = QueryPlan.UnusedIndex

  /// How one source is read.
  public struct Step: Hashable, Sendable, Codable {
    /// The name of the source in the query.
    public let source: String
    /// The name of its collection; nil for the elements of an array.
    public let collection: String?
    /// How its rows are found.
    public let access: Access
    /// The name of the index that is used; several names are separated by commas.
    public let index: String?
    /// The conditions that the index evaluates, in SQL++.
    public let indexedConditions: [String]
    /// The names of predictive indexes from which outputs are read, so that no model is called.
    public let predictionIndexes: [String]
    /// Whether documents are read. They are not if an index contains everything that the query needs.
    public let readsDocuments: Bool
    /// The indexes of the collection that are not used for this source.
    public let unusedIndexes: [UnusedIndex]
    /// The conditions with patterns, and the pattern indexes for them.
    public let patterns: [PatternCondition]
    /// The number of documents of the collection, if pattern indexes are considered.
    public let documentCount: Int?
    /// The number of documents to read after pattern indexes have been searched; nil if none is used.
    public let candidateCount: Int?
  }

  /// The query as SQL++.
  public let query: String
  /// How each source is read, in the order of the query.
  public let steps: [Step]
  /// The conditions that are tested on each row, in SQL++.
  public let filters: [String]
  /// Warnings about parts of the query whose meaning may differ from the intended one.
  public let notes: [String]
  /// Whether several threads test the documents.
  public let usesSeveralThreads: Bool
  /// Whether the rows are sorted, because no index provides the requested order.
  public let isSorted: Bool
  /// Whether the rows are sorted for grouping, because no index provides the order of the groups.
  public let isGroupedBySorting: Bool
  /// The SQLite statement that is run.
  public let sql: String
  /// The lines of SQLite's `EXPLAIN QUERY PLAN` for the statement.
  public let sqlitePlan: [String]
  /// What is read from the server; nil for a database in a file.
  public internal(set) var server: ServerReading?

  /// The explanation as a JSON object, whose keys are the names of these properties.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

extension QueryExplanation {
  /// The collections that are transferred as a whole.
  fileprivate var transfers: [String] {
    steps.compactMap { step in
      guard step.access == .scan && step.candidateCount == nil || step.access == .temporaryIndex else { return nil }
      return step.collection.map { ServerReading.note(readingAllOf: $0, testing: filters) }
    }
  }
}

extension QueryExplanation: CustomStringConvertible {
  /// The explanation as text.
  public var description: String {
    var lines = [query, ""]
    for step in steps {
      lines.append("\(step.source): \(step.summary)")
      // The wording of SQLite's plans: Couchbase Lite prints it, and programs search for it.
      lines += step.usedIndexes.map { "  USING INDEX \($0)" }
      for index in step.predictionIndexes {
        lines.append("  predictions are read from index \"\(index)\"; no model is called")
      }
      lines += step.patterns.map(\.description)
      for index in step.unusedIndexes { lines.append("  index \"\(index.name)\" is not used: \(index.reason)") }
    }
    lines += notes.map { "note: \($0)" }
    for filter in filters { lines.append("each row is tested: \(filter)") }
    if usesSeveralThreads { lines.append("several threads test the documents") }
    if isGroupedBySorting { lines.append("rows are sorted for grouping") }
    if isSorted { lines.append("rows are sorted at the end: no index provides their order") }
    lines += ["", "SQL", "  " + sql, "", "SQLite"] + sqlitePlan.map { "  " + $0 }
    if let server { lines += ["", "PostgreSQL"] + server.lines.map { "  " + $0 } }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension QueryExplanation.Step {
  fileprivate init(_ step: QueryPlan.Step, _ report: PatternReport?) {
    source = step.source
    collection = step.collection
    access = step.access
    index = step.index
    indexedConditions = step.indexedConditions
    predictionIndexes = step.predictionIndexes
    readsDocuments = step.readsDocuments
    unusedIndexes = step.unusedIndexes
    patterns = report?.conditions ?? []
    documentCount = report?.documentCount
    candidateCount = report?.candidateCount
  }

  /// The indexes of the collection that are read.
  fileprivate var usedIndexes: [String] {
    let indexes: [String]
    switch access {
    case .scan, .documentID, .metadataSearch, .temporaryIndex, .elements: indexes = []
    case .indexUnion: indexes = index.map { $0.components(separatedBy: ", ") } ?? []
    case .valueIndexSearch, .valueIndexScan, .valueIndexEnd, .arrayIndexSearch, .fullTextIndex:
      indexes = index.map { [$0] } ?? []
    }
    return indexes + predictionIndexes
  }

  fileprivate var summary: String {
    let conditions = indexedConditions.isEmpty ? "" : " for " + indexedConditions.joined(separator: " AND ")
    let name = index.map { " \"\($0)\"" } ?? ""
    let documents = readsDocuments ? "" : "; no document is read"
    switch access {
    case .scan where candidateCount != nil:
      return "\(candidateCount ?? 0) of \(documentCount ?? 0) documents of \(collection ?? "the collection") are read"
    case .scan: return "every document of \(collection ?? "the collection") is read"
    case .documentID: return "looked up by document id\(conditions)"
    case .valueIndexSearch: return "value index\(name) is searched\(conditions)\(documents)"
    case .valueIndexScan: return "value index\(name) is read in index order\(documents)"
    case .valueIndexEnd: return "one end of value index\(name) is read\(conditions)\(documents)"
    case .metadataSearch: return "the index of \(index ?? "") is searched\(conditions)"
    case .indexUnion: return "the indexes \(index ?? "") are searched\(conditions)"
    case .arrayIndexSearch: return "array index\(name) is searched\(conditions)"
    case .fullTextIndex: return "full-text index\(name) is searched\(conditions)\(documents)"
    case .temporaryIndex:
      return "every document of \(collection ?? "the collection") is read into a temporary index\(conditions); "
        + "a value index would avoid this"
    case .elements: return "the elements of an array are read for each row of the preceding sources"
    }
  }
}

extension Query {
  /// Returns a description of how the query is run: which index is used for which condition, which sources are fully
  /// scanned, and why an index is not used.
  ///
  /// ```swift
  /// print(try query.explain())
  /// ```
  ///
  /// - Throws: the same errors as ``execute()``. Parameters do not need values.
  /// - Complexity: the query does not run, but the candidates of pattern indexes are read to count those that match.
  public func explain() throws -> String { try explanation().description }

  /// Returns how the query is run, as a value for programs. ``QueryExplanation/json`` returns it as JSON.
  ///
  /// - Throws: the same errors as ``execute()``. Parameters do not need values.
  /// - Complexity: the same as ``explain()``.
  public func explanation() throws -> QueryExplanation {
    try withPublicErrors {
      let runner = try runner()
      let (compiled, plan, report) = try runner.explain(parameterValues())
      var explanation = QueryExplanation(
        query: description,
        steps: compiled.plan.steps.enumerated().map { QueryExplanation.Step($1, $0 == 0 ? report : nil) },
        filters: compiled.plan.filters, notes: compiled.plan.notes, usesSeveralThreads: report.usesSeveralThreads,
        isSorted: plan.sortsRows, isGroupedBySorting: plan.sortsGroups, sql: compiled.sql, sqlitePlan: plan.lines)
      if !runner.engine.store.isFile { explanation.server = ServerReading(plan, notes: explanation.transfers) }
      return explanation
    }
  }

  /// Returns how the query is run. If the database is on PostgreSQL, the query runs, so that its round trips are
  /// counted in ``ServerReading/roundTripCount``.
  ///
  /// - Throws: the same errors as ``execute()``. All parameters need values if the database is on PostgreSQL.
  /// - Complexity: that of the query.
  public func explanationCountingRoundTrips() throws -> QueryExplanation {
    var explanation = try explanation()
    guard let storage = try withPublicErrors({ try runner().engine.store.remote }) else { return explanation }
    let before = storage.roundTripCount
    try forEachRow { _ in true }
    explanation.server?.roundTripCount = storage.roundTripCount - before
    return explanation
  }
}

extension QueryRunner {
  /// The compiled query, its SQLite query plan, and its use of pattern indexes.
  func explain(_ parameters: [ExactString: JSONValue]) throws -> (CompiledQuery, StatementPlan, PatternReport) {
    try engine.store.readIndexes { db in
      let query = try compiled(db)
      let plan = try QueryCompilationError.convertingLimitErrors { try StatementPlan(of: query.sql, db) }
      return (query, plan, try patternReport(query, parameters, db))
    }
  }
}
