import Foundation
import JSONText
import QueryModel

extension PredicateExpressions.CollectionContainsCollection: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
      throw PredicateContext.unsupported(self, "contains with a sequence is supported only for strings")
    }
    let contains = QueryExpression.function(.contains, [try context.value(base), try context.value(other)])
    return expected ? contains : .not(contains)
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
      throw PredicateContext.unsupported(self, "starts(with:) is supported only for strings")
    }
    let begins = try context.value(base).begins(with: context.value(prefix))
    return expected ? begins : .not(begins)
  }
}

extension PredicateExpressions.StringContainsRegex: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard let regex = try context.constant(regex)?.value as? PredicateExpressions.PredicateRegex else {
      throw PredicateContext.unsupported(self, "a regular expression must be a captured value")
    }
    let contains = QueryExpression.function(
      .regexContains, [try context.value(subject), .string(regex.stringRepresentation)])
    return expected ? contains : .not(contains)
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
  var isConstant: Bool { areConstant(wrapped, index) }

  func value(in context: PredicateContext) throws -> QueryExpression {
    guard !(wrapped is any FilteredSequence), let position = try context.constant(index)?.value as? Int, position >= 0
    else {
      throw PredicateContext.unsupported(self, "the position in an array must be a captured number, 0 or more")
    }
    return try context.value(wrapped).member(at: [.position(position)])
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableExpression {
  var isConstant: Bool { areConstant(wrapped, key) }

  func value(in context: PredicateContext) throws -> QueryExpression {
    try context.member(of: context.value(wrapped), at: context.constant(key))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    let member = try context.member(of: context.value(wrapped), at: context.constant(key))
    return .function(.ifMissingOrNull, [member, try context.value(`default`)])
  }
}

extension PredicateContext {
  /// Returns the value of a key in a dictionary. `Codable` writes integer keys as strings.
  fileprivate func member(of dictionary: QueryExpression, at key: Constant?) throws -> QueryExpression {
    switch key?.unwrapped {
    case let key as String: return dictionary.member(at: [.key(key)])
    case let key as Int: return dictionary.member(at: [.key(String(key))])
    default:
      throw PredicateContext.unsupported(dictionary, "the key of a dictionary must be a captured string or number")
    }
  }
}

/// Returns whether all parts have the same value for every document.
private func areConstant(_ parts: any PredicateExpression...) -> Bool {
  parts.allSatisfy { ($0 as? any TranslatableExpression)?.isConstant ?? false }
}

// MARK: Types

extension PredicateExpressions.TypeCheck: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    if Input.Output.self is Desired.Type { return .boolean(expected) }
    guard Input.Output.self is Desired?.Type, let condition = try context.nilCondition(input, is: !expected) else {
      throw PredicateContext.unsupported(
        self, "the type of a value cannot be tested, because documents do not store types")
    }
    return condition
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    guard Input.Output.self is Desired.Type || Input.Output.self is Desired?.Type else {
      throw PredicateContext.unsupported(self, "a value cannot be cast to another type")
    }
    return try context.value(input)
  }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    guard Input.Output.self is Desired.Type || Input.Output.self is Desired?.Type else {
      throw PredicateContext.unsupported(self, "a value cannot be cast to another type")
    }
    return try context.value(input)
  }
}
