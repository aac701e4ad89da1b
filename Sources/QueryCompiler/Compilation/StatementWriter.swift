import DocumentStore
import JSONText
import QueryModel

/// Writes the SELECT of a resolved query.
///
/// ```
/// WITH j1 AS MATERIALIZED (…)                    -- temporary indexes for joins
/// SELECT columns
/// FROM concordance_vi_3 AS i0 CROSS JOIN "s.c" AS t0 ON t0.rowid = i0.doc   -- SourceWriter
/// WHERE … GROUP BY … HAVING … ORDER BY … LIMIT … OFFSET …
/// ```
struct StatementWriter {
  let query: ResolvedQuery
  let generator = SQLGenerator()
  var plan = QueryPlan()
  /// The operands of the AND at the top of WHERE.
  private let conjuncts: [Conjunct]
  /// The sources whose deleted documents the query includes.
  let includingDeleted: Set<String>
  /// Whether the only column is the rowid of the first source.
  private let selectsRows: Bool
  /// The origin of the rows of the first source.
  private let rowSource: SelectCompiler.RowSource

  init(_ query: ResolvedQuery, selectingRows: Bool = false, from rowSource: SelectCompiler.RowSource = .documents) {
    self.query = query
    selectsRows = selectingRows
    self.rowSource = rowSource
    var deleted: Set<String> = []
    for expression in query.expressions {
      expression.visit { if case .metadata(.deleted, let source?) = $0 { deleted.insert(source) } }
    }
    conjuncts = Conjunct.all(of: query.filter)
    for conjunct in conjuncts {
      if let source = conjunct.sourceWithoutDeleted { deleted.remove(source) }
    }
    includingDeleted = deleted
    for (number, source) in query.sources.enumerated() {
      generator.sources[source.name] = SQLGenerator.Source(
        alias: source.schema == nil ? "u\(number)" : "t\(number)", schema: source.schema)
      // Indexes do not contain deleted documents.
      guard let schema = source.schema, !deleted.contains(source.name) else { continue }
      generator.indexedPredictions += schema.predictionIndexes.compactMap { index in
        // An input that reads no document also has a value in rows without a document.
        guard let call = index.definition.prediction?.with(source: source.name), !call.sourceNames.isEmpty else {
          return nil
        }
        return SQLGenerator.IndexedPredictions(
          call: call, source: source.name, index: index, isOptional: source.join == .left)
      }
    }
  }

  /// Returns the compiled query.
  mutating func compile() throws -> CompiledQuery {
    if !selectsRows, let ends = try IndexExtremes(query, conjuncts, generator, includingDeleted) {
      return try compile(ends)
    }
    var from = try SourceWriter(query, conjuncts, generator, includingDeleted, rowSource)
    // The order matters: writing an expression records which documents it reads.
    let filters = from.remainingConjuncts
    var columns =
      try selectsRows
      ? [from.firstRow]
      : query.columns.map { column -> String in
        let value = SQLGenerator.bytewise(try generator.exact(column.expression))
        // A grouped query uses SQL's DISTINCT, which needs the same text for equal objects.
        return query.isDistinct && query.isGrouped ? "concordance_group(\(value))" : value
      }
    if !selectsRows, query.groupsByHiddenAggregate { columns.append("count(*)") }
    let filterConditions = try filters.map { try condition($0) }
    let grouping = try groupClause()
    let having = try query.groupFilter.map { " HAVING \(try generator.condition($0))" } ?? ""
    let ordering = try orderClause()
    let limit = try limitClause()
    let tables = try from.finish()
    var beginning = tables.temporaryIndexes.isEmpty ? "" : "WITH \(tables.temporaryIndexes.joined(separator: ", ")) "
    beginning += query.isDistinct && query.isGrouped ? "SELECT DISTINCT " : "SELECT "
    beginning += columns.joined(separator: ", ")
    if !tables.from.isEmpty { beginning += " FROM \(tables.from)" }
    let statement = StatementText(
      beginning: beginning, conditions: tables.conditions, ending: grouping + having + ordering + limit)
    plan.steps = tables.steps.map { $0.reading(predictionsFrom: generator.predictionIndexNames[$0.source] ?? []) }
    plan.query = query
    plan.filterExpressions = filters.map(\.expression)
    let sql = statement.sql(where: filterConditions)
    try QuerySize.check(sql: sql)
    return CompiledQuery(
      sql: sql, bindings: generator.bindings,
      columnNames: selectsRows ? ["row"] : query.columns.map(\.name),
      parameterNames: parameterNames, fullTextIndexes: generator.fullTextIndexes,
      rowFilter: rowFilter(filters, filterConditions, statement), candidates: from.candidates,
      restricted: restricted(from, filterConditions, statement), plan: plan)
  }

  /// Returns the statement restricted to given rows of the first source.
  private func restricted(
    _ from: SourceWriter, _ conditions: [String], _ statement: StatementText
  ) -> RestrictedStatement? {
    switch from.candidates {
    case nil, .few: return nil
    default: break
    }
    return RestrictedStatement(
      parameter: generator.bindings.count + 1, row: from.firstRow, conditions: conditions, statement: statement)
  }

