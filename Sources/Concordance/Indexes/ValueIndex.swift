import QueryCompiler
import QueryModel

/// An index over values, made by ``IndexBuilder/valueIndex(items:)-([ValueIndexItem])``. It makes queries fast that compare or sort
/// by its items, the first ones first.
///
/// `@unchecked Sendable`: it needs no lock, since its properties are constants.
public final class ValueIndex: Index, @unchecked Sendable {
  /// What is indexed.
  let items: [QueryExpression]
  /// Which documents are in the index; nil for all.
  let condition: QueryExpression?
  /// What was wrong with an item or the condition. Creating the index throws it.
  let fault: CBLError?

  convenience init(_ items: [ValueIndexItem]) {
    self.init(items.map(\.built.model), condition: nil, fault: items.lazy.compactMap(\.built.fault).first)
  }

  private init(_ items: [QueryExpression], condition: QueryExpression?, fault: CBLError?) {
    self.items = items
    self.condition = condition
    self.fault = fault
  }

  func definition() throws -> ValueIndexDefinition {
    if let fault { throw fault }
    return try ValueIndexDefinition(expressions: items, condition: condition)
  }

  /// The index of only those documents for which a condition is true. It serves queries that ask for the same. Not in
  /// Couchbase Lite.
  public func `where`(_ expression: any ExpressionProtocol) -> ValueIndex {
    let built = BuiltExpression(expression)
    return ValueIndex(items, condition: built.model, fault: fault ?? built.fault)
  }
}

/// A value in a ``ValueIndex``.
public struct ValueIndexItem: Sendable {
  fileprivate let built: BuiltExpression

  /// The property at a path. See ``Expression/property(_:)``.
  public static func property(_ property: String) -> ValueIndexItem { expression(Expression.property(property)) }

  /// The value of an expression, such as `Function.lower(Expression.property("name"))`.
  public static func expression(_ expression: any ExpressionProtocol) -> ValueIndexItem {
    ValueIndexItem(built: BuiltExpression(expression))
  }
}

extension IndexBuilder {
  /// An index over values.
  public static func valueIndex(items: ValueIndexItem...) -> ValueIndex { valueIndex(items: items) }

  /// An index over values.
  public static func valueIndex(items: [ValueIndexItem]) -> ValueIndex { ValueIndex(items) }
}
