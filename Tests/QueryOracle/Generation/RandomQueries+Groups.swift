import JSONText
import QueryModel

/// GROUP BY, aggregates and HAVING.
///
/// Any row of a group may represent it, so a value computed from the keys of a group, from MIN or from MAX must be the
/// same for 1 and 1.0: they are compared, but not divided or joined into strings.
extension RandomQueries {
  mutating func grouped() -> SelectQuery {
    var query = SelectQuery(columns: [], sources: sources)
    query.grouping = expressions.several(1...2) { $0.groupKey() }
    let keys = query.grouping
    query.columns = columns(1...4) { $0.groupColumn(keys) }
    if expressions.choices.chance(8) { query.isDistinct = true }
    if expressions.choices.chance(2) { query.filter = expressions.condition(2) }
    if expressions.choices.chance(3) { query.groupFilter = expressions.groupCondition(keys, 1) }
    if expressions.choices.chance(3) { order(&query, keys) }
    return query
  }

  mutating func aggregate() -> SelectQuery {
    singleSource()
    if expressions.choices.chance(4) { return ends() }
    var query = SelectQuery(
      columns: columns(1...4) { $0.choices.chance(4) ? $0.derived([]) : $0.aggregate() }, sources: sources)
    if expressions.choices.chance(2) { query.filter = expressions.condition(2) }
    if expressions.choices.chance(6), !expressions.isPlain { query.groupFilter = expressions.groupCondition([], 1) }
    return query
  }

  /// Returns the least and the greatest value of a property, perhaps of a subset.
  private mutating func ends() -> SelectQuery {
    let kind = expressions.choices.one(of: [RandomSubject.Kind.number, .text, .any])
    let value = expressions.reference(kind)
    var query = SelectQuery(
      columns: [QueryFunction.minimum, .maximum].map { ResultColumn(.function($0, [value])) }, sources: sources)
    if expressions.choices.chance(2) {
      let symbol = expressions.choices.one(of: ComparisonOperator.allCases)
      let comparison = QueryExpression.comparison(symbol, value, expressions.expression(kind, 1))
      query.filter = expressions.choices.chance(3) ? .not(comparison) : comparison
    }
    return query
  }

  private mutating func order(_ query: inout SelectQuery, _ keys: [QueryExpression]) {
    if keys.contains(where: { $0.withoutCollation != $0 }) {
      // It is not specified which of a group's strings is returned, so the result cannot be sorted by such a column.
      if query.isDistinct { return }
      query.ordering = keys.map { SortTerm($0) }
    } else if query.isDistinct {
      // Duplicate rows are removed, so their sort keys must be equal as well.
      query.ordering = query.columns.map { term($0.expression) }
    } else {
      query.ordering = terms(0...1, of: query) { $0.aggregate() } + keys.map { SortTerm($0) }
    }
    limit(&query)
  }
}

extension RandomExpressions {
  fileprivate mutating func groupKey() -> QueryExpression {
    switch choices.number(0..<10) {
    case 0..<5: reference(choices.one(of: [.number, .text, .any]))
    case 5: .function(choices.one(of: [.lower, .upper, .length]), [reference(.text)])
    case 6: .arithmetic(.remainder, reference(.number), .integer(2))
    case 7: .function(.type, [reference(.any)])
    case 8: .collated(reference(.text), .asciiIgnoringCase)
    default: expression(.any, 2)
    }
  }

  mutating func aggregate() -> QueryExpression {
    let isDistinct = choices.chance(4) && !isPlain
    switch choices.number(0..<10) {
    case 0, 1: return .function(.count, [.everything(source: nil)])
    case 2, 3: return .function(.count, [expression(.any, 1)], isDistinct: isDistinct)
    case 4, 5: return .function(.sum, [expression(.number, 1)], isDistinct: isDistinct)
    case 6: return .function(.average, [expression(.number, 1)], isDistinct: isDistinct)
    default:
      let kind = choices.one(of: [RandomSubject.Kind.number, .text, .any])
      return .function(choices.one(of: [.minimum, .maximum]), [expression(kind, 1)], isDistinct: isDistinct)
    }
  }

  fileprivate mutating func groupColumn(_ keys: [QueryExpression]) -> QueryExpression {
    switch choices.number(0..<10) {
    case 0..<4:
      let key = choices.one(of: keys)
      return choices.chance(4) ? key.withoutCollation : key
    case 4..<8: return aggregate()
    default: return derived(keys)
    }
  }

  /// Returns an expression of aggregates and keys.
  fileprivate mutating func derived(_ keys: [QueryExpression]) -> QueryExpression {
    let count = QueryExpression.function(.count, [choices.chance(2) ? .everything(source: nil) : reference(.any)])
    switch choices.number(0..<7) {
    case 0:
      return .arithmetic(choices.one(of: [.add, .multiply, .divide, .remainder]), count, literal(.int64(2)))
    case 1: return .arithmetic(.add, .function(.sum, [reference(.number)]), count)
    case 2 where !isPlain: return .negated(.function(.sum, [reference(.number)]))
    case 3 where !isPlain:
      return .conditional(
        subject: nil,
        branches: [ConditionalBranch(when: .comparison(.greater, count, .integer(1)), then: literal(.text))],
        otherwise: keys.first { $0.withoutCollation == $0 } ?? .function(.maximum, [reference(.any)]))
    case 4: return .function(.ifMissingOrNull, [.function(.minimum, [reference(.any)]), literal(.text)])
    default: return groupCondition(keys, 1)
    }
  }

  /// Returns a condition on aggregates and keys.
  fileprivate mutating func groupCondition(_ keys: [QueryExpression], _ depth: Int) -> QueryExpression {
    if depth > 0, choices.chance(4) {
      let operands = several(2...2) { $0.groupCondition(keys, depth - 1) }
      switch choices.number(0..<3) {
      // Flat, as the builder creates it.
      case 0: return operands[0].and(operands[1])
      case 1: return operands[0].or(operands[1])
      default: return .not(operands[0])
      }
    }
    let symbol = choices.one(of: ComparisonOperator.allCases)
    switch choices.number(0..<6) {
    case 0, 1:
      return .comparison(
        symbol, .function(.count, [.everything(source: nil)]), literal(.int64(Int64(choices.number(1...2)))))
    case 2:
      let function = choices.one(of: [QueryFunction.minimum, .maximum])
      return .comparison(symbol, .function(function, [reference(.number)]), literal(.number))
    case 3:
      // Near 2^53 a sum may have a rounding error of one.
      let number = choices.one(of: RandomChoices.numbers.dropLast())
      return .comparison(symbol, .function(.sum, [reference(.number)]), literal(number))
    default:
      // With a collation, different strings are one key; only its existence is certain.
      guard let key = keys.first, key.withoutCollation == key else {
        return .isValued(keys.first?.withoutCollation ?? .function(.maximum, [reference(.any)]))
      }
      switch choices.number(0..<4) {
      case 0: return .is(key, choices.chance(2) || isPlain ? .null : .missing)
      case 1: return .in(key, .array(several(1...3) { $0.literal(.any) }))
      default: return .comparison(symbol, key, literal(.any))
      }
    }
  }
}

extension QueryExpression {
  /// The operand of a COLLATE, or the expression itself.
  var withoutCollation: QueryExpression {
    if case .collated(let inner, _) = self { return inner }
    return self
  }
}
