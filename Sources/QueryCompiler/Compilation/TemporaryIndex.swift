import DocumentStore
import QueryModel

/// A materialized table of the values that a join compares. It lives as long as the query, and SQLite creates an
/// automatic index for it; without the table, every pair of rows would be compared.
///
/// ```
/// WITH j1 AS MATERIALIZED (SELECT t1.rowid AS doc, concordance_key(t1.body, 'y') AS k FROM …)
/// … LEFT JOIN j1 ON j1.k = concordance_key(t0.body, 'x') LEFT JOIN "s.c" AS t1 ON t1.rowid = j1.doc
/// ```
struct TemporaryIndex {
  private let join: JoinWriter
  private let source: ResolvedSource
  private let schema: CollectionSchema
  private let position: Int
  /// The conditions of ON.
  private let conditions: [Conjunct]
  /// The conditions of ON, followed by those of WHERE that also restrict the joined rows.
  private let usable: [Conjunct]

  private var generator: SQLGenerator { join.generator }
  private var name: String { "j\(position)" }
  private var isLeft: Bool { source.join == .left }
  private var alias: String { get throws { try generator.source(source.name).alias } }

  init(
    _ join: JoinWriter, _ source: ResolvedSource, _ schema: CollectionSchema, _ position: Int,
    conditions: [Conjunct], usable: [Conjunct]
  ) {
    self.join = join
    self.source = source
    self.schema = schema
    self.position = position
    self.conditions = conditions
    self.usable = usable
  }

  /// Writes the table for the first condition that it can answer, preferring an equality to a list of values.
  ///
  /// - Returns: nil if no condition compares the source with earlier sources in this way, or if the join has no room
  ///   for another table.
  func write(_ step: inout QueryPlan.Step, _ tables: inout SourceWriter.Tables) throws -> JoinWriter.Access? {
    guard tables.count < QuerySize.maximumSourceCount else { return nil }
    let found = usable.enumerated().flatMap { position, conjunct in
      conjunct.constraints.compactMap { constraint in
        comparison(constraint).map { (position, constraint, $0) }
      }
    }
    guard let (number, constraint, comparison) = found.first(where: { $0.1.isEquality }) ?? found.first else {
      return nil
    }
    step.note(.temporaryIndex, join.query.text(of: usable[number].expression))
    let others = conditions.enumerated().filter { $0.offset != number }.map(\.element)
    tables.temporaryIndexes.append(try values(constraint, others.filter(isOfSource)))
    let matches = try matches(constraint, comparison, &tables)
    tables.count += 1
    // The table is a source of its own because SQLite creates no automatic index for a subquery.
    tables.from += " \(isLeft ? "LEFT JOIN" : "JOIN") \(matches.table) ON \(matches.condition)"
    let access = JoinWriter.Access(condition: "\(try alias).rowid = \(matches.table).doc", isComplete: isLeft)
    // In a left join, a row of the table whose document fails another condition would count as a match, so all
    // conditions must already hold for the rows of the table.
    let ofPairs = isLeft ? others.filter { !isOfSource($0) } : []
    if !ofPairs.isEmpty {
      let conditions = try [access.condition] + ofPairs.map { "(\(try generator.condition($0.expression)))" }
      tables.from +=
        " AND EXISTS (SELECT 1 FROM \(schema.record.table) AS \(try alias) "
        + "WHERE \(SQLText.joined(conditions, by: "AND")))"
    }
    return access
  }

  /// The value that the source is compared with.
  private enum Comparison {
    case equal(QueryExpression)
    /// A list whose values come from one source alone.
    case oneOf(QueryExpression, owner: ResolvedSource, CollectionSchema)
  }

  /// Returns the value of earlier sources that a constraint compares the source with; nil for other constraints.
  private func comparison(_ constraint: Constraint) -> Comparison? {
    let names = Set(constraint.values.flatMap(\.sourceNames))
    let earlier = join.query.sources.prefix(position)
    guard constraint.target.sourceNames == [source.name], !names.isEmpty, names.isSubset(of: earlier.map(\.name))
    else { return nil }
    let list: QueryExpression
    switch constraint.test {
    case .equal(let value): return .equal(value)
    case .among(let values): list = .array(values)
    case .amongElements(let array): list = array
    default: return nil
    }
    // The owner must have a row in every combination, and its documents must be identified by their rowids.
    guard names.count == 1, let owner = earlier.first(where: { names.contains($0.name) }), owner.join != .left,
      let schema = owner.schema
    else { return nil }
    return .oneOf(list, owner: owner, schema)
  }

  private func isOfSource(_ condition: Conjunct) -> Bool {
    condition.expression.sourceNames.isSubset(of: [source.name])
  }

  /// Returns the table of the values of all rows that satisfy the conditions on the source alone.
  private func values(_ constraint: Constraint, _ conditions: [Conjunct]) throws -> String {
    let rows =
      SourceWriter.live(try alias, includingDeleted: join.includingDeleted.contains(source.name))
      + (try conditions.map { "(\(try generator.condition($0.expression)))" })
    // An operand has no type affinity, which the column of this table would otherwise inherit.
    let key = try generator.withCollation(constraint.collation) { try generator.operand(constraint.target) }
    return "\(name) AS MATERIALIZED (SELECT \(try alias).rowid AS doc, \(key) AS k "
      + "FROM \(schema.record.table) AS \(try alias) WHERE \(SQLText.joined(rows, by: "AND")))"
  }

  /// Returns the table that lists the matching rows of the source, and the condition that selects them.
  private func matches(
    _ constraint: Constraint, _ comparison: Comparison, _ tables: inout SourceWriter.Tables
  ) throws -> (table: String, condition: String) {
    try generator.withCollation(constraint.collation) {
      switch comparison {
      case .equal(let value):
        let value = try generator.operand(value)
        return (name, "\(try generator.collated("\(name).k", with: value)) = \(value)")
      case .oneOf(let list, let owner, let schema):
        tables.temporaryIndexes.append(try pairs(list, owner, schema))
        return ("p\(position)", "p\(position).row = \(try generator.document(owner.name)).rowid")
      }
    }
  }

  /// Returns a table of pairs: a row of the owner, and a row of the source with one of the values in the owner's list.
  /// SQLite creates automatic indexes for equality only. A row that has several of the values is listed once.
  private func pairs(_ list: QueryExpression, _ owner: ResolvedSource, _ schema: CollectionSchema) throws -> String {
    // The index columns of the outer statement are not available in this table.
    let columns = generator.indexColumns
    generator.indexColumns = []
    defer { generator.indexColumns = columns }
    let row = try generator.document(owner.name)
    let value = "concordance_sort(e\(position).value)"
    var conditions = ["\(try generator.collated("\(name).k")) = \(value)"]
    for filter in join.filters where filter.expression.sourceNames == [owner.name] {
      conditions.append("(\(try generator.condition(filter.expression)))")
      if let lookup = try DocumentKeys.lookup(filter, owner.name, row, generator) { conditions.append(lookup) }
    }
    return "p\(position) AS MATERIALIZED (SELECT DISTINCT \(row).rowid AS row, \(name).doc AS doc "
      + "FROM \(schema.record.table) AS \(row) CROSS JOIN concordance_each(\(try generator.exact(list))) "
      + "AS e\(position) CROSS JOIN \(name) WHERE \(SQLText.joined(conditions, by: "AND")))"
  }
}
