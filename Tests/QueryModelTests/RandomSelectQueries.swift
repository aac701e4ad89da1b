import TestSupport
import JSONText
import QueryModel

/// Random queries of the forms that parsers create: names refer to the enclosing sources and variables.
struct RandomSelectQueries {
  private var random: SeededGenerator
  private var sources = SourceNames(of: [])
  private var variables: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func query() -> SelectQuery {
    variables = []
    sources = SourceNames(of: [])
    let content = self.content()
    sources = SourceNames(of: content)
    var query = SelectQuery(columns: [], sources: content.map { completed($0) })
    query.isDistinct = chance(3)
    query.columns = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      ResultColumn(chance(6) ? everything() : expression(3), alias: chance(2) ? name() : nil)
    }
    if chance(2) { query.filter = expression(4) }
    if chance(3) { query.grouping = expressions(1...2, 2) }
    if chance(4) { query.groupFilter = expression(2) }
    if chance(2) {
      query.ordering = expressions(1...2, 2).map {
        SortTerm(
          $0, isAscending: chance(2),
          nulls: chance(3) ? SortTerm.NullPlacement.allCases.randomElement(using: &random) : nil)
      }
    }
    if chance(3) { query.limit = expression(1) }
    if chance(3) { query.offset = expression(1) }
    return query
  }

  // MARK: Sources

  /// Returns sources with names and without conditions, which may refer to all of them.
  private mutating func content() -> [QuerySource] {
    var result: [QuerySource] = []
    for position in 0..<Int.random(in: 0...3, using: &random) {
      // Names that are not those of a property, because the same path would be ambiguous.
      let names = ["_", "hotel", "my-hotel", "order", "c.d", "Zoë"]
      let path = CollectionPath(names.randomElement(using: &random) ?? "_", scope: chance(3) ? name() : nil)
      var source = QuerySource(
        .collection(path), join: position == 0 ? nil : JoinKind.allCases.randomElement(using: &random))
      if position > 0, chance(3) {
        source.content = .unnest(.array([]))
        if source.join == .cross { source.join = .inner }
      }
      if chance(2) || position > 0 { source.alias = ["h", "the `h`", "from"][position] }
      result.append(source)
    }
    return result
  }

  private mutating func completed(_ source: QuerySource) -> QuerySource {
    var source = source
    switch source.content {
    case .unnest: source.content = .unnest(expression(2))
    case .collection: if source.join == .inner || source.join == .left { source.condition = expression(2) }
    }
    return source
  }

  // MARK: Expressions

  mutating func expression(_ depth: Int) -> QueryExpression {
    guard depth > 0 else { return leaf() }
    let next = depth - 1
    switch Int.random(in: 0..<30, using: &random) {
    case 0: return .array(expressions(0...3, next))
    case 1: return .dictionary(expressions(0...3, next).map { DictionaryEntry(name(), $0) })
    case 2: return .negated(expression(next))
    case 3, 4:
      return .arithmetic(
        ArithmeticOperator.allCases.randomElement(using: &random) ?? .add, expression(next), expression(next))
    case 5: return .concatenation(expression(next), expression(next))
    case 6, 7, 8:
      return .comparison(
        ComparisonOperator.allCases.randomElement(using: &random) ?? .equal, expression(next), expression(next))
    case 9: return .is(expression(next), chance(2) ? .null : expression(next))
    case 10: return .isValued(expression(next))
    case 11: return .in(expression(next), .array(expressions(0...3, next)))
    case 12: return .in(expression(next), expression(next))
    case 13: return .between(expression(next), low: expression(next), high: expression(next))
    case 14:
      return chance(2)
        ? .like(expression(next), pattern: expression(next)) : .ilike(expression(next), pattern: expression(next))
    case 15: return .exists(expression(next))
    case 16, 17, 18: return .not(expression(next))
    case 19, 20: return .and(expressions(2...4, next))
    case 21, 22: return .or(expressions(2...4, next))
    case 23: return .collated(expression(next), collation())
    case 24:
      let branches = zip(expressions(1...2, next), expressions(2...2, next)).map {
        ConditionalBranch(when: $0, then: $1)
      }
      return .conditional(
        subject: chance(2) ? expression(next) : nil, branches: branches, otherwise: chance(2) ? expression(next) : nil)
    case 25: return quantified(next)
    case 26: return function(next)
    case 27: return .match(index(), query: expression(next))
    case 28:
      let base = expression(next)
      if case .metadata(nil, _) = base { return base }
      return base.member(at: steps(1...2))
    default: return leaf()
    }
  }

  private mutating func leaf() -> QueryExpression {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .missing
    case 1: return .null
    case 2: return .boolean(chance(2))
    case 3: return .integer([0, 1, -1, 42, .max, .min].randomElement(using: &random) ?? 0)
    case 4:
      return .double(
        [0.5, -1.5, 1e300, .leastNonzeroMagnitude, -0.0, 1 / 3, 9.3e18].randomElement(using: &random) ?? 0)
    case 5:
      return .string(
        ["", "x", "it's", "\"", "`", "\\", "a\0b", "\u{301}", "%_", "😀", "-- x"].randomElement(using: &random) ?? "")
    case 6: return .parameter(["p", "1", "odd name", "and", "ü"].randomElement(using: &random) ?? "p")
    case 7: return .rank(index())
    case 8: return everythingOrNull()
    case 9: return .metadata(chance(4) ? nil : MetadataField.allCases.randomElement(using: &random), source: source())
    case 10:
      guard let variable = variables.randomElement(using: &random) else { fallthrough }
      return .variable(variable, PropertyPath(steps(0...2)))
    default: return .property(PropertyPath([.key(name())] + steps(0...2)), source: source())
    }
  }

  /// A star alone is valid in few places; with a source it is valid everywhere.
  private mutating func everythingOrNull() -> QueryExpression {
    source().map { .everything(source: $0) } ?? .null
  }

  private mutating func everything() -> QueryExpression { .everything(source: source()) }

  private mutating func quantified(_ depth: Int) -> QueryExpression {
    let array = expression(depth)
    let variable = ["v", "w", "each one", "like"].randomElement(using: &random) ?? "v"
    variables.append(variable)
    defer { variables.removeLast() }
    let quantifier = Quantifier.allCases.randomElement(using: &random) ?? .any
    return .quantified(quantifier, variable: variable, in: array, satisfies: expression(depth))
  }

  private mutating func function(_ depth: Int) -> QueryExpression {
    let function = QueryFunction.allCases.randomElement(using: &random) ?? .abs
    let (minimum, maximum) = function.argumentCount
    if function == .count, chance(2) { return .function(.count, [.everything(source: nil)]) }
    let arguments = expressions(minimum...(maximum ?? minimum + 2), depth)
    return .function(function, arguments, isDistinct: function.isAggregate && chance(2))
  }

  private mutating func collation() -> QueryCollation {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .binary
    case 1: .asciiIgnoringCase
    default:
      .unicode(
        locale: [nil, "de", "en_US", "es-419", "odd one"].randomElement(using: &random) ?? nil, ignoresCase: chance(2),
        ignoresAccents: chance(2))
    }
  }

  // MARK: Names

  private mutating func index() -> FullTextIndexName {
    FullTextIndexName(["i", "my index", "order"].randomElement(using: &random) ?? "i", source: source())
  }

  private mutating func source() -> String? {
    chance(3) ? nil : sources.all.randomElement(using: &random)
  }

  private mutating func name() -> String {
    [
      "a", "b1", "_c", "two words", "select", "Exists", "some", "all", "a.b", "x[0]", "`", "\\", "_id", "null", "é",
      "0a", "", "meta", "?", "$", "e3",
    ]
    .randomElement(using: &random) ?? "a"
  }

  private mutating func steps(_ count: ClosedRange<Int>) -> [PropertyPath.Component] {
    (0..<Int.random(in: count, using: &random)).map { _ in
      chance(3) ? .position(.random(in: -2...5, using: &random)) : .key(name())
    }
  }

  private mutating func expressions(_ count: ClosedRange<Int>, _ depth: Int) -> [QueryExpression] {
    (0..<Int.random(in: count, using: &random)).map { _ in expression(depth) }
  }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &random) == 0
  }
}
