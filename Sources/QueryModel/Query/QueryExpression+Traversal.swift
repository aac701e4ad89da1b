import JSONText

extension QueryExpression {
  /// The expressions directly inside this one, in source order.
  public var children: [QueryExpression] {
    switch self {
    case .missing, .null, .boolean, .integer, .double, .string: []
    case .property, .everything, .metadata, .parameter, .variable, .rank: []
    case .array(let elements): elements
    case .dictionary(let entries): entries.map(\.value)
    case .member(let base, _): [base]
    case .negated(let x), .isValued(let x), .exists(let x), .not(let x), .collated(let x, _): [x]
    case .arithmetic(_, let x, let y), .comparison(_, let x, let y): [x, y]
    case .concatenation(let x, let y), .is(let x, let y), .in(let x, let y): [x, y]
    case .like(let x, let pattern), .ilike(let x, let pattern): [x, pattern]
    case .between(let x, let low, let high): [x, low, high]
    case .and(let operands), .or(let operands): operands
    case .conditional(let subject, let branches, let otherwise):
      [subject].compactMap { $0 } + branches.flatMap { [$0.when, $0.then] } + [otherwise].compactMap { $0 }
    case .quantified(_, _, let array, let condition): [array, condition]
    case .function(_, let arguments, _): arguments
    case .match(_, let query): [query]
    }
  }

  /// Calls `body` with this expression and every expression inside it, outermost first.
  ///
  /// ```swift
  /// expression.visit { if case .parameter(let name) = $0 { names.insert(name) } }
  /// ```
  public func visit<E: Error>(_ body: (QueryExpression) throws(E) -> Void) throws(E) {
    try body(self)
    for child in children { try child.visit(body) }
  }

  /// Whether this expression is a call to an aggregate function, such as COUNT.
  public var isAggregate: Bool {
    if case .function(let function, _, _) = self { function.isAggregate } else { false }
  }

  /// Returns whether this expression or one inside it satisfies a condition.
  public func contains(where test: (QueryExpression) -> Bool) -> Bool {
    test(self) || children.contains { $0.contains(where: test) }
  }

  /// Returns a copy in which every expression is replaced by the result of `transform`, innermost first.
  public func map(_ transform: (QueryExpression) -> QueryExpression) -> QueryExpression {
    transform(mapChildren { $0.map(transform) })
  }

  /// Returns a copy with the direct children replaced.
  public func mapChildren(_ change: (QueryExpression) -> QueryExpression) -> QueryExpression {
    switch self {
    case .missing, .null, .boolean, .integer, .double, .string: self
    case .property, .everything, .metadata, .parameter, .variable, .rank: self
    case .array(let elements): .array(elements.map(change))
    case .dictionary(let entries): .dictionary(entries.map { DictionaryEntry($0.key, change($0.value)) })
    case .member(let base, let path): change(base).member(at: path.components)
    case .negated(let x): .negated(change(x))
    case .isValued(let x): .isValued(change(x))
    case .exists(let x): .exists(change(x))
    case .not(let x): .not(change(x))
    case .collated(let x, let collation): .collated(change(x), collation)
    case .arithmetic(let symbol, let x, let y): .arithmetic(symbol, change(x), change(y))
    case .comparison(let symbol, let x, let y): .comparison(symbol, change(x), change(y))
    case .concatenation(let x, let y): .concatenation(change(x), change(y))
    case .is(let x, let y): .is(change(x), change(y))
    case .in(let x, let y): .in(change(x), change(y))
    case .like(let x, let pattern): .like(change(x), pattern: change(pattern))
    case .ilike(let x, let pattern): .ilike(change(x), pattern: change(pattern))
    case .between(let x, let low, let high): .between(change(x), low: change(low), high: change(high))
    case .and(let operands): .and(operands.map(change))
    case .or(let operands): .or(operands.map(change))
    case .conditional(let subject, let branches, let otherwise):
      .conditional(
        subject: subject.map(change),
        branches: branches.map { ConditionalBranch(when: change($0.when), then: change($0.then)) },
        otherwise: otherwise.map(change))
    case .quantified(let quantifier, let variable, let array, let condition):
      .quantified(quantifier, variable: variable, in: change(array), satisfies: change(condition))
    case .function(let function, let arguments, let isDistinct):
      .function(function, arguments.map(change), isDistinct: isDistinct)
    case .match(let index, let query): .match(index, query: change(query))
    }
  }
}

extension SelectQuery {
  /// All outermost expressions of the query, in the order of the clauses.
  public var expressions: [QueryExpression] {
    var all = columns.map(\.expression)
    for source in sources {
      if case .unnest(let array) = source.content { all.append(array) }
      if let condition = source.condition { all.append(condition) }
    }
    return all + [filter].compactMap { $0 } + grouping + [groupFilter].compactMap { $0 }
      + ordering.map(\.expression) + [limit, offset].compactMap { $0 }
  }

  /// Returns a copy in which every expression is replaced by the result of `transform`, innermost first.
  public func mapExpressions(_ transform: (QueryExpression) -> QueryExpression) -> SelectQuery {
    var copy = self
    copy.columns = columns.map { ResultColumn($0.expression.map(transform), alias: $0.alias) }
    copy.sources = sources.map { source in
      var source = source
      if case .unnest(let array) = source.content { source.content = .unnest(array.map(transform)) }
      source.condition = source.condition?.map(transform)
      return source
    }
    copy.filter = filter?.map(transform)
    copy.grouping = grouping.map { $0.map(transform) }
    copy.groupFilter = groupFilter?.map(transform)
    copy.ordering = ordering.map {
      SortTerm($0.expression.map(transform), isAscending: $0.isAscending, nulls: $0.nulls)
    }
    copy.limit = limit?.map(transform)
    copy.offset = offset?.map(transform)
    return copy
  }
}
