import ArgumentParser
import Concordance

/// An argument such as `title=de`.
struct FieldLanguage: ExpressibleByArgument {
  let field: String
  let language: String

  init?(argument: String) {
    guard let (field, value) = FieldValue.split(argument) else { return nil }
    (self.field, language) = (field, value)
  }

  /// Whether the field uses the language of the index.
  var isDefault: Bool { language == "default" }
}

/// An argument such as `source=on`.
struct FieldCode: ExpressibleByArgument {
  let field: String
  let isOn: Bool

  init?(argument: String) {
    guard let (field, value) = FieldValue.split(argument), value == "on" || value == "off" else { return nil }
    (self.field, isOn) = (field, value == "on")
  }
}

extension AnalysisOptions {
  /// Returns the language for a name typed by the user; nil for none.
  static func language(named name: String) -> String? { name.isEmpty || name == "none" || name == auto ? nil : name }

  /// Throws if the language is unknown.
  static func check(language name: String) throws {
    guard let language = language(named: name) else { return }
    do {
      _ = try Analyzer(AnalyzerConfiguration(language: language))
    } catch let error as AnalyzerError {
      throw CommandFailure(error.description)
    }
  }
}

extension FieldAnalysisOptions {
  /// Throws if a language is unknown.
  func check() throws {
    for option in languages where !option.isDefault {
      guard option.language != AnalysisOptions.auto else {
        throw CommandFailure(
          "--field-language \(option.field)=auto: auto is only possible for the whole index, with --language")
      }
      try AnalysisOptions.check(language: option.language)
    }
  }

  /// Returns the analyzers of the fields that differ from the index's own.
  ///
  /// If the old setting of a field equals that of the index, the field gets the new setting of the index.
  ///
  /// - Parameters:
  ///   - existing: the current analyzers of the fields.
  ///   - old: the current analyzer of the index.
  ///   - new: the new analyzer of the index.
  ///   - fields: the fields of the index; analyzers of other fields are dropped.
  func analyzers(
    _ existing: [String: AnalyzerConfiguration], index old: AnalyzerConfiguration, _ new: AnalyzerConfiguration,
    fields: [String]
  ) -> [String: AnalyzerConfiguration] {
    var analyzers = existing.filter { fields.contains($0.key) }.mapValues { $0.following(from: old, to: new) }
    apply(to: &analyzers, common: new)
    return analyzers.mapValues(\.withPossibleStopWords).filter { $0.value != new }
  }
}

extension AnalyzerConfiguration {
  /// The configuration, with the language's stop words disabled if no language is set.
  fileprivate var withPossibleStopWords: AnalyzerConfiguration {
    var result = self
    if stopWords == .language, language == nil, languageProperty == nil { result.stopWords = .none }
    return result
  }
}
