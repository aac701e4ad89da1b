/// An error in a configuration.
public enum AnalyzerError: Error, Hashable, Sendable {
  /// No stemmer has this code or name. `known` lists the accepted languages.
  case unknownLanguage(String, known: [String])
  /// The stop words of the language were requested, but no language was given.
  case stopWordsWithoutLanguage
  /// A custom stop word contains no word, or more than one.
  case invalidStopWord(String)
  case invalidSynonymRule(String, reason: String)
  /// ICU could not load its data. `code` is its `UErrorCode`.
  case unicodeDataUnavailable(service: String, code: Int)
}

extension AnalyzerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownLanguage(let name, let known):
      "unknown language \"\(name)\"; known: \(known.joined(separator: ", "))"
    case .stopWordsWithoutLanguage:
      "the stop words of the language were requested, but no language is set"
    case .invalidStopWord(let word):
      "the stop word \"\(word)\" must be exactly one word"
    case .invalidSynonymRule(let rule, let reason):
      "synonym rule \"\(rule)\": \(reason)"
    case .unicodeDataUnavailable(let service, let code):
      "ICU cannot provide \(service) (error \(code)); is its data installed?"
    }
  }
}
