/// An index to create, made by ``IndexBuilder``.
public protocol Index: Sendable {}

/// Makes indexes for ``Collection/createIndex(_:name:)``.
///
/// ```swift
/// let index = IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("name"))
///   .ignoreAccents(true)
///   .language("en")
/// try hotels.createIndex(index, name: "text")
/// ```
public enum IndexBuilder {
  /// A full-text index over properties.
  public static func fullTextIndex(items: FullTextIndexItem...) -> FullTextIndex { fullTextIndex(items: items) }

  /// A full-text index over properties.
  public static func fullTextIndex(items: [FullTextIndexItem]) -> FullTextIndex {
    FullTextIndex(configuration: FullTextIndexConfiguration(items.map(\.property)))
  }
}

/// A property in a full-text index.
public struct FullTextIndexItem: Hashable, Sendable {
  let property: String

  /// The property at a path: `name`, `geo.alt`, `reviews[].content`.
  public static func property(_ property: String) -> FullTextIndexItem { FullTextIndexItem(property: property) }
}

/// A full-text index to create.
public struct FullTextIndex: Index, Hashable {
  let configuration: FullTextIndexConfiguration

  /// Whether accents are ignored; they are not unless this is called.
  public func ignoreAccents(_ ignoreAccents: Bool) -> FullTextIndex {
    var copy = configuration
    copy.analyzer.accents = ignoreAccents ? .fold : .keep
    return FullTextIndex(configuration: copy)
  }

  /// The language whose inflections are ignored; nil or "" for none.
  public func language(_ language: String?) -> FullTextIndex {
    var copy = configuration
    copy.analyzer.language = language
    return FullTextIndex(configuration: copy)
  }
}
