import Foundation
import JSONText
import QueryModel

extension PredicateExpressions.SequenceContains: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    if LHS.Output.self is any StringProtocol.Type {
      let contains = QueryExpression.function(.contains, [try context.value(sequence), try context.value(element)])
      return expected ? contains : .not(contains)
    }
    if let range = try context.range(sequence) { return try range.contains(context.value(element), is: expected) }
    if sequence is any FilteredSequence {
      let any = try context.quantified(.any, over: sequence) { variable in
        .comparison(.equal, .variable(variable, PropertyPath([])), try context.value(element))
      }
      return expected ? any : .not(any)
    }
    guard try context.constant(sequence) != nil, case .array(let list) = try context.value(sequence) else {
      return try isElement(expected, in: context)
    }
    return try isListed(list, expected, in: context)
  }

  /// Returns the condition that an array of the document contains the element. Nil matches null.
  private func isElement(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    var value = try context.value(element)
    if try context.nilCondition(element, is: true) != nil { value = .function(.ifMissing, [value, .null]) }
    let contains = QueryExpression.function(.arrayContains, [try context.value(sequence), value])
    return expected ? contains : .not(contains)
  }

  /// Returns the condition that a captured list contains the element, as `IN`, which can use an index.
  private func isListed(
    _ list: [QueryExpression], _ expected: Bool, in context: PredicateContext
  ) throws -> QueryExpression {
    let values = list.filter { $0 != .null }
    let membership = QueryExpression.in(try context.value(element), .array(values))
    let condition = expected ? membership : .not(membership)
    guard let isNil = try context.nilCondition(element, is: true) else { return condition }
    return (values.count < list.count) == expected ? condition.or(isNil) : condition
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let any = try context.quantified(.any, over: sequence) { name in
      context.bindings[variable.key] = .variable(name, PropertyPath([]))
      return try context.condition(test, is: true)
    }
    return expected ? any : .not(any)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let every = try context.quantified(.every, over: sequence) { name in
      context.bindings[variable.key] = .variable(name, PropertyPath([]))
      return try context.condition(test, is: true)
    }
    return expected ? every : .not(every)
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    .function(.arrayMinimum, [try context.value(elements)])
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    .function(.arrayMaximum, [try context.value(elements)])
  }
}

// MARK: Filters

/// A sequence that is filtered by a condition. A query cannot use it as a value, but can test its elements with a
/// quantifier.
protocol FilteredSequence {
  /// Returns the condition that at least one element passes the filter.
  func anyElement(in context: PredicateContext) throws -> QueryExpression

  /// Returns the condition that any or every element that passes the filter satisfies a condition.
  ///
  /// - Parameter condition: builds the condition from the name of the element variable.
  func quantified(
    _ quantifier: Quantifier, in context: PredicateContext, _ condition: (String) throws -> QueryExpression
  ) throws -> QueryExpression
}

extension PredicateExpressions.Filter: FilteredSequence {
  func anyElement(in context: PredicateContext) throws -> QueryExpression {
    try quantified(.any, in: context) { _ in .boolean(true) }
  }

  func quantified(
    _ quantifier: Quantifier, in context: PredicateContext, _ condition: (String) throws -> QueryExpression
  ) throws -> QueryExpression {
    try context.quantified(quantifier, over: sequence) { name in
      context.bindings[variable.key] = .variable(name, PropertyPath([]))
      let filterCondition = try context.condition(filter, is: quantifier == .any)
      let test = try condition(name)
      if quantifier == .any { return test == .boolean(true) ? filterCondition : filterCondition.and(test) }
      return filterCondition.or(test)
    }
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    throw PredicateContext.unsupported(
      self, "filtered elements support only isEmpty, contains, and a comparison of count with 0")
  }
}

extension PredicateContext {
  /// Returns the condition that any or every element of a sequence satisfies a condition.
  ///
  /// - Parameter condition: builds the condition from the name of the element variable.
  fileprivate func quantified<S: PredicateExpression>(
    _ quantifier: Quantifier, over sequence: S, _ condition: (String) throws -> QueryExpression
  ) throws -> QueryExpression {
    if let filter = sequence as? any FilteredSequence {
      return try filter.quantified(quantifier, in: self, condition)
    }
    guard !(S.Output.self is any StringProtocol.Type), !(S.Output.self is any KeyedValues.Type) else {
      throw PredicateContext.unsupported(
        sequence, "a \(S.Output.self) is not stored as an array, so its elements cannot be tested")
    }
    let array = try value(sequence)
    return try withElement { name in
      .quantified(quantifier, variable: name, in: array, satisfies: try condition(name))
    }
  }
}

/// A dictionary, whatever the types of its keys and values. Used to detect dictionary types.
protocol KeyedValues {}

extension Dictionary: KeyedValues {}
