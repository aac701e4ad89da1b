import ArgumentParser
import Concordance
import CorpusReader

/// The settings of the index `search` in a configuration file.
struct SearchSettings {
  let file: ConfigurationFile

  func apply(_ settings: ConfigurationValue, to command: inout IndexCommand) throws {
    var hasPatterns = true
    for (key, value) in try settings.members(AnalysisSettings.names + ["fields", "synonyms", "patterns"]) {
      switch key {
      case "fields":
        let text = try value.elements().map { try $0.text() }.joined(separator: ",")
        guard let fields = FieldList(argument: text) else { throw value.error("expected a list of properties") }
        if let other = fields.names.first(where: { !PropertyArgument.isProperty($0) }) {
          throw value.error(PropertyArgument.advice(about: other))
        }
        command.fields = command.fields ?? fields
      case "synonyms": command.synonyms = try command.synonyms ?? file.expanded(value.text())
      case "patterns": hasPatterns = try value.boolean()
      default: try AnalysisSettings.apply(key, value, to: &command.analysis)
      }
    }
    if !hasPatterns { command.noPatterns = true }
  }
}

/// The settings of text analysis in a configuration file.
enum AnalysisSettings {
  static let names = ["language", "accents", "code", "stop-words"]

  /// Applies a setting, unless the command line has it.
  static func apply(_ key: String, _ value: ConfigurationValue, to analysis: inout AnalysisOptions) throws {
    switch key {
    case "language":
      let name = try value.text()
      if name != "none", name != AnalysisOptions.auto { _ = try value.language() }
      analysis.language = analysis.language ?? name
    case "accents": analysis.accents = try analysis.accents ?? choice(value)
    case "stop-words": analysis.stopWords = try analysis.stopWords ?? choice(value)
    default: analysis.code = try analysis.code ?? value.boolean()
    }
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ value: ConfigurationValue
  ) throws -> Choice where Choice.RawValue == String {
    let text = try value.text()
    guard let choice = Choice(rawValue: text) else {
      throw value.error("expected \(Choice.allCases.map(\.rawValue).joined(separator: " or ")), not \"\(text)\"")
    }
    return choice
  }
}

/// An index of `indexes` in a configuration file.
enum IndexSettings {
  private static let kinds = ["values", "patterns", "full-text"]

  /// Returns the definition of an index.
  ///
  /// - Throws: `ConfigurationError`.
  static func configuration(_ name: String, _ settings: ConfigurationValue) throws -> any IndexConfiguration {
    guard name != SearchIndex.name, name != GrepIndex.name else {
      throw settings.error("the name is reserved; the settings of the index \"search\" are in `search`")
    }
    var expressions: [String: [String]] = [:]
    var (condition, array): (String?, String?) = (nil, nil)
    var analysis = try AnalysisOptions.parse([])
    for (key, value) in try settings.members(kinds + ["where", "array"] + AnalysisSettings.names) {
      switch key {
      case "where": condition = try value.text()
      case "array": array = try value.text()
      case _ where kinds.contains(key): expressions[key] = try value.elements().map { try $0.text() }
      default: try AnalysisSettings.apply(key, value, to: &analysis)
      }
    }
    guard expressions.count == 1, let (kind, names) = expressions.first, !names.isEmpty else {
      throw settings.error("expected one of \(kinds.joined(separator: ", ")) with a list of properties")
    }
    if kind != "values", array != nil { throw settings.error("`array` needs `values`") }
    if kind == "patterns" || array != nil, condition != nil { throw settings.error("`where` is not supported here") }
    if kind != "full-text", !analysis.isEmpty {
      throw settings.error("language, accents, code and stop-words need full-text")
    }
    switch kind {
    case "patterns": return PatternIndexConfiguration(names)
    case "values":
      if let array { return ArrayIndexConfiguration(path: array, expressions: names) }
      return ValueIndexConfiguration(names, where: condition)
    default:
      var configuration = FullTextIndexConfiguration(names, where: condition)
      analysis.apply(to: &configuration.analyzer)
      do { try configuration.checkAnalyzers() } catch let failure as CommandFailure {
        throw settings.error(failure.message)
      }
      return configuration
    }
  }
}
