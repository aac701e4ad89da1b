import JSONText
import PatternMatching
import QueryModel

/// An operand of the top-level AND of a condition, with its collation.
struct Conjunct {
  let expression: QueryExpression
  let inner: QueryExpression
  let collation: QueryCollation
  /// The constraints on individual expressions that the condition implies; a comparison has one for each side.
  let constraints: [Constraint]

  init(_ expression: QueryExpression, inner: QueryExpression, collation: QueryCollation) {
    self.expression = expression
    self.inner = inner
    self.collation = collation
    constraints = Constraint.all(of: inner, collation)
  }

  /// Returns whether two conjuncts are the same condition.
  func isEquivalent(_ other: Conjunct) -> Bool { collation == other.collation && inner.isIdentical(to: other.inner) }

  /// Returns the conjuncts of a condition.
  static func all(of condition: QueryExpression?, collation: QueryCollation = .binary) -> [Conjunct] {
    guard let condition else { return [] }
    return condition.conjuncts.flatMap { operand -> [Conjunct] in
      if case .collated(let inner, let chosen) = operand {
        if case .and = inner {
          return all(of: inner, collation: chosen).map {
            Conjunct(.collated($0.expression, chosen), inner: $0.inner, collation: $0.collation)
          }
        }
        let lifted = inner.liftingCollation
        return [Conjunct(operand, inner: lifted?.expression ?? inner, collation: lifted?.collation ?? chosen)]
      }
      if let (lifted, chosen) = operand.liftingCollation {
        return [Conjunct(operand, inner: lifted, collation: chosen)]
      }
      return [Conjunct(operand, inner: operand, collation: collation)]
    }
  }
}

/// A constraint on one expression in a form that an index can answer.
struct Constraint {
  enum Test {
    case equal(QueryExpression)
    case among([QueryExpression])
    case amongElements(QueryExpression)
    case compared(ComparisonOperator, QueryExpression)
    case between(QueryExpression, QueryExpression)
    /// Strings with a prefix; `isAll` is true if the condition is true for all of them.
    case prefix(String, isAll: Bool)
    case isNull, isMissing, isValued
  }

  let target: QueryExpression
  let collation: QueryCollation
  let test: Test

  /// Whether the constraint fixes the target to one value, so that the next column of an index is sorted among the
  /// matching entries.
  var isEquality: Bool {
    switch test {
    case .equal, .isNull, .isMissing: true
    default: false
    }
  }

  var isMembership: Bool {
    switch test {
    case .among, .amongElements: true
    default: false
    }
  }

  /// The expressions that the target is compared with.
  var values: [QueryExpression] {
    switch test {
    case .equal(let value), .amongElements(let value), .compared(_, let value): [value]
    case .among(let values): values
    case .between(let low, let high): [low, high]
    case .prefix, .isNull, .isMissing, .isValued: []
    }
  }

  /// Whether the target or a value contains a comparison that follows the collation. Indexes contain values that are
  /// evaluated without it.
  var dependsOnCollation: Bool { ([target] + values).contains { $0.depends(on: collation) } }

  /// Returns the constraints of a condition, one for each side of a comparison.
  fileprivate static func all(of condition: QueryExpression, _ collation: QueryCollation) -> [Constraint] {
    func constraint(_ target: QueryExpression, _ test: Test) -> [Constraint] {
      [Constraint(target: target, collation: collation, test: test)]
    }
    switch condition {
    case .comparison(.equal, let one, let other):
      return constraint(one, .equal(other)) + constraint(other, .equal(one))
    case .comparison(.notEqual, _, _): return []
    case .comparison(let symbol, let one, let other):
      return constraint(one, .compared(symbol, other)) + constraint(other, .compared(symbol.flipped, one))
    case .not(.comparison(let symbol, let one, let other)) where condition.children[0].liftingCollation == nil:
      // For null and MISSING, neither a comparison nor its opposite is true.
      return all(of: .comparison(symbol.opposite, one, other), collation)
    case .is(let value, .null): return constraint(value, .isNull)
    case .is(let value, .missing): return constraint(value, .isMissing)
    case .is(let one, let other): return constraint(one, .equal(other)) + constraint(other, .equal(one))
    case .isValued(let value): return constraint(value, .isValued)
    case .in(let value, .array(let elements)): return constraint(value, .among(elements))
    case .in(let value, let list): return constraint(value, .amongElements(list))
    case .between(let value, let low, let high): return constraint(value, .between(low, high))
    case .like(let text, .string(let pattern)):
      guard collation == .binary, let (prefix, isAll) = LikePattern(pattern).prefix else { return [] }
      return constraint(text, .prefix(prefix, isAll: isAll))
    default: return []
    }
  }
}

extension ComparisonOperator {
  fileprivate var opposite: ComparisonOperator {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .equal: .notEqual
    case .notEqual: .equal
    }
  }

  fileprivate var flipped: ComparisonOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    }
  }
}

extension LikePattern {
  /// The literal prefix of a pattern, and whether the rest is a single `%`; nil if the pattern begins with a wildcard.
  fileprivate var prefix: (text: String, isAll: Bool)? {
    let bytes = literalPrefix
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return (text, tokens.count == 2 && tokens.last == .anyRun)
  }
}
