/// The definition of a full-text index, created by ``IndexBuilder/fullTextIndex(items:)-(FullTextIndexItem...)``.
///
/// `@unchecked Sendable`: its properties are constants, so it needs no lock.
public final class FullTextIndex: Index, @unchecked Sendable {
  private let items: [FullTextIndexItem]
  /// The options of the whole index.
  private let common: FullTextIndexConfiguration

  fileprivate init(items: [FullTextIndexItem], common: FullTextIndexConfiguration) {
    self.items = items
    self.common = common
  }

  /// Returns the configuration with the analyzers of its items.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the path of a property is invalid.
  func configuration() throws -> FullTextIndexConfiguration {
    if let fault = items.lazy.compactMap(\.fault).first { throw CBLError(CBLError.invalidQuery, fault) }
    var configuration = common
    for item in items where item.hasAnalysis {
      configuration.fieldAnalyzers[item.property] = item.analyzer(common.analyzer)
    }
    return configuration
  }

  override func storedDefinition() throws -> any StoredIndexDefinition { try configuration().definition() }

  /// Returns the definition with a setting for accents.
  ///
  /// - Parameter ignoreAccents: whether accents are ignored; false by default.
  public func ignoreAccents(_ ignoreAccents: Bool) -> FullTextIndex {
    changed { $0.analyzer.accents = ignoreAccents ? .fold : .keep }
  }

  /// Returns the definition with a language. Inflected forms of a word match each other, and a search may ignore the
  /// stop words of the language.
  ///
  /// - Parameter language: the code or English name of a language; nil or "" for none.
  public func language(_ language: String?) -> FullTextIndex { changed { $0.analyzer.setLanguage(language) } }

  /// Returns the definition with words that a search may ignore; see ``FullTextIndexConfiguration/stopWords``. Call it
  /// after ``language(_:)``, which selects the stop words of the language. Not in Couchbase Lite.
  ///
  /// - Parameter stopWords: the words.
  public func stopWords(_ stopWords: AnalyzerConfiguration.StopWords) -> FullTextIndex {
    changed { $0.stopWords = stopWords }
  }

  /// Returns the definition with weights of fields; see ``FullTextIndexConfiguration/weights``. Not in Couchbase Lite.
  ///
  /// - Parameter weights: the weights by field.
  public func weights(_ weights: [String: Double]) -> FullTextIndex { changed { $0.weights = weights } }

  /// Returns the definition with the parameters of BM25; see ``FullTextIndexConfiguration/k1`` and
  /// ``FullTextIndexConfiguration/b``. Not in Couchbase Lite.
  ///
  /// - Parameters:
  ///   - k1: how quickly repeated occurrences of a term stop raising the score.
  ///   - b: how much the length of a field lowers the score.
  public func ranking(k1: Double, b: Double) -> FullTextIndex {
    changed {
      $0.k1 = k1
      $0.b = b
    }
  }

  /// Returns the definition with a ranking model; see ``FullTextIndexConfiguration/model``. Not in Couchbase Lite.
  ///
  /// - Parameter model: the model.
  public func model(_ model: RankingModel) -> FullTextIndex { changed { $0.model = model } }

  private func changed(_ change: (inout FullTextIndexConfiguration) -> Void) -> FullTextIndex {
    var common = common
    change(&common)
    return FullTextIndex(items: items, common: common)
  }
}

extension IndexBuilder {
  /// Creates a full-text index over properties.
  ///
  /// - Parameter items: the properties.
  public static func fullTextIndex(items: FullTextIndexItem...) -> FullTextIndex { fullTextIndex(items: items) }

  /// Creates a full-text index over properties.
  ///
  /// - Parameter items: the properties.
  public static func fullTextIndex(items: [FullTextIndexItem]) -> FullTextIndex {
    FullTextIndex(items: items, common: FullTextIndexConfiguration(items.map(\.property)))
  }
}
