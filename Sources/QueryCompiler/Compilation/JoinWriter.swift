import DocumentStore
import JSONText
import QueryModel

/// Writes the joins of a query, and chooses by what the joined source is found.
struct JoinWriter {
  private let query: ResolvedQuery
  private let generator: SQLGenerator
  private let includingDeleted: Set<String>
  /// The conditions of WHERE.
  private let filters: [Conjunct]

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
    let words = source.join == .left ? "LEFT JOIN" : "JOIN"
    switch source.content {
    case .elements(let array):
      tables.from += " \(words) concordance_each(\(try generator.exact(array))) AS \(alias)"
      if let condition = source.condition { tables.from += " ON \(try generator.condition(condition))" }
      tables.steps.append(QueryPlan.Step(source: source.name, access: .elements))
    case .collection(let schema):
      var step = QueryPlan.Step(source: source.name, collection: "\(schema.record.name)", access: .scan)
      let conjuncts = Conjunct.all(of: source.condition)
      var conditions = SourceWriter.live(alias, includingDeleted: includingDeleted.contains(source.name))
      if let access = try access(source, schema, alias, conjuncts, position, &step, &tables) {
        conditions.append(access)
      }
      conditions += try conjuncts.map { "(\(try generator.condition($0.expression)))" }
      // A condition of WHERE holds for the pairs of an inner join as well.
      if source.join != .left {
        for filter in filters {
          if let lookup = try SourceWriter.idLookup(filter, source.name, alias, generator) { conditions.append(lookup) }
        }
      }
      tables.from += " \(words) \(schema.record.table) AS \(alias) ON \(SQLText.joined(conditions, by: "AND"))"
      tables.steps.append(step)
    }
  }

  /// A condition by which SQLite finds the rows without reading all; nil where there is none.
  private func access(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ alias: String, _ conjuncts: [Conjunct], _ position: Int,
    _ step: inout QueryPlan.Step, _ tables: inout SourceWriter.Tables
  ) throws -> String? {
    for conjunct in conjuncts {
      if let lookup = try SourceWriter.idLookup(conjunct, source.name, alias, generator) {
        step.note(.documentID, query.text(of: conjunct.expression))
        return lookup
      }
    }
    let isDeletedWanted = includingDeleted.contains(source.name)
    // A condition of WHERE holds for the pairs of an inner join as well.
    let usable = conjuncts + (source.join == .left ? [] : filters)
    let earlier = Set(query.sources.prefix(position).map(\.name))
    if !isDeletedWanted, let match = bestIndex(source, schema, earlier, usable) {
      return try search(match, alias, number: position, usable, &step)
    }
    return try temporaryIndex(source, schema, earlier, usable, conjuncts, &step, &tables)
  }

  private func bestIndex(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ earlier: Set<String>, _ conjuncts: [Conjunct]
  ) -> IndexMatch? {
    schema.usableIndexes
      .compactMap { index in
        IndexMatch(index, source: source.name, conjuncts: conjuncts) { $0.sourceNames.isSubset(of: earlier) }
      }
      .filter(\.servesConditions).max { $0.rank < $1.rank }
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

  /// Puts the values that a join compares into a table that lives as long as the query, for which SQLite makes an index:
  /// otherwise every pair would be compared.
  private func temporaryIndex(
    _ source: ResolvedSource, _ schema: CollectionSchema, _ earlier: Set<String>, _ usable: [Conjunct],
    _ conjuncts: [Conjunct], _ step: inout QueryPlan.Step, _ tables: inout SourceWriter.Tables
  ) throws -> String? {
    let alias = try generator.source(source.name).alias
    for conjunct in usable {
      for constraint in Constraint.all(of: conjunct) {
        guard case .equal(let value) = constraint.test, constraint.target.sourceNames == [source.name],
          !value.sourceNames.isEmpty, value.sourceNames.isSubset(of: earlier)
        else { continue }
        step.note(.temporaryIndex, query.text(of: conjunct.expression))
        let name = "j\(earlier.count)"
        let others = conjuncts.filter { $0.expression != conjunct.expression }
        // A row of the table that another condition leaves without its document would pass for a partner of a left join:
        // such conditions must hold for the table already.
        let isWhole = others.allSatisfy { $0.expression.sourceNames.isSubset(of: [source.name]) }
        var rows = SourceWriter.live(alias, includingDeleted: includingDeleted.contains(source.name))
        if isWhole { rows += try others.map { "(\(try generator.condition($0.expression)))" } }
        return try generator.withCollation(constraint.collation) {
          tables.temporaryIndexes.append(
            "\(name) AS MATERIALIZED (SELECT \(alias).rowid AS doc, \(try generator.key(constraint.target)) AS k "
              + "FROM \(schema.record.table) AS \(alias) WHERE \(SQLText.joined(rows, by: "AND")))")
          let value = try generator.operand(value)
          guard isWhole || source.join != .left else {
            let isPartner = "\(try generator.collated("k", with: value)) = \(value)"
            return "\(alias).rowid IN (SELECT doc FROM \(name) WHERE \(isPartner))"
          }
          // As a source of its own, so that SQLite makes the index. It makes none for a subquery.
          let words = source.join == .left ? "LEFT JOIN" : "JOIN"
          tables.from += " \(words) \(name) ON \(try generator.collated("\(name).k", with: value)) = \(value)"
          return "\(alias).rowid = \(name).doc"
        }
      }
    }
    return nil
  }
}
