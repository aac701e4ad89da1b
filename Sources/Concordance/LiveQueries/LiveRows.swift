import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel
import Synchronization

/// The rows of a live query, with the ids of their documents if each row belongs to one document.
struct LiveRows: Sendable {
  let columns: ResultColumns
  let values: [[ColumnValue]]
  let ids: [String]?

  static func hasEqualRows(_ one: LiveRows, _ other: LiveRows) -> Bool {
    one.columns.names == other.columns.names && one.values == other.values
  }
}

/// Reads the rows of a live query.
struct LiveQueryReader: Sendable {
  private let query: Query
  private let runner: QueryRunner
  /// Whether the last column is the id of the document, which is not a column of the query.
  private let addsIDs: Bool
  /// Tests whether some documents match; nil if changes to other documents may also change the rows.
  private let matchFinder: QueryRunner?
  private let limits: LiveRowLimits

  /// The number of documents that ``matchFinder`` tests in one run.
  private static let batchCount = 8
  /// The number of changed documents above which running the query again is likely to be faster.
  private static let maximumTestedCount = 64
  private static func parameter(_ number: Int) -> String { "concordance_id_\(number)" }

  /// - Parameter limits: the limits above which ``read()`` throws an error.
  /// - Throws: the same errors as ``Query/runner()``.
  init(_ query: Query, in database: Database, limits: LiveRowLimits = LiveRowLimits()) throws {
    self.query = query
    self.limits = limits
    _ = try query.runner()
    var model = query.model
    addsIDs = model.hasRowPerDocument
    if addsIDs {
      let alias = LiveQueryReader.unusedAlias(try query.columnNames())
      model.columns.append(ResultColumn(.metadata(.id, source: nil), alias: alias))
    }
    runner = QueryRunner(model, in: database)
    matchFinder = query.model.dependsOnMatchesOnly ? QueryRunner(LiveQueryReader.test(query.model), in: database) : nil
  }

  private static func unusedAlias(_ names: [String]) -> String {
    var alias = "concordance_id"
    while names.contains(where: { $0.lowercased() == alias }) { alias += "_" }
    return alias
  }

  /// The collections that the query reads.
  func collections() throws -> [CollectionRecord] {
    try runner.engine.store.read { db in
      try runner.model.sources.compactMap { source in
        guard case .collection(let path) = source.content else { return nil }
        return try runner.record(path, db)
      }
    }
  }

  /// Reads the rows.
  ///
  /// - Throws: the same errors as ``Query/execute()``, and ``CBLError/invalidQuery`` if the rows exceed a limit.
  func read() throws -> LiveRows {
    try withPublicErrors {
      let timeout = query.timeout
      runner.timeout.withLock { $0 = timeout }
      var values: [[ColumnValue]] = []
      var ids: [String] = []
      var size = 0
      let compiled = try runner.run(query.parameterValues()) { compiled, row in
        try limits.check(count: values.count + 1)
        var columns = compiled.values(row)
        size += columns.size
        try limits.check(size: size)
        if addsIDs, case .string(let id)? = columns.popLast() { ids.append(id) }
        values.append(columns)
        return true
      }
      let names = compiled.columnNames.prefix(compiled.columnNames.count - (addsIDs ? 1 : 0))
      return LiveRows(columns: ResultColumns(Array(names)), values: values, ids: addsIDs ? ids : nil)
    }
  }

  /// Returns whether changes to some documents cannot have changed the rows: none of the documents is among the rows,
  /// and none matches now.
  ///
  /// - Throws: the same errors as ``read()``.
  func isUnaffected(_ rows: LiveRows, by changes: [Set<ExactString>]) throws -> Bool {
    guard let matchFinder, let ids = rows.ids, let changed = changes.first, changes.count == 1,
      changed.count <= LiveQueryReader.maximumTestedCount, !ids.contains(where: { changed.contains(ExactString($0)) })
    else { return false }
    return try withPublicErrors { try !matches(anyOf: changed, matchFinder) }
  }

  /// Returns whether any of the documents matches the condition of the query.
  private func matches(anyOf documents: Set<ExactString>, _ matchFinder: QueryRunner) throws -> Bool {
    let timeout = query.timeout
    matchFinder.timeout.withLock { $0 = timeout }
    let values = try query.parameterValues()
    var remaining = Array(documents)
    while !remaining.isEmpty {
      let batch = Array(remaining.suffix(LiveQueryReader.batchCount))
      remaining.removeLast(batch.count)
      var parameters = values
      for number in 0..<LiveQueryReader.batchCount {
        parameters[LiveQueryReader.parameter(number)] = .string(batch[number % batch.count].text)
      }
      var isMatched = false
      try matchFinder.run(parameters) { _, _ in
        isMatched = true
        return false
      }
      if isMatched { return true }
    }
    return false
  }

  /// Returns a query that finds a row if any of ``batchCount`` documents matches the condition of a query.
  private static func test(_ model: SelectQuery) -> SelectQuery {
    let isOneOfThem = (0..<batchCount).map { number in
      QueryExpression.comparison(.equal, .metadata(.id, source: nil), .parameter(parameter(number)))
    }
    return SelectQuery(
      columns: [ResultColumn(.integer(1))], sources: model.sources,
      filter: .and([.or(isOneOfThem)] + [model.filter].compactMap { $0 }), limit: .integer(1))
  }
}

extension SelectQuery {
  /// Whether each row belongs to one document of one collection.
  fileprivate var hasRowPerDocument: Bool {
    guard sources.count == 1, case .collection? = sources.first?.content, !isDistinct, grouping.isEmpty,
      groupFilter == nil
    else { return false }
    return !expressions.contains { $0.contains(where: \.isAggregate) }
  }

  /// Whether only changes to documents that are among the rows or match now can change the rows.
  ///
  /// `OFFSET` skips matches that are not among the rows, scores depend on all documents, and deleted documents match
  /// only queries that name `META().deleted`.
  fileprivate var dependsOnMatchesOnly: Bool {
    hasRowPerDocument && offset == nil && !expressions.contains { $0.contains(where: \.dependsOnOtherDocuments) }
  }
}

extension QueryExpression {
  fileprivate var dependsOnOtherDocuments: Bool {
    switch self {
    case .match, .rank, .metadata(.deleted, _), .function(.prediction, _, _): true
    default: false
    }
  }
}
