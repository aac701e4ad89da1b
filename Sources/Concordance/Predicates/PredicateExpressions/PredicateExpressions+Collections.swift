import Foundation
import JSONText
import QueryModel

extension PredicateExpressions.CollectionContainsCollection: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
      throw PredicateContext.unsupported(self, "only strings can be asked for parts of them")
    }
    let contains = QueryExpression.function(.contains, [try context.value(base), try context.value(other)])
    return expected ? contains : .not(contains)
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
      throw PredicateContext.unsupported(self, "only strings can be asked for their beginning")
    }
    let begins = try context.value(base).begins(with: context.value(prefix))
    return expected ? begins : .not(begins)
  }
}

extension PredicateExpressions.StringContainsRegex: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard let regex = try context.constant(regex)?.value as? PredicateExpressions.PredicateRegex else {
      throw PredicateContext.unsupported(self, "a regular expression must be captured")
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
  /// The value of a key in a dictionary. Keys of documents are strings; integer keys are written as strings.
  fileprivate func member(of dictionary: QueryExpression, at key: Constant?) throws -> QueryExpression {
    switch key?.unwrapped {
    case let key as String: return dictionary.member(at: [.key(key)])
    case let key as Int: return dictionary.member(at: [.key(String(key))])
    default:
      throw PredicateContext.unsupported(dictionary, "the key of a dictionary must be a captured string or number")
    }
  }
}

/// Whether all parts are the same for every document.
private func areConstant(_ parts: any PredicateExpression...) -> Bool {
  parts.allSatisfy { ($0 as? any TranslatableExpression)?.isConstant ?? false }
}

// MARK: Types

extension PredicateExpressions.TypeCheck: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    if Input.Output.self is Desired.Type { return .boolean(expected) }
    guard Input.Output.self is Desired?.Type, let isThere = try context.nilCondition(input, is: !expected) else {
      throw PredicateContext.unsupported(self, "the type of a value cannot be asked, documents have none")
    }
    return isThere
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    guard Input.Output.self is Desired.Type || Input.Output.self is Desired?.Type else {
      throw PredicateContext.unsupported(self, "a value cannot be taken for another type, documents have none")
    }
    return try context.value(input)
  }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    guard Input.Output.self is Desired.Type || Input.Output.self is Desired?.Type else {
      throw PredicateContext.unsupported(self, "a value cannot be taken for another type, documents have none")
    }
    return try context.value(input)
  }
}
