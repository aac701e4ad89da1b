import QueryCompiler
import QueryModel

/// The definition of an index over values, created by ``IndexBuilder/valueIndex(items:)-([ValueIndexItem])``. Queries
/// that filter or sort by its leftmost items use it.
///
/// `@unchecked Sendable`: its properties are constants, so it needs no lock.
public final class ValueIndex: Index, @unchecked Sendable {
  /// The indexed expressions.
  let items: [QueryExpression]
  /// The condition that indexed documents satisfy; nil for all documents.
  let condition: QueryExpression?
  /// The error in an item or in the condition. Creating the index throws it.
  let fault: CBLError?

  convenience init(_ items: [ValueIndexItem]) {
    self.init(items.map(\.built.model), condition: nil, fault: items.lazy.compactMap(\.built.fault).first)
  }

  private init(_ items: [QueryExpression], condition: QueryExpression?, fault: CBLError?) {
    self.items = items
    self.condition = condition
    self.fault = fault
  }

  override func storedDefinition() throws -> any StoredIndexDefinition {
    if let fault { throw fault }
    return try ValueIndexDefinition(expressions: items, condition: condition)
  }

  /// Returns the definition of a partial index: only documents that satisfy a condition are indexed. Queries with the
  /// same condition use it. Not in Couchbase Lite.
  ///
  /// - Parameter expression: the condition.
  public func `where`(_ expression: any ExpressionProtocol) -> ValueIndex {
    let built = BuiltExpression(expression)
    return ValueIndex(items, condition: built.model, fault: fault ?? built.fault)
  }
}

/// An indexed value of a ``ValueIndex``.
public struct ValueIndexItem: Sendable {
  fileprivate let built: BuiltExpression

  /// Creates an item for a property.
  ///
  /// - Parameter property: the path of the property; see ``Expression/property(_:)``.
  public static func property(_ property: String) -> ValueIndexItem { expression(Expression.property(property)) }

  /// Creates an item for the value of an expression, such as `Function.lower(Expression.property("name"))`.
  ///
  /// - Parameter expression: the expression. Queries with the same expression use the index.
  public static func expression(_ expression: any ExpressionProtocol) -> ValueIndexItem {
    ValueIndexItem(built: BuiltExpression(expression))
  }
}

extension IndexBuilder {
  /// Creates an index over values.
  ///
  /// - Parameter items: the values, in the order of the index columns.
  public static func valueIndex(items: ValueIndexItem...) -> ValueIndex { valueIndex(items: items) }

  /// Creates an index over values.
  ///
  /// - Parameter items: the values, in the order of the index columns.
  public static func valueIndex(items: [ValueIndexItem]) -> ValueIndex { ValueIndex(items) }
}
