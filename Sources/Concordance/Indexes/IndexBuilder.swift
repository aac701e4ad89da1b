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
    FullTextIndex(items: items, common: FullTextIndexConfiguration(items.map(\.property)))
  }
}

/// A full-text index to create.
public struct FullTextIndex: Index, Hashable {
  private let items: [FullTextIndexItem]
  /// What was said of the whole index.
  private let common: FullTextIndexConfiguration

  fileprivate init(items: [FullTextIndexItem], common: FullTextIndexConfiguration) {
    self.items = items
    self.common = common
  }

  /// What the index is made of.
  var configuration: FullTextIndexConfiguration {
    var configuration = common
    for item in items where item.hasAnalysis {
      configuration.fieldAnalyzers[item.property] = item.analyzer(common.analyzer)
    }
    return configuration
  }

  /// Whether accents are ignored; they are not unless this is called.
  public func ignoreAccents(_ ignoreAccents: Bool) -> FullTextIndex {
    changed { $0.analyzer.accents = ignoreAccents ? .fold : .keep }
  }

  /// The language whose inflections are ignored; nil or "" for none.
  public func language(_ language: String?) -> FullTextIndex { changed { $0.analyzer.language = language } }

  /// How many times a match in a field counts, see ``FullTextIndexConfiguration/weights``. Not in Couchbase Lite.
  public func weights(_ weights: [String: Double]) -> FullTextIndex { changed { $0.weights = weights } }

  /// The parameters of BM25, see ``FullTextIndexConfiguration/k1`` and ``FullTextIndexConfiguration/b``. Not in Couchbase Lite.
  public func ranking(k1: Double, b: Double) -> FullTextIndex {
    changed {
      $0.k1 = k1
      $0.b = b
    }
  }

  private func changed(_ change: (inout FullTextIndexConfiguration) -> Void) -> FullTextIndex {
    var common = common
    change(&common)
    return FullTextIndex(items: items, common: common)
  }
}
