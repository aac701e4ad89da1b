import Foundation
import QueryModel

/// A part of a predicate that can be translated to a query. Types of `PredicateExpressions` conform to it.
///
/// Swift has two truth values, but a query condition may also be unknown (null or missing), for example a comparison
/// with a missing value. So ``condition(_:in:)`` and ``nilCondition(_:in:)`` return a condition that is true if and
/// only if the part has the expected state, and that is false or unknown otherwise. Each takes the expected state as a
/// parameter, so that no translation has to negate a condition that may be unknown.
protocol TranslatableExpression {
  /// Whether the part has the same value for every document, so that it can be evaluated without one.
  var isConstant: Bool { get }

  /// Returns the value of the part, which is null or missing if the part is nil.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the part cannot be translated. The other methods throw the same error.
  func value(in context: PredicateContext) throws -> QueryExpression

  /// Returns the condition that the part is equal to `expected`.
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression

  /// Returns the condition that the part is nil, or that it is not nil if `isNil` is false. Returns nil if the type of
  /// the part is not optional.
  func nilCondition(_ isNil: Bool, in context: PredicateContext) throws -> QueryExpression?

  /// Returns the condition that at least one element passes the filter, if the part is the count of a filtered
  /// sequence; otherwise nil.
  func anyCounted(in context: PredicateContext) throws -> QueryExpression?
}

extension TranslatableExpression where Self: PredicateExpression {
  var isConstant: Bool { false }

  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let value = try value(in: context)
    return expected ? value : .not(value)
  }

  func nilCondition(_ isNil: Bool, in context: PredicateContext) throws -> QueryExpression? {
    guard Output.self is any OptionalValue.Type else { return nil }
    let isValued = QueryExpression.isValued(try value(in: context))
    return isNil ? .not(isValued) : isValued
  }

  func anyCounted(in context: PredicateContext) throws -> QueryExpression? { nil }
}

/// A part whose value is the result of a condition, such as a comparison. Its value is derived from its condition.
protocol TranslatableCondition: TranslatableExpression {}

extension TranslatableCondition where Self: PredicateExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    let condition = try condition(true, in: context)
    if case .boolean = condition { return condition }
    if condition.isNeverUnknown { return condition }
    return .function(.ifMissingOrNull, [condition, .boolean(false)])
  }
}

extension QueryExpression {
  /// Whether the condition is either true or false for every document, and never unknown.
  fileprivate var isNeverUnknown: Bool {
    switch self {
    case .isValued, .boolean: true
    case .not(let inner): inner.isNeverUnknown
    case .and(let operands), .or(let operands): operands.allSatisfy(\.isNeverUnknown)
    default: false
    }
  }
}

/// An optional, whatever its wrapped type. Used to unwrap values of unknown type.
protocol OptionalValue {
  /// The wrapped value as `Any`; nil if there is none.
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  var wrappedValue: Any? { self }
}
