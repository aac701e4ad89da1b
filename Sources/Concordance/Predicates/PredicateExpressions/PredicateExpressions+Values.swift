import Foundation
import JSONText
import QueryModel

extension PredicateExpressions.Value: TranslatableExpression {
  var isConstant: Bool { true }

  func value(in context: PredicateContext) throws -> QueryExpression { try CapturedValue.expression(of: value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func value(in context: PredicateContext) -> QueryExpression { .null }

  func nilCondition(_ isNil: Bool, in context: PredicateContext) -> QueryExpression? { .boolean(isNil) }
}

extension PredicateExpressions.Variable: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    guard let value = context.bindings[key] else {
      throw PredicateContext.unsupported(self, "it uses a variable of another predicate")
    }
    return value
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  var isConstant: Bool { (root as? any TranslatableExpression)?.isConstant ?? false }

  func value(in context: PredicateContext) throws -> QueryExpression {
    switch kind {
    case .collectionCount?: return .function(isText ? .length : .arrayLength, [try list(in: context)])
    case .collectionIsEmpty?: return try condition(true, in: context)
    case .collectionFirst?: return try list(in: context).member(at: [.position(0)])
    case .bidirectionalCollectionLast?: return try list(in: context).member(at: [.position(-1)])
    case nil: break
    }
    let base = try context.value(root)
    if KnownKeyPaths.isStoredForm(keyPath) { return base }
    return base.member(at: try context.keyPaths.resolve(keyPath))
  }

  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    guard kind == .collectionIsEmpty else {
      let value = try value(in: context)
      return expected ? value : .not(value)
    }
    if let filter = root as? any FilteredSequence {
      let any = try filter.anyElement(in: context)
      return expected ? .not(any) : any
    }
    let list = try list(in: context)
    let comparison: ComparisonOperator = expected ? .equal : .notEqual
    if isText { return .comparison(comparison, list, .string("")) }
    return .comparison(comparison, .function(.arrayLength, [list]), .integer(0))
  }

  func anyCounted(in context: PredicateContext) throws -> QueryExpression? {
    guard kind == .collectionCount, let filter = root as? any FilteredSequence else { return nil }
    return try filter.anyElement(in: context)
  }

  private var isText: Bool { Root.Output.self is any StringProtocol.Type }

  /// Returns the string or array whose count, first or last element is used.
  private func list(in context: PredicateContext) throws -> QueryExpression {
    guard !(root is any FilteredSequence) else {
      throw PredicateContext.unsupported(
        self, "filtered elements support only isEmpty, contains, and a comparison of count with 0")
    }
    return try context.value(root)
  }
}

/// Key paths whose value is stored in a document in the same form as their root, such as `\URL.absoluteString`.
enum KnownKeyPaths {
  /// Returns whether the value at the key path is the string or number that represents its root in a document.
  static func isStoredForm(_ keyPath: AnyKeyPath) -> Bool {
    if keyPath == \URL.absoluteString || keyPath == \UUID.uuidString { return true }
    guard let type = type(of: keyPath).rootType as? any RawRepresentable.Type else { return false }
    return isRawValue(keyPath, of: type)
  }

  /// Returns whether the key path of an enum is its `rawValue`: whether both have the same value for every case.
  private static func isRawValue<R: RawRepresentable>(_ keyPath: AnyKeyPath, of type: R.Type) -> Bool {
    // The raw value of a struct is an ordinary property.
    guard let keyPath = keyPath as? KeyPath<R, R.RawValue>, let first = ByteSizedType.value(of: type, isOther: false),
      Mirror(reflecting: first).displayStyle == .enum, let values = ByteSizedType.values(of: type)
    else { return false }
    return values.allSatisfy { "\($0[keyPath: keyPath])" == "\($0.rawValue)" }
  }
}
