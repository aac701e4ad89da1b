import JSONText
import QueryModel

// `Index.valueIndex().on(…)` and `Index.ftsIndex().on(…)`, functions of the later developer builds of Couchbase Lite 2,
// which `IndexBuilder` replaced.

/// The older name of ``FullTextIndexItem``.
public typealias FTSIndexItem = FullTextIndexItem

extension Index {
  /// Begins the definition of a value index, which ``ValueIndexOn/on(_:)-(ValueIndexItem...)`` completes.
  ///
  /// ```swift
  /// let index = Index.valueIndex().on(ValueIndexItem.expression(Expression.property("name")))
  /// try database.createIndex(index, withName: "names")
  /// ```
  public static func valueIndex() -> ValueIndexOn { ValueIndexOn() }

  /// Begins the definition of a full-text index, which ``FTSIndexOn/on(_:)-(FullTextIndexItem...)`` completes.
  public static func ftsIndex() -> FTSIndexOn { FTSIndexOn() }
}

/// The definition of a value index that has no items yet. See ``Index/valueIndex()``.
public struct ValueIndexOn: Sendable {
  /// Returns a value index on items.
  ///
  /// - Parameter items: the items, the most significant first.
  public func on(_ items: ValueIndexItem...) -> ValueIndex { on(items) }

  /// Returns a value index on items.
  ///
  /// - Parameter items: the items, the most significant first.
  public func on(_ items: [ValueIndexItem]) -> ValueIndex { IndexBuilder.valueIndex(items: items) }
}

/// The definition of a full-text index that has no properties yet. See ``Index/ftsIndex()``.
public struct FTSIndexOn: Sendable {
  /// Returns a full-text index on properties.
  ///
  /// - Parameter items: the properties.
  public func on(_ items: FullTextIndexItem...) -> FullTextIndex { on(items) }

  /// Returns a full-text index on properties.
  ///
  /// - Parameter items: the properties.
  public func on(_ items: [FullTextIndexItem]) -> FullTextIndex { IndexBuilder.fullTextIndex(items: items) }
}

extension FullTextIndexItem {
  /// Returns an item for a property.
  ///
  /// - Parameter expression: a property. For any other expression, creating the index throws
  ///   ``CBLError/invalidQuery``.
  public static func expression(_ expression: any ExpressionProtocol) -> FullTextIndexItem {
    let built = BuiltExpression(expression)
    if built.fault == nil, case .property(let path, nil) = built.model { return .property(path.description) }
    let text = SQLPrinter().text(of: built.model)
    var item = FullTextIndexItem.property(text)
    item.fault = built.fault?.message ?? "a full-text index can only contain properties, not \(text)"
    return item
  }
}

extension FullTextIndex {
  /// Sets the language to that of a locale. The older form of ``language(_:)``.
  ///
  /// - Parameter locale: the locale, such as `en_US`; nil for no stemming.
  public func locale(_ locale: String?) -> FullTextIndex {
    language(locale.map { String($0.prefix { $0 != "_" && $0 != "-" }) })
  }
}
