import DocumentStore
import JSONText
import QueryModel
import SQLiteAccess
import TextIndex
import TrigramIndex

/// Chooses how each source is read, and writes the FROM clause.
struct SourceWriter {
  /// The FROM clause, and the parts of the statement that depend on it.
  struct Tables {
    var temporaryIndexes: [String] = []
    var from = ""
    var conditions: [String] = []
    var steps: [QueryPlan.Step] = []
    /// The number of tables that SQLite joins when all sources are written, which it limits to
    /// ``QuerySize/maximumSourceCount``.
    var count = 0
  }

  private let query: ResolvedQuery
  let generator: SQLGenerator
  let includingDeleted: Set<String>
  let conjuncts: [Conjunct]
  /// The positions of the conjuncts that the chosen index answers completely.
  private var answered: Set<Int> = []
  private var drivingTable = DrivingTable.documents
  private var firstConditions: [String] = []
  private var firstStep: QueryPlan.Step?
  private var scores: [Score] = []
  /// The candidate rows of the first source that indexes provide at run time.
  private(set) var candidates: RowCandidates?
  /// The conditions through which indexes find rows of the first source.
  private var rowConditions: [String] = []

  /// A RANK with its MATCH.
  private struct Score {
    let index: FullTextIndexName
    let match: QueryExpression
    let alias: String
  }

  /// The table from which the rows of the first source are read.
  private enum DrivingTable {
    case documents
    case valueIndex(StoredValueIndex)
    /// `rows` is the parameter to which the rows are bound.
    case fullText(rows: String)
  }

  /// - Parameter rowSource: the origin of the rows of the first source.
  init(
    _ query: ResolvedQuery, _ conjuncts: [Conjunct], _ generator: SQLGenerator, _ includingDeleted: Set<String>,
    _ rowSource: SelectCompiler.RowSource
  ) throws {
    self.query = query
    self.generator = generator
    self.includingDeleted = includingDeleted
    self.conjuncts = conjuncts
    guard case .given(let index) = rowSource else {
      try findScores(of: nil)
      try chooseDrivingTable()
      return
    }
    try findScores(of: index)
    drivingTable = .fullText(rows: generator.bind(.givenRows))
    firstStep = query.sources.first.map {
      QueryPlan.Step(source: $0.name, collection: $0.schema.map { "\($0.record.name)" }, access: .fullTextIndex)
    }
  }

  /// The conditions that remain to be tested on each row.
  var remainingConjuncts: [Conjunct] {
    conjuncts.enumerated().filter { !answered.contains($0.offset) }.map(\.element)
  }

  // MARK: Full text

  /// Finds the MATCH that each RANK refers to.
  private mutating func findScores(of given: String?) throws {
    var ranks: [FullTextIndexName] = []
    for expression in query.expressions {
      expression.visit { if case .rank(let index) = $0, !ranks.contains(index) { ranks.append(index) } }
    }
    for rank in ranks {
      var found: QueryExpression?
      query.filter?.visit { expression in
        if found == nil, case .match(let index, _) = expression, index == rank { found = expression }
      }
      if found == nil, rank.name == given {
        generator.scores[rank] = "f0.score"
        continue
      }
      guard let found else {
        let shown = MessageNames.visible(rank.name)
        throw QueryCompilationError(.invalid, "RANK(\(shown)) needs a MATCH(\(shown), …) in WHERE")
      }
      let alias = "r\(scores.count)"
      generator.scores[rank] = "\(alias).score"
      scores.append(Score(index: rank, match: found, alias: alias))
    }
  }

  // MARK: The first source

  /// Whether SQLite can join another table from which the rows of the first source are read.
  private var hasRoomForDriver: Bool { query.sources.count + scores.count < QuerySize.maximumSourceCount }

  private mutating func chooseDrivingTable() throws {
    guard let first = query.sources.first, let schema = first.schema else { return }
    var step = QueryPlan.Step(source: first.name, collection: "\(schema.record.name)", access: .scan)
    let planner = IndexPlanner(
      query, source: first, schema, conjuncts, includesDeletedDocuments: includingDeleted.contains(first.name))
    if let position = planner.idLookup { step.note(.documentID, query.text(of: conjuncts[position].expression)) }
    let best = step.access == .scan ? planner.choice : nil
    let choice = hasRoomForDriver ? best : nil
    step.unusedIndexes = planner.unused(excluding: best?.index.name)
    if choice == nil, let best {
      step.unusedIndexes.append(
        QueryPlan.UnusedIndex(name: best.index.name, reason: "the join has too many sources"))
    }
    if step.access == .scan, let (position, match) = fullTextDrivingTable(first.name, over: choice) {
      guard case .match(let name, let text) = match else { return }
      let isScored = generator.scores[name] != nil
      drivingTable = .fullText(rows: try generator.matchBinding(name, text))
      answered.insert(position)
      generator.indexedMatches.insert(match)
      if isScored { generator.scores[name] = "f0.score" }
      scores.removeAll { $0.index == name }
      step.note(.fullTextIndex, query.text(of: conjuncts[position].expression), index: name.name)
      if isScored { try findFewRows(first, schema, &step) }
    } else if let choice {
      try use(choice, of: schema, first, &step)
    } else if step.access == .scan, let (position, field, sql) = try keyRange(first.name) {
      rowConditions.append(sql)
      step.note(.metadataSearch, query.text(of: conjuncts[position].expression), index: "META().\(field.rawValue)")
    } else if step.access == .scan, !includingDeleted.contains(first.name) {
      let finder = RowFinder(query, generator, conjuncts, source: first, schema)
      if let found = try finder.find() {
        rowConditions.append("t0.rowid IN (\(found.rows))")
        step.note(
          found.access, query.text(of: conjuncts[found.conjunct].expression),
          index: found.indexes.joined(separator: ", "))
        step.unusedIndexes.removeAll { found.indexes.contains($0.name) }
      }
    }
    try findCandidates(first, schema, &step)
    firstStep = step
  }

