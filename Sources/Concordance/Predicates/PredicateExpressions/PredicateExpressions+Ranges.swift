import Foundation
import QueryModel

extension PredicateExpressions.RangeExpressionContains: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard let range = try context.range(range) else { throw PredicateContext.unsupported(self) }
    return try range.contains(context.value(element), is: expected)
  }
}

extension PredicateExpressions.Range: TranslatableExpression, BoundedRange {
  func value(in context: PredicateContext) throws -> QueryExpression { throw PredicateContext.unsupported(self) }

  func bounds(in context: PredicateContext) throws -> RangeBounds {
    RangeBounds(lower: try context.value(lower), upper: try context.value(upper), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression, BoundedRange {
  func value(in context: PredicateContext) throws -> QueryExpression { throw PredicateContext.unsupported(self) }

  func bounds(in context: PredicateContext) throws -> RangeBounds {
    RangeBounds(lower: try context.value(lower), upper: try context.value(upper), includesUpper: true)
  }
}

/// The bounds of a range; nil for a bound that the range does not have.
struct RangeBounds {
  var lower: QueryExpression?
  var upper: QueryExpression?
  var includesUpper = true

  /// Returns the condition that a value is in the range, or that it is outside the range.
  func contains(_ value: QueryExpression, is expected: Bool) -> QueryExpression {
    let condition: QueryExpression
    switch (lower, upper) {
    case (let lower?, let upper?) where includesUpper: condition = .between(value, low: lower, high: upper)
    case (let lower?, let upper?):
      condition = .and([.comparison(.greaterOrEqual, value, lower), .comparison(.less, value, upper)])
    case (let lower?, nil): condition = .comparison(.greaterOrEqual, value, lower)
    case (nil, let upper?): condition = .comparison(includesUpper ? .lessOrEqual : .less, value, upper)
    case (nil, nil): return .boolean(expected)
    }
    return expected ? condition : .not(condition)
  }
}

/// A range that is created inside a predicate. Its bounds are translated separately: creating the range could trap,
/// because Swift requires that the lower bound is not greater than the upper bound.
protocol BoundedRange {
  /// Returns the translated bounds.
  func bounds(in context: PredicateContext) throws -> RangeBounds
}

/// A range that a predicate has captured.
protocol CapturedRange {
  /// Returns the bounds as literals.
  func bounds() throws -> RangeBounds
}

extension Range: CapturedRange {
  func bounds() throws -> RangeBounds {
    RangeBounds(
      lower: try CapturedValue.expression(of: lowerBound), upper: try CapturedValue.expression(of: upperBound),
      includesUpper: false)
  }
}

extension ClosedRange: CapturedRange {
  func bounds() throws -> RangeBounds {
    RangeBounds(
      lower: try CapturedValue.expression(of: lowerBound), upper: try CapturedValue.expression(of: upperBound))
  }
}

extension PartialRangeFrom: CapturedRange {
  func bounds() throws -> RangeBounds { RangeBounds(lower: try CapturedValue.expression(of: lowerBound)) }
}

extension PartialRangeThrough: CapturedRange {
  func bounds() throws -> RangeBounds { RangeBounds(upper: try CapturedValue.expression(of: upperBound)) }
}

extension PartialRangeUpTo: CapturedRange {
  func bounds() throws -> RangeBounds {
    RangeBounds(upper: try CapturedValue.expression(of: upperBound), includesUpper: false)
  }
}

extension PredicateContext {
  /// Returns the bounds of a range; nil if the part is not a range.
  func range<P: PredicateExpression>(_ part: P) throws -> RangeBounds? {
    if let range = part as? any BoundedRange { return try range.bounds(in: self) }
    return try (constant(part)?.value as? any CapturedRange)?.bounds()
  }
}
