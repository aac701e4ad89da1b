/// A property in a full-text index.
///
/// Its text is analysed as the index says. What a property says itself, which Couchbase Lite does not know, counts for it alone:
///
/// ```swift
/// let index = IndexBuilder.fullTextIndex(
///   items: FullTextIndexItem.property("title"),
///   FullTextIndexItem.property("beschreibung").language("de"),
///   FullTextIndexItem.property("source").analyzer(AnalyzerConfiguration(code: true))
/// ).language("en")
/// ```
public struct FullTextIndexItem: Hashable, Sendable {
  let property: String
  /// Why there is no such property. Creating the index throws it.
  var fault: String?
  private var ownAnalyzer: AnalyzerConfiguration?
  private var ownLanguage: String??
  private var ownAccents: AnalyzerConfiguration.Accents?

  /// The property at a path: `name`, `geo.alt`, `reviews[].content`.
  public static func property(_ property: String) -> FullTextIndexItem { FullTextIndexItem(property: property) }

  private init(property: String) { self.property = property }

  /// The language whose inflections are ignored in this property; nil or "" for none.
  public func language(_ language: String?) -> FullTextIndexItem { changed { $0.ownLanguage = .some(language) } }

  /// Whether accents are ignored in this property.
  public func ignoreAccents(_ ignoreAccents: Bool) -> FullTextIndexItem {
    changed { $0.ownAccents = ignoreAccents ? .fold : .keep }
  }

  /// How the text of this property becomes terms: nothing is taken from the index any more.
  public func analyzer(_ analyzer: AnalyzerConfiguration) -> FullTextIndexItem {
    changed { $0.ownAnalyzer = analyzer }
  }

  private func changed(_ change: (inout FullTextIndexItem) -> Void) -> FullTextIndexItem {
    var item = self
    change(&item)
    return item
  }
}

extension FullTextIndexItem {
  /// Whether anything was said of its analysis.
  var hasAnalysis: Bool { ownAnalyzer != nil || ownLanguage != nil || ownAccents != nil }

  /// How its text is analysed in an index with an analyzer.
  func analyzer(_ common: AnalyzerConfiguration) -> AnalyzerConfiguration {
    var analyzer = ownAnalyzer ?? common
    if let ownLanguage { analyzer.language = ownLanguage }
    if let ownAccents { analyzer.accents = ownAccents }
    return analyzer
  }
}
