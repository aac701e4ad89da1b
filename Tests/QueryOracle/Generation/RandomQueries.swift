import JSONText
import QueryModel

/// Random queries that make sense over the documents of ``RandomDocuments``.
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
      case 1: unnestSources()
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
      expressions.parameterRarity = 2
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
    // What is sorted by must be a column: of rows that are the same only one is left.
    query.ordering = query.columns.map { column in
      term(column.alias.map { .property(PropertyPath([.key($0)]), source: nil) } ?? column.expression)
    }
    limit(&query)
    return query
  }

  /// Over several sources.
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

  // MARK: Parts

  /// Columns, some with an alias. No alias is the name of a property.
  mutating func columns(
    _ count: ClosedRange<Int>, _ make: (inout RandomExpressions) -> QueryExpression
  ) -> [ResultColumn] {
    let aliases = ["first", "total", "two words", "Größe", "alias"]
    return expressions.several(count, make).enumerated().map { position, expression in
      ResultColumn(expression, alias: expressions.choices.chance(3) ? aliases[position] : nil)
    }
  }

  /// Sort terms, some of them aliases of columns.
  mutating func terms(
    _ count: ClosedRange<Int>, of query: SelectQuery, _ make: (inout RandomExpressions) -> QueryExpression
  ) -> [SortTerm] {
    let aliases = query.columns.compactMap(\.alias)
    return expressions.several(count, make).map { expression in
      guard !aliases.isEmpty, expressions.choices.chance(2) else { return term(expression) }
      return term(.property(PropertyPath([.key(expressions.choices.one(of: aliases))]), source: nil))
    }
  }

  mutating func term(_ expression: QueryExpression) -> SortTerm {
    let nulls = expressions.choices.chance(3) ? expressions.choices.one(of: SortTerm.NullPlacement.allCases) : nil
    let sorted = expressions.choices.chance(8) ? .collated(expression, expressions.collation()) : expression
    return SortTerm(sorted, isAscending: !expressions.choices.chance(3), nulls: nulls)
  }

  mutating func limit(_ query: inout SelectQuery) {
    let limits = [-1, 0, 1, 2, 2, 3, 3, 4, 5, 20]
    if expressions.choices.chance(2) {
      query.limit = expressions.literal(.int64(Int64(expressions.choices.one(of: limits))))
    }
    if expressions.choices.chance(3) {
      query.offset = expressions.literal(.int64(Int64(expressions.choices.number(-1...3))))
    }
  }

  /// Gives a column the name of a property, which then means the column in the other clauses.
  private mutating func shadow(in query: inout SelectQuery) {
    guard let last = query.columns.last, query.columns.count > 1, last.alias == nil else { return }
    var isRead = false
    for column in query.columns {
      column.expression.visit { part in
        if case .property(let path, nil) = part, path.components.first == .key("b") { isRead = true }
      }
    }
    // What the name would mean inside of columns is not said.
    if !isRead { query.columns[query.columns.count - 1].alias = "b" }
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
