import Foundation
import QueryModel

/// A part of a predicate that can be translated to a query.
///
/// A part that is a value has a ``value(in:)``; one that is true or false has ``condition(_:in:)``, and one that may be nil
/// ``nilCondition(_:in:)``. The last two say when something is so and are true only then: where it is not so they may be
/// unknown, as comparisons with what is missing are. So each says both, when it is so and when not, and nothing needs `NOT`
/// of what may be unknown.
protocol TranslatableExpression {
  /// Whether the part is the same for every document, and can be evaluated without one.
  var isConstant: Bool { get }

  /// The value; null or missing for nil.
  func value(in context: PredicateContext) throws -> QueryExpression

  /// The condition that the part is true, or is false.
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression

  /// The condition that the part is nil, or is not; nil where its type has no nil.
  func nilCondition(_ isNil: Bool, in context: PredicateContext) throws -> QueryExpression?

  /// The condition that there is any element, of a part that counts elements with a separate condition.
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

/// A part that is true or false and has no value in a document.
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
  /// Whether this is either true or false, never unknown, for every document.
  fileprivate var isNeverUnknown: Bool {
    switch self {
    case .isValued, .boolean: true
    case .not(let inner): inner.isNeverUnknown
    case .and(let operands), .or(let operands): operands.allSatisfy(\.isNeverUnknown)
    default: false
    }
  }
}

/// An optional of any type.
protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  var wrappedValue: Any? { self }
}