  /// Returns the filter of the first source if it is scanned in full; nil if a parallel scan is not faster or not
  /// possible.
  private func rowFilter(
    _ filters: [Conjunct], _ conditions: [String], _ statement: StatementText
  ) -> RowFilter? {
    guard plan.readsWholeCollection, let first = query.sources.first, let schema = first.schema else { return nil }
    // Each part would evaluate the full-text query again.
    guard generator.fullTextIndexes.isEmpty else { return nil }
    // A model must be called only once per row and only on the thread that runs the query, but the filter would read
    // rows twice and on several threads.
    guard !generator.bindings.contains(.predictionRun) else { return nil }
    // Without ORDER BY, the first rows are the result, and the scan can stop early.
    guard query.limit == nil || !query.ordering.isEmpty || query.isGrouped || query.isDistinct else { return nil }
    // Collecting source names takes as long as the rest of the compilation and is not needed with one source.
    let isOwn = filters.map { query.sources.count == 1 || $0.expression.sourceNames == [first.name] }
    let own = zip(conditions, isOwn).filter(\.1).map(\.0)
    guard !own.isEmpty else { return nil }
    return RowFilter(
      collection: schema.record, firstParameter: generator.bindings.count + 1,
      own: SourceWriter.live("t0", includingDeleted: includingDeleted.contains(first.name)) + own,
      others: zip(conditions, isOwn).filter { !$1 }.map(\.0), statement: statement)
  }

  /// Returns a query with one row of MIN and MAX, each read from its index.
  private mutating func compile(_ ends: IndexExtremes) throws -> CompiledQuery {
    let columns = try query.columns.map { SQLGenerator.bytewise(try generator.exact($0.expression)) }
    plan.steps = [ends.step]
    let sql = "SELECT \(columns.joined(separator: ", "))\(try limitClause())"
    try QuerySize.check(sql: sql)
    return CompiledQuery(
      sql: sql, bindings: generator.bindings,
      columnNames: query.columns.map(\.name), parameterNames: parameterNames,
      fullTextIndexes: generator.fullTextIndexes, rowFilter: nil, candidates: nil, restricted: nil, plan: plan)
  }

  private func condition(_ conjunct: Conjunct) throws -> String {
    // SQLite can use a MATCH that is a complete condition to find the rows of a joined source.
    if case .match(let index, let query) = conjunct.expression, index.source != self.query.sources.first?.name {
      let document = try generator.document(index.source ?? "")
      return "\(document).rowid IN (\(try generator.matchSelection(index, query)))"
    }
    return "(\(try generator.condition(conjunct.expression)))"
  }

  // MARK: Clauses

  private func groupClause() throws -> String {
    guard query.isGrouped else {
      // Grouping without aggregates removes duplicate rows.
      guard query.isDistinct else { return "" }
      return " GROUP BY \(try query.columns.map { try generator.groupKey($0.expression) }.joined(separator: ", "))"
    }
    guard !query.grouping.isEmpty else { return "" }
    var keys: [String] = []
    var exacts: [String] = []
    for expression in query.grouping {
      if let column = generator.indexColumn(expression, .binary) {
        // The keys come first, as in the index.
        keys.append(column.key)
        exacts.append(column.stored)
      } else {
        keys.append(try generator.groupKey(expression))
      }
    }
    return " GROUP BY \((keys + exacts).joined(separator: ", "))"
  }

  private func orderClause() throws -> String {
    let terms = try query.ordering.compactMap { term -> String? in
      let (expression, collation) = term.expression.splittingCollation
      // SQL interprets a number as the position of a column, and a constant does not affect the order.
      if expression.constantJSON != nil || expression == .missing { return nil }
      var sql: String
      if let column = generator.indexColumn(expression, collation) {
        sql = column.key
      } else {
        sql = try generator.withCollation(collation) { try generator.collated(generator.key(expression)) }
      }
      sql += term.isAscending ? "" : " DESC"
      switch term.nulls {
      case .first: sql += " NULLS FIRST"
      case .last: sql += " NULLS LAST"
      case nil: break
      }
      return sql
    }
    // If all terms are constants, the rows are sorted by score as well.
    if case .given = rowSource, !query.ordering.isEmpty {
      return " ORDER BY " + (terms + ["f0.score DESC", "f0.doc"]).joined(separator: ", ")
    }
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))"
  }

  private func limitClause() throws -> String {
    guard query.limit != nil || query.offset != nil else { return "" }
    let limit = try query.limit.map { try count($0) } ?? "-1"
    return " LIMIT \(limit)" + (try query.offset.map { " OFFSET \(try count($0))" } ?? "")
  }

  /// Returns SQL for a number of rows that is never negative, because SQLite treats a negative limit as no limit.
  private func count(_ expression: QueryExpression) throws -> String {
    if case .integer(let number) = expression { return "\(max(0, number))" }
    return "concordance_count(\(try generator.exact(expression)))"
  }

  // MARK: Parameters

  private var parameterNames: [String] {
    var names: Set<ExactString> = []
    for expression in query.expressions {
      expression.visit { if case .parameter(let name) = $0 { names.insert(ExactString(name)) } }
    }
    return names.sorted().map(\.text)
  }
}

extension Conjunct {
  /// The source whose deleted documents the condition excludes: `META().deleted = FALSE`, `NOT META().deleted`.
  fileprivate var sourceWithoutDeleted: String? {
    switch inner {
    case .not(.metadata(.deleted, let source)),
      .comparison(.equal, .metadata(.deleted, let source), .boolean(false)),
      .comparison(.equal, .boolean(false), .metadata(.deleted, let source)),
      .is(.metadata(.deleted, let source), .boolean(false)):
      source
    default: nil
    }
  }
}

/// A SELECT to which conditions can be added. A query that runs in parts has several versions of its statement; each
/// one is written when it runs, because most queries need only one.
struct StatementText: Sendable {
  /// The text before WHERE.
  let beginning: String
  /// The conditions that every version contains.
  let conditions: [String]
  /// The text after WHERE.
  let ending: String

  /// Returns the statement with additional conditions.
  func sql(where additional: [String]) -> String {
    let all = conditions + additional
    return all.isEmpty ? beginning + ending : "\(beginning) WHERE \(SQLText.joined(all, by: "AND"))\(ending)"
  }
}
