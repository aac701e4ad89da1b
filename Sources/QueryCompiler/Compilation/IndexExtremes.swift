import DocumentStore
import QueryModel

/// MIN and MAX of indexed expressions, without GROUP BY: each is the first or the last entry of its index that
/// satisfies the conditions. No other entries are read.
struct IndexExtremes {
  /// How the source is read.
  private(set) var step: QueryPlan.Step

  /// Registers the subquery of each aggregate with the generator.
  ///
  /// - Returns: nil if the query contains other clauses or columns, or if an aggregate or a condition is not indexed.
  init?(_ query: ResolvedQuery, _ conjuncts: [Conjunct], _ generator: SQLGenerator, _ includingDeleted: Set<String>)
    throws
  {
    guard query.sources.count == 1, let source = query.sources.first, let schema = source.schema,
      includingDeleted.isEmpty, query.grouping.isEmpty, query.groupFilter == nil, query.ordering.isEmpty,
      !query.isDistinct, let aggregates = IndexExtremes.aggregates(of: query.columns.map(\.expression))
    else { return nil }
    step = QueryPlan.Step(source: source.name, collection: "\(schema.record.name)", access: .valueIndexEnd)
    var ends: [(aggregate: Aggregate, match: IndexMatch)] = []
    for aggregate in aggregates {
      let match = schema.usableIndexes.lazy
        .compactMap { IndexMatch($0, source: source.name, conjuncts: conjuncts) { $0.sourceNames.isEmpty } }
        .first { $0.hasEnd(of: aggregate.argument, source: source.name, among: conjuncts) }
      guard let match else { return nil }
      ends.append((aggregate, match))
    }
    for (aggregate, match) in ends {
      generator.indexExtremes.append(
        (aggregate.call, try IndexExtremes.sql(aggregate, match, source.name, schema, generator)))
    }
    var names: [String] = []
    for (_, match) in ends where !names.contains(match.index.name) { names.append(match.index.name) }
    step.index = names.joined(separator: ", ")
    step.readsDocuments = false
    step.indexedConditions =
      aggregates.map { query.text(of: $0.call) } + conjuncts.map { query.text(of: $0.expression) }
    step.unusedIndexes = IndexPlanner(query, source: source, schema, conjuncts, includesDeletedDocuments: false)
      .unused(excluding: names.first).filter { !names.contains($0.name) }
  }

  fileprivate struct Aggregate {
    let call: QueryExpression
    let argument: QueryExpression
    let isMaximum: Bool
  }

  /// Returns the calls to MIN and MAX; nil if there are none, or if the columns also read something else from the
  /// documents.
  private static func aggregates(of columns: [QueryExpression]) -> [Aggregate]? {
    var found: [Aggregate] = []
    func search(_ expression: QueryExpression) -> Bool {
      switch expression {
      case .function(let function, let arguments, false) where function == .minimum || function == .maximum:
        guard let argument = arguments.first else { return false }
        if !found.contains(where: { $0.call.isIdentical(to: expression) }) {
          found.append(Aggregate(call: expression, argument: argument, isMaximum: function == .maximum))
        }
        return true
      case .function(let function, _, _) where function.isAggregate: return false
      case .property, .everything, .metadata, .rank, .match: return false
      default: return expression.children.allSatisfy(search)
      }
    }
    guard columns.allSatisfy(search), !found.isEmpty else { return nil }
    // The values in an index are evaluated without the collation.
    return columns.contains(where: \.hasCollation) && found.contains { $0.argument.comparesValues } ? nil : found
  }

  private static func sql(
    _ aggregate: Aggregate, _ match: IndexMatch, _ source: String, _ schema: CollectionSchema,
    _ generator: SQLGenerator
  ) throws -> String {
    let number = match.equalityCount
    let column = try SourceWriter.indexColumn(number, match.index.columns[number], source, schema)
    var conditions = try match.constraints.map { number, constraint, _ in
      try generator.sql(
        constraint, column: "i0.k\(number)", exactColumn: "i0.e\(number)",
        collation: match.index.columns[number].collation)
    }
    // MIN and MAX ignore null and MISSING.
    conditions += ["\(column.key) IS NOT NULL", SourceWriter.unexpired("i0.doc", of: schema)]
    return "coalesce((SELECT \(column.exact) FROM \(match.index.tableName) AS i0 "
      + "WHERE \(SQLText.joined(conditions, by: "AND")) "
      + "ORDER BY \(column.key)\(aggregate.isMaximum ? " DESC" : "") LIMIT 1), \(SQLText.null))"
  }
}

extension IndexMatch {
  /// Whether the matching entries begin with the least and end with the greatest value of an expression. This holds if
  /// the expression is the first column that is not constrained to one value, and the index answers all conditions.
  fileprivate func hasEnd(of expression: QueryExpression, source: String, among conjuncts: [Conjunct]) -> Bool {
    guard !hasMembership, equalityCount < index.columns.count else { return false }
    let column = index.columns[equalityCount]
    guard column.collation == .binary, expression.isIdentical(to: column.expression.with(source: source))
    else { return false }
    let answered = constraints.filter { if case .prefix(_, isAll: false) = $0.constraint.test { false } else { true } }
    return Set(answered.map(\.conjunct) + impliedConjuncts).count == conjuncts.count
  }
}
