import JSONText

/// The comparison operators of predicates.
enum PredicateComparison: Hashable {
  case compare(ComparisonOperator)
  case between, beginsWith, contains, endsWith, like, matches, `in`

  /// Creates the comparison that a token denotes, or nil if it denotes none.
  init?(_ token: PredicateToken.Kind) {
    switch token {
    case .symbol(.equal), .symbol(.doubleEqual): self = .compare(.equal)
    case .symbol(.notEqual), .symbol(.lessGreater): self = .compare(.notEqual)
    case .symbol(.less): self = .compare(.less)
    case .symbol(.lessOrEqual), .symbol(.equalLess): self = .compare(.lessOrEqual)
    case .symbol(.greater): self = .compare(.greater)
    case .symbol(.greaterOrEqual), .symbol(.equalGreater): self = .compare(.greaterOrEqual)
    case .keyword(.between): self = .between
    case .keyword(.beginsWith): self = .beginsWith
    case .keyword(.contains): self = .contains
    case .keyword(.endsWith): self = .endsWith
    case .keyword(.like): self = .like
    case .keyword(.matches): self = .matches
    case .keyword(.in): self = .in
    default: return nil
    }
  }
}

extension PredicateComparison {
  /// The maximum number of expression levels that the condition adds above its operands.
  var levels: Int {
    switch self {
    case .like: 5
    case .beginsWith, .endsWith: 4
    default: 3
    }
  }

  /// Returns the collation for strings; nil for comparison by bytes. Regular expressions have flags instead.
  func collation(_ options: PredicateOptions) -> QueryCollation? {
    guard self != .matches, options.ignoresCase || options.ignoresAccents || options.isLocalized else { return nil }
    return .unicode(locale: nil, ignoresCase: options.ignoresCase, ignoresAccents: options.ignoresAccents)
  }

  /// The maximum number of times each operand occurs in the condition.
  var copies: Int {
    switch self {
    case .between, .contains, .in: 2
    default: 1
    }
  }
}

/// The option letters in brackets after a comparison: `[cd]`.
struct PredicateOptions: Hashable {
  var ignoresCase = false
  var ignoresAccents = false
  var isLocalized = false

  /// Creates the options from their letters, or nil if a letter is not an option.
  init?(_ letters: String) {
    for letter in letters.lowercased() {
      switch letter {
      case "c": ignoresCase = true
      case "d": ignoresAccents = true
      case "l": isLocalized = true
      // `n` states that both sides are already normalized.
      case "n": break
      default: return nil
      }
    }
  }

  init() {}

}

extension PredicateComparison {
  /// Returns the condition that compares two values.
  func condition(
    _ left: QueryExpression, _ right: QueryExpression, _ options: PredicateOptions
  ) -> QueryExpression {
    let collation = collation(options)
    let condition = condition(left, right, options, isCollated: collation != nil)
    return collation.map { .collated(condition, $0) } ?? condition
  }

  private func condition(
    _ left: QueryExpression, _ right: QueryExpression, _ options: PredicateOptions, isCollated: Bool
  ) -> QueryExpression {
    switch self {
    case .compare(.equal) where right == .null: .not(.isValued(left))
    case .compare(.equal) where left == .null: .not(.isValued(right))
    case .compare(.notEqual) where right == .null: .isValued(left)
    case .compare(.notEqual) where left == .null: .isValued(right)
    case .compare(let comparison): .comparison(comparison, left, right)
    case .between: PredicateComparison.between(left, right)
    case .beginsWith: PredicatePattern.begins(left, with: right, isCollated: isCollated)
    case .endsWith: PredicatePattern.ends(left, with: right, isCollated: isCollated)
    case .like: .like(left, pattern: PredicatePattern.like(right))
    case .matches:
      .function(.regexLike, [left, options.ignoresCase ? PredicatePattern.ignoringCase(right) : right])
    case .contains: PredicateComparison.contains(left, right)
    case .in: PredicateComparison.isIn(left, right)
    }
  }

  private static func between(_ value: QueryExpression, _ range: QueryExpression) -> QueryExpression {
    if case .array(let ends) = range, ends.count == 2 { return .between(value, low: ends[0], high: ends[1]) }
    return .between(value, low: range.member(at: [.position(0)]), high: range.member(at: [.position(1)]))
  }

  // MARK: Strings or arrays

  /// Returns the condition for `CONTAINS`, which applies to strings and arrays: the test for the type that the value
  /// does not have is never true.
  private static func contains(_ whole: QueryExpression, _ part: QueryExpression) -> QueryExpression {
    if case .array = whole { return .in(part, whole) }
    if case .string = whole { return .function(.contains, [whole, part]) }
    let isElement = QueryExpression.function(.arrayContains, [whole, part])
    if part.isLiteral, !part.isString { return isElement }
    return .or([.function(.contains, [whole, part]), isElement])
  }

  /// Returns the condition for `IN`. A parameter is always treated as an array, so that an index can look up its
  /// elements.
  private static func isIn(_ part: QueryExpression, _ whole: QueryExpression) -> QueryExpression {
    switch whole {
    case .string: return .function(.contains, [whole, part])
    case .array, .parameter: return .in(part, whole)
    default: break
    }
    if part.isLiteral, !part.isString { return .in(part, whole) }
    return .or([.in(part, whole), .function(.contains, [whole, part])])
  }
}

extension QueryExpression {
  /// Whether this is a literal constant.
  var isLiteral: Bool {
    switch self {
    case .missing, .null, .boolean, .integer, .double, .string, .array, .dictionary: true
    default: false
    }
  }

  var isString: Bool {
    if case .string = self { true } else { false }
  }
}