  /// The column that contains the rowid of the first source.
  var firstRow: String {
    switch drivingTable {
    case .documents: "t0.rowid"
    case .valueIndex: "i0.doc"
    case .fullText: "f0.doc"
    }
  }

  /// Uses another index to find the rows that satisfy the other conditions. If there are only a few, only these rows
  /// are ranked.
  private mutating func findFewRows(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ step: inout QueryPlan.Step
  ) throws {
    guard query.sources.count == 1, !includingDeleted.contains(source.name) else { return }
    let others = conjuncts.filter { if case .match = $0.inner { false } else { true } }
    let finder = RowFinder(query, generator, conjuncts, source: source, schema)
    guard let found = try finder.rows(for: others) else { return }
    candidates = .few(found.rows, collection: schema.record.id)
    step.index = [step.index, found.index].compactMap { $0 }.joined(separator: ", ")
    step.unusedIndexes.removeAll { $0.name == found.index }
  }

  private mutating func findCandidates(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ step: inout QueryPlan.Step
  ) throws {
    // Other indexes are not used for a document that is looked up by id, for a search that FTS5 would repeat for each
    // row, or for deleted documents, which the indexes do not contain.
    if step.access == .documentID || step.access == .fullTextIndex || includingDeleted.contains(source.name) { return }
    let finder = RowFinder(query, generator, conjuncts, source: source, schema)
    let planner = PatternPlanner(query, source, schema) { try finder.rows(for: $0)?.rows }
    candidates = try planner.candidates(conjuncts)
    step.probes = candidates?.probes ?? []
    for index in schema.patternIndexes where !step.probes.contains(where: { $0.index.id == index.id }) {
      step.unusedIndexes.append(
        QueryPlan.UnusedIndex(name: index.name, reason: PatternPlanner.reason(against: index, step.probes)))
    }
  }

  /// Returns the first condition that an index on the table of documents answers.
  private func keyRange(_ source: String) throws -> (Int, MetadataField, String)? {
    for (position, conjunct) in conjuncts.enumerated() {
      let isKnown: (QueryExpression) -> Bool = { $0.sourceNames.isEmpty }
      if let (field, sql) = try DocumentKeys.range(conjunct, source, "t0", generator, isUsable: isKnown) {
        return (position, field, sql)
      }
    }
    return nil
  }

  /// Returns the MATCH that drives the first source: the one whose rank the query uses, or the first one if no value
  /// index answers a condition.
  private func fullTextDrivingTable(_ source: String, over choice: IndexMatch?) -> (Int, QueryExpression)? {
    var found: (Int, QueryExpression)?
    for (position, conjunct) in conjuncts.enumerated() {
      guard case .match(let index, _) = conjunct.inner, index.source == source else { continue }
      if scores.contains(where: { $0.match == conjunct.inner }) { return (position, conjunct.inner) }
      if found == nil, hasRoomForDriver, choice?.answersConditions != true { found = (position, conjunct.inner) }
    }
    return found
  }

  private mutating func use(
    _ choice: IndexMatch, of schema: CollectionSchema, _ source: ResolvedSource, _ step: inout QueryPlan.Step
  ) throws {
    let index = choice.index
    drivingTable = .valueIndex(index)
    step.access = choice.answersConditions ? .valueIndexSearch : .valueIndexScan
    step.index = index.name
    for (number, constraint, position) in choice.constraints {
      firstConditions.append(
        try generator.sql(
          constraint, column: "i0.k\(number)", exactColumn: "i0.e\(number)", collation: index.columns[number].collation)
      )
      step.indexedConditions.append(query.text(of: conjuncts[position].expression))
      if case .prefix(_, isAll: false) = constraint.test { continue }
      answered.insert(position)
    }
    answered.formUnion(choice.impliedConjuncts)
    for (number, column) in index.columns.enumerated() {
      generator.indexColumns.append(try SourceWriter.indexColumn(number, column, source.name, schema))
    }
  }

