/// Finds misspelt options.
enum UnknownOption {
  /// The first argument that looks like an option and is none of a command's.
  ///
  /// - Parameters:
  ///   - arguments: the command line. What stands behind `--` is no option, nor is a lone `-`.
  ///   - known: the names of options, dashes included.
  static func first(in arguments: [String], known: Set<String>) -> String? {
    arguments.prefix { $0 != "--" }.first { argument in
      guard argument.hasPrefix("-"), argument.count > 1 else { return false }
      let name = argument.prefix { $0 != "=" }
      if known.contains(String(name)) { return false }
      // Short options may stand together, and before their values.
      return argument.hasPrefix("--") || !known.contains(String(argument.prefix(2)))
    }
  }

  /// The word with a minus before it that the parser takes for `-h` among other short options: `-harbour`. Nil where help is asked
  /// for in so many letters.
  static func wordTakenForHelp(in arguments: [String]) -> String? {
    let options = arguments.prefix { $0 != "--" }
    // `grep` has a parser of its own, with short options in plenty.
    guard !options.contains("grep"), !options.contains("help"), !options.contains("--help") else { return nil }
    let words = options.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
    guard !words.contains(where: { $0 == "-help" || $0.dropFirst().allSatisfy("hqv".contains) }) else { return nil }
    return words.first
  }
}
