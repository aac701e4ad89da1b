import DocumentStore
import JSONText
import QueryModel

/// Writes the joins of a query and chooses how the rows of each joined source are found.
struct JoinWriter {
  let query: ResolvedQuery
  let generator: SQLGenerator
  let includingDeleted: Set<String>
  /// The WHERE conditions.
  let filters: [Conjunct]

  /// A condition that lets SQLite find the rows of a source without a full scan.
  struct Access {
    var condition: String
    /// Whether every row that it finds satisfies all ON conditions.
    var isComplete = false
  }

  init(
    _ query: ResolvedQuery, _ generator: SQLGenerator, _ includingDeleted: Set<String>, _ filters: [Conjunct]
  ) {
    self.query = query
    self.generator = generator
    self.includingDeleted = includingDeleted
    self.filters = filters
  }

  func write(_ source: ResolvedSource, _ position: Int, _ tables: inout SourceWriter.Tables) throws {
    let alias = try generator.source(source.name).alias
    let keyword = source.join == .left ? "LEFT JOIN" : "JOIN"
    switch source.content {
    case .elements(let array):
      tables.from += " \(keyword) concordance_each(\(try generator.exact(array))) AS \(alias)"
      if let condition = source.condition { tables.from += " ON \(try generator.condition(condition))" }
      tables.steps.append(QueryPlan.Step(source: source.name, access: .elements))
    case .collection(let schema):
      var step = QueryPlan.Step(source: source.name, collection: "\(schema.record.name)", access: .scan)
      let conjuncts = Conjunct.all(of: source.condition)
      let access = try access(source, schema, alias, conjuncts, position, &step, &tables)
      var conditions = [access?.condition].compactMap { $0 }
      if access?.isComplete != true {
        conditions =
          SourceWriter.live(alias, includingDeleted: includingDeleted.contains(source.name)) + conditions
          + (try conjuncts.map { "(\(try generator.condition($0.expression)))" })
      }
      // In an inner join, a WHERE condition has the same effect as an ON condition.
      if source.join != .left {
        for filter in filters {
          if let lookup = try DocumentKeys.lookup(filter, source.name, alias, generator) { conditions.append(lookup) }
        }
      }
      tables.from += " \(keyword) \(schema.record.table) AS \(alias) ON \(SQLText.joined(conditions, by: "AND"))"
      tables.steps.append(step)
    }
  }

  /// Returns the condition that finds the rows; nil if all rows are read.
  private func access(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ alias: String, _ conjuncts: [Conjunct], _ position: Int,
    _ step: inout QueryPlan.Step, _ tables: inout SourceWriter.Tables
  ) throws -> Access? {
    for conjunct in conjuncts {
      if let lookup = try DocumentKeys.lookup(conjunct, source.name, alias, generator) {
        step.note(.documentID, query.text(of: conjunct.expression))
        return Access(condition: lookup)
      }
    }
    let includesDeletedDocuments = includingDeleted.contains(source.name)
    // In an inner join, a WHERE condition has the same effect as an ON condition.
    let usable = conjuncts + (source.join == .left ? [] : filters)
    let earlier = Set(query.sources.prefix(position).map(\.name))
    let match = includesDeletedDocuments ? nil : bestIndex(source, schema, earlier, usable)
    // If no condition on the index refers to an earlier source, the index selects the same rows for each row of the
    // earlier sources. A temporary index of the values that the join compares is then faster, even if the index selects
    // few rows.
    let comparesPairs = match?.constraints.contains {
      !usable[$0.conjunct].expression.sourceNames.isDisjoint(with: earlier)
    }
    if comparesPairs != true {
      let temporary = TemporaryIndex(self, source, schema, position, conditions: conjuncts, usable: usable)
      if let access = try temporary.write(&step, &tables) { return access }
    }
    return try match.map { Access(condition: try search($0, alias, number: position, usable, &step)) }
  }

  private func bestIndex(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ earlier: Set<String>, _ conjuncts: [Conjunct]
  ) -> IndexMatch? {
    schema.usableIndexes
      .compactMap { index in
        IndexMatch(index, source: source.name, conjuncts: conjuncts) { $0.sourceNames.isSubset(of: earlier) }
      }
      .filter(\.answersConditions).max { $0.rank < $1.rank }
  }

  private func search(
    _ match: IndexMatch, _ alias: String, number: Int, _ conjuncts: [Conjunct], _ step: inout QueryPlan.Step
  ) throws -> String {
    let conditions = try match.constraints.map { column, constraint, position in
      step.note(.valueIndexSearch, query.text(of: conjuncts[position].expression), index: match.index.name)
      return try generator.sql(
        constraint, column: "i\(number).k\(column)", exactColumn: "i\(number).e\(column)",
        collation: match.index.columns[column].collation)
    }
    return "\(alias).rowid IN (SELECT i\(number).doc FROM \(match.index.tableName) AS i\(number) "
      + "WHERE \(SQLText.joined(conditions, by: "AND")))"
  }
}
