/// An index to create, made by ``IndexBuilder``.
///
/// A class, not a protocol as in Couchbase Lite, whose developer builds also have functions of `Index` itself, such as
/// ``valueIndex()``. Only the library makes subclasses.
///
/// `@unchecked Sendable`: it needs no lock, since it has no state, and its subclasses are final and have constants alone.
public class Index: @unchecked Sendable {
  init() {}
}

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
///
/// `@unchecked Sendable`: it needs no lock, since its properties are constants.
public final class FullTextIndex: Index, @unchecked Sendable {
  private let items: [FullTextIndexItem]
  /// What was said of the whole index.
  private let common: FullTextIndexConfiguration

  fileprivate init(items: [FullTextIndexItem], common: FullTextIndexConfiguration) {
    self.items = items
    self.common = common
  }

  /// What the index is made of.
  func configuration() throws -> FullTextIndexConfiguration {
    if let fault = items.lazy.compactMap(\.fault).first { throw CBLError(CBLError.invalidQuery, fault) }
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