  /// Returns the SQL for a column of the index with the alias `i0`.
  static func indexColumn(
    _ number: Int, _ column: StoredValueIndex.Column, _ source: String, _ schema: CollectionSchema
  ) throws -> SQLGenerator.IndexColumn {
    let expression = column.expression.with(source: source)
    let (key, exact) = ("i0.k\(number)", "i0.e\(number)")
    if column.expression.makesPredictions {
      return SQLGenerator.IndexColumn(
        expression: expression, collation: column.collation, key: key, stored: exact,
        exact: "coalesce(\(exact), \(key))")
    }
    let lookup = try lookup(expression, source, schema, row: "i0.doc")
    return SQLGenerator.IndexColumn(
      expression: expression, collation: column.collation, key: key, stored: exact,
      exact: "CASE typeof(\(key)) WHEN 'blob' THEN \(lookup) ELSE coalesce(\(exact), \(key)) END")
  }

  /// Returns SQL that reads an expression from the document of a row. It is needed for arrays and objects, whose key in
  /// an index is not the JSON text of the document.
  private static func lookup(
    _ expression: QueryExpression, _ source: String, _ schema: CollectionSchema, row: String
  ) throws -> String {
    let generator = SQLGenerator(inlinesNumbers: true)
    generator.sources[source] = SQLGenerator.Source(alias: "d0", schema: schema)
    let value = try generator.exact(expression)
    return "(SELECT \(value) FROM \(schema.record.table) AS d0 WHERE d0.rowid = \(row))"
  }

  // MARK: FROM

  /// Writes the FROM clause. Must be called after all other clauses are written.
  mutating func finish() throws -> Tables {
    var tables = Tables()
    tables.count = query.sources.count + scores.count
    guard let first = query.sources.first, let schema = first.schema else { return tables }
    try writeFirst(first, schema, &tables)
    for (position, source) in query.sources.enumerated().dropFirst() {
      try JoinWriter(query, generator, includingDeleted, conjuncts).write(source, position, &tables)
    }
    for score in scores { try writeScore(score, &tables) }
    return tables
  }

  private mutating func writeFirst(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ tables: inout Tables
  ) throws {
    let table = schema.record.table
    var step = firstStep ?? QueryPlan.Step(source: source.name, collection: "\(schema.record.name)", access: .scan)
    let driver: (from: String, row: String)?
    switch drivingTable {
    case .documents: driver = nil
    case .valueIndex(let index): driver = ("\(index.tableName) AS i0", "i0.doc")
    case .fullText(let rows): driver = ("\(MatchTableFunction.name)(\(rows)) AS f0", "f0.doc")
    }
    tables.conditions = firstConditions + rowConditions
    // Joins and lookups by id are written later and may need the row.
    let isRead =
      driver == nil || generator.documentsRead.contains(source.name) || query.sources.count > 1 || !scores.isEmpty
    if let driver, !isRead {
      tables.from = driver.from
      tables.conditions.append(SourceWriter.unexpired(driver.row, of: schema))
    } else {
      if driver != nil { tables.count += 1 }
      tables.from = driver.map { "\($0.from) CROSS JOIN \(table) AS t0 ON t0.rowid = \($0.row)" } ?? "\(table) AS t0"
      tables.conditions.append(
        contentsOf: SourceWriter.live("t0", includingDeleted: includingDeleted.contains(source.name)))
    }
    step.readsDocuments = isRead
    for (position, conjunct) in conjuncts.enumerated() where !answered.contains(position) {
      if let lookup = try DocumentKeys.lookup(conjunct, source.name, "t0", generator) {
        tables.conditions.append(lookup)
      }
    }
    tables.steps.append(step)
  }

  private func writeScore(_ score: Score, _ tables: inout Tables) throws {
    guard case .match(let name, let text) = score.match else { return }
    let rows = "SELECT doc, score FROM \(MatchTableFunction.name)(\(try generator.matchBinding(name, text)))"
    let document = try generator.document(name.source ?? "")
    tables.from += " LEFT JOIN (\(rows)) AS \(score.alias) ON \(score.alias).doc = \(document).rowid"
  }

  /// Returns the condition that the document of an index row has not expired, without reading the document.
  ///
  /// Expired documents stay in the indexes until they are purged. The first subquery runs once per statement, and
  /// usually finds no expired document.
  static func unexpired(_ row: String, of schema: CollectionSchema) -> String {
    let expired = "SELECT rowid FROM \(schema.record.table) WHERE expiration <= \(StoredDocument.now)"
    return "((\(expired) LIMIT 1) IS NULL OR \(row) NOT IN (\(expired)))"
  }

  /// Returns the conditions that a document is neither deleted nor expired.
  ///
  /// The unary plus prevents SQLite from creating an automatic index on `deleted` for a joined collection. `deleted` is
  /// nearly always 0, so SQLite would copy all documents into that index and scan them for each row instead of using
  /// the index for the condition of the join.
  static func live(_ alias: String, includingDeleted: Bool) -> [String] {
    (includingDeleted ? [] : ["+\(alias).deleted = 0"])
      + ["(\(alias).expiration IS NULL OR \(alias).expiration > \(StoredDocument.now))"]
  }
}
