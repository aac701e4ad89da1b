/// Finds misspelt options.
enum UnknownOption {
  /// Returns the first argument that looks like an option but is unknown.
  ///
  /// - Parameters:
  ///   - arguments: the command line. Arguments after `--` and a lone `-` are not options.
  ///   - known: the names of options, including dashes.
  static func first(in arguments: [String], known: Set<String>) -> String? {
    arguments.prefix { $0 != "--" }.first { argument in
      guard argument.hasPrefix("-"), argument.count > 1 else { return false }
      let name = argument.prefix { $0 != "=" }
      if known.contains(String(name)) { return false }
      // Short options may be combined with each other and with their values.
      return argument.hasPrefix("--") || !known.contains(String(argument.prefix(2)))
    }
  }

  /// Names that other tools use for an option of every command. The parser suggests the option with the smallest edit
  /// distance, which would be a different one.
  private static let synonyms = ["--db": "--database"]

  /// Returns the option that was probably meant by an unknown option; nil to use the parser's own suggestion.
  static func suggestion(for option: some StringProtocol) -> String? {
    synonyms[String(option.prefix { $0 != "=" })]
  }

  /// Returns the word with a leading minus in which the parser finds the short option `-h`, such as `-harbour`. Nil if
  /// help is requested explicitly.
  static func wordTakenForHelp(in arguments: [String]) -> String? {
    let options = arguments.prefix { $0 != "--" }
    // `grep` has a separate parser with many short options.
    guard !options.contains("grep"), !options.contains("help"), !options.contains("--help") else { return nil }
    let words = options.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
    guard !words.contains(where: { $0 == "-help" || $0.dropFirst().allSatisfy("hqv".contains) }) else { return nil }
    return words.first
  }
}
