/// A property in a full-text index, for ``IndexBuilder``.
///
/// Its text is analyzed with the options of the index, unless the item overrides them. Couchbase Lite has no options
/// for individual properties.
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
  /// The error in the path of the property. Creating the index throws it.
  var fault: String?
  private var ownAnalyzer: AnalyzerConfiguration?
  private var ownLanguage: String??
  private var ownAccents: AnalyzerConfiguration.Accents?

  /// Creates an item for a property.
  ///
  /// - Parameter property: the path: `name`, `geo.alt`, `reviews[].content`.
  public static func property(_ property: String) -> FullTextIndexItem { FullTextIndexItem(property: property) }

  private init(property: String) { self.property = property }

  /// Returns the item with a language that overrides the language of the index. Inflected forms of a word match each
  /// other, and a search may ignore the stop words of the language.
  ///
  /// - Parameter language: the code or English name of a language; nil or "" for none.
  public func language(_ language: String?) -> FullTextIndexItem { changed { $0.ownLanguage = .some(language) } }

  /// Returns the item with a setting for accents that overrides the setting of the index.
  ///
  /// - Parameter ignoreAccents: whether accents are ignored in this property.
  public func ignoreAccents(_ ignoreAccents: Bool) -> FullTextIndexItem {
    changed { $0.ownAccents = ignoreAccents ? .fold : .keep }
  }

  /// Returns the item with its own analyzer. The analysis options of the index then do not apply to the property.
  ///
  /// - Parameter analyzer: the analyzer of the property.
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
  /// Whether the item overrides an analysis option of the index.
  var hasAnalysis: Bool { ownAnalyzer != nil || ownLanguage != nil || ownAccents != nil }

  /// Returns the analyzer of the property, given the analyzer of the index.
  func analyzer(_ common: AnalyzerConfiguration) -> AnalyzerConfiguration {
    var analyzer = ownAnalyzer ?? common
    if let ownLanguage {
      // An analyzer that was set for the item keeps its stop words.
      if ownAnalyzer == nil { analyzer.setLanguage(ownLanguage) } else { analyzer.language = ownLanguage }
    }
    if let ownAccents { analyzer.accents = ownAccents }
    return analyzer
  }
}
