import ArgumentParser
import Concordance
import CorpusReader

/// The settings of the index `search` in a configuration file.
struct SearchSettings {
  let file: ConfigurationFile

  func apply(_ settings: ConfigurationValue, to command: inout IndexCommand) throws {
    var hasPatterns = true
    for (key, value) in try settings.members(AnalysisOptions.names + ["fields", "synonyms", "patterns"]) {
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
      default:
        if let name = AnalysisOptions.Name(rawValue: key) { try command.analysis.apply(name, value) }
      }
    }
    if !hasPatterns { command.noPatterns = true }
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
    for (key, value) in try settings.members(kinds + ["where", "array"] + AnalysisOptions.names) {
      switch key {
      case "where": condition = try value.text()
      case "array": array = try value.text()
      case _ where kinds.contains(key): expressions[key] = try value.elements().map { try $0.text() }
      default: if let name = AnalysisOptions.Name(rawValue: key) { try analysis.apply(name, value) }
      }
    }
    guard expressions.count == 1, let (kind, names) = expressions.first, !names.isEmpty else {
      throw settings.error("expected one of \(kinds.joined(separator: ", ")) with a list of properties")
    }
    if kind != "values", array != nil { throw settings.error("`array` needs `values`") }
    if kind == "patterns" || array != nil, condition != nil { throw settings.error("`where` is not supported here") }
    if kind != "full-text", !analysis.isEmpty {
      throw settings.error("\(AnalysisOptions.names.joined(separator: ", ")) need `full-text`")
    }
    switch kind {
    case "patterns": return PatternIndexConfiguration(names)
    case "values":
      if let array { return ArrayIndexConfiguration(path: array, expressions: names) }
      return ValueIndexConfiguration(names, where: condition)
    default:
      let configuration = analysis.configuration(names, where: condition)
      do { try configuration.checkAnalyzers() } catch let failure as CommandFailure {
        throw settings.error(failure.message)
      }
      return configuration
    }
  }
}
