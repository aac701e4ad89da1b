import JSONText
import QueryModel

/// Random, meaningful queries over the documents of ``RandomDocuments``.
struct RandomQueries {
  var expressions: RandomExpressions
  var sources: [QuerySource] = []

  init(choices: RandomChoices) {
    expressions = RandomExpressions(choices: choices, subjects: [])
  }

  mutating func query(_ shape: RandomShape) -> SelectQuery {
    switch shape {
    case .filter: return filter()
    case .projection: return projection()
    case .ordering: return ordering()
    case .grouping:
      switch expressions.choices.number(0..<6) {
      case 0: joinSources()
      case 1 where !expressions.isPlain: unnestSources()
      default: singleSource()
      }
      return grouped()
    case .aggregate: return aggregate()
    case .distinct: return distinct()
    case .join:
      joinSources()
      return combined()
    case .unnest:
      unnestSources()
      return combined()
    case .quantifier: return quantifier()
    case .parameters:
      expressions.parameterIDF = 2
      let shape = expressions.choices.one(of: [RandomShape.filter, .projection, .ordering])
      return query(shape)
    }
  }

  // MARK: Shapes

  private mutating func filter() -> SelectQuery {
    singleSource()
    var columns = [ResultColumn(.metadata(.id, source: nil))]
    columns += expressions.several(0...2) { ResultColumn($0.reference(.any)) }
    if expressions.choices.chance(8) { columns.append(ResultColumn(.everything(source: nil))) }
    return SelectQuery(columns: columns, sources: sources, filter: expressions.condition(4))
  }

  private mutating func projection() -> SelectQuery {
    singleSource()
    if expressions.choices.chance(15) {
      sources = []
      expressions.subjects = [.nothing]
    }
    var query = SelectQuery(columns: columns(1...4) { $0.anyKind(4) }, sources: sources)
    if !sources.isEmpty, expressions.choices.chance(2) { query.filter = expressions.condition(2) }
    return query
  }

  private mutating func ordering() -> SelectQuery {
    singleSource()
    var query = SelectQuery(
      columns: [ResultColumn(.metadata(.id, source: nil))] + columns(0...2) { $0.anyKind(2) }, sources: sources)
    if expressions.choices.chance(4) { shadow(in: &query) }
    if expressions.choices.chance(3) { query.filter = expressions.condition(2) }
    query.ordering = terms(1...2, of: query) { $0.anyKind(2) }
    query.ordering.append(term(.metadata(.id, source: nil)))
    limit(&query)
    return query
  }

  private mutating func distinct() -> SelectQuery {
    singleSource()
    var query = SelectQuery(
      isDistinct: true,
      columns: columns(1...3) { expressions in
        expressions.choices.chance(2) ? expressions.reference(.any) : expressions.collated(expressions.anyKind(2))
      }, sources: sources)
    if expressions.choices.chance(2) { query.filter = expressions.condition(2) }
    guard expressions.choices.chance(2) else { return query }
    // Sort keys must be columns, because only one of several equal rows remains.
    query.ordering = query.columns.map { column in
      guard let alias = column.alias, column.expression.withoutCollation == column.expression else {
        return term(column.expression)
      }
      return term(.property(PropertyPath([.key(alias)]), source: nil))
    }
    limit(&query)
    return query
  }

  /// Returns a query over several sources.
  private mutating func combined() -> SelectQuery {
    let ids = expressions.subjects.compactMap { subject -> QueryExpression? in
      guard case .document(let source?) = subject else { return nil }
      return .metadata(.id, source: source)
    }
    var all = ids.map { ResultColumn($0) } + columns(1...3) { $0.anyKind(2) }
    for name in SourceNames(of: sources).all where expressions.choices.chance(4) {
      all.append(ResultColumn(.everything(source: name)))
    }
    var query = SelectQuery(columns: all, sources: sources)
    if !expressions.choices.chance(3) { query.filter = expressions.condition(2) }
    if expressions.choices.chance(3) {
      query.ordering = terms(0...1, of: query) { $0.anyKind(1) } + ids.map { SortTerm($0) }
      limit(&query)
    }
    return query
  }

  private mutating func quantifier() -> SelectQuery {
    singleSource()
    var query = SelectQuery(columns: [ResultColumn(.metadata(.id, source: nil))], sources: sources)
    if expressions.choices.chance(3) { query.columns.append(ResultColumn(expressions.quantified(2))) }
    query.filter = expressions.quantified(3)
    if expressions.choices.chance(3), let filter = query.filter {
      query.filter = expressions.choices.chance(2) ? filter.and(expressions.condition(1)) : .not(filter)
    }
    return query
  }
}

extension RandomExpressions {
  mutating func anyKind(_ depth: Int) -> QueryExpression {
    switch choices.number(0..<8) {
    case 0, 1: compound(.number, depth)
    case 2, 3: compound(.text, depth)
    case 4: compound(.any, depth)
    case 5: expression(.any, depth)
    case 6: compound(.list, depth)
    default: condition(depth)
    }
  }
}
