import JSONText
import QueryModel

// `Index.valueIndex().on(…)` and `Index.ftsIndex().on(…)`, as the later developer builds of Couchbase Lite 2 made indexes, before
// there was an ``IndexBuilder``.

/// A property in a full-text index: the older name of ``FullTextIndexItem``.
public typealias FTSIndexItem = FullTextIndexItem

extension Index {
  /// The beginning of an index over values; ``ValueIndexOn/on(_:)-(ValueIndexItem...)`` completes it.
  ///
  /// ```swift
  /// let index = Index.valueIndex().on(ValueIndexItem.expression(Expression.property("name")))
  /// try database.createIndex(index, withName: "names")
  /// ```
  public static func valueIndex() -> ValueIndexOn { ValueIndexOn() }

  /// The beginning of a full-text index; ``FTSIndexOn/on(_:)-(FullTextIndexItem...)`` completes it.
  public static func ftsIndex() -> FTSIndexOn { FTSIndexOn() }
}

/// An index over values that has no items yet.
public struct ValueIndexOn: Sendable {
  /// The index over these items, the most important first.
  public func on(_ items: ValueIndexItem...) -> ValueIndex { on(items) }

  /// The index over these items, the most important first.
  public func on(_ items: [ValueIndexItem]) -> ValueIndex { IndexBuilder.valueIndex(items: items) }
}

/// A full-text index that has no properties yet.
public struct FTSIndexOn: Sendable {
  /// The index over these properties.
  public func on(_ items: FullTextIndexItem...) -> FullTextIndex { on(items) }

  /// The index over these properties.
  public func on(_ items: [FullTextIndexItem]) -> FullTextIndex { IndexBuilder.fullTextIndex(items: items) }
}

extension FullTextIndexItem {
  /// The property that an expression is. Creating an index of any other expression throws ``CBLError/invalidQuery``.
  public static func expression(_ expression: any ExpressionProtocol) -> FullTextIndexItem {
    let built = BuiltExpression(expression)
    if built.fault == nil, case .property(let path, nil) = built.model { return .property(path.description) }
    let text = SQLPrinter().text(of: built.model)
    var item = FullTextIndexItem.property(text)
    item.fault = built.fault?.message ?? "a full-text index holds properties, not \(text)"
    return item
  }
}

extension FullTextIndex {
  /// The older name of ``language(_:)``, for a locale such as `en_US`.
  public func locale(_ locale: String?) -> FullTextIndex {
    language(locale.map { String($0.prefix { $0 != "_" && $0 != "-" }) })
  }
}
