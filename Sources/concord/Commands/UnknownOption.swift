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
}
