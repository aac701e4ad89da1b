/// Converts the arguments of `concord grep` to a form that ArgumentParser accepts.
///
/// Shared options before the command's name are moved after it in their long forms: `-c` and `-v` have a different
/// meaning there, and ``GrepCommand`` is a separate root command.
///
/// ripgrep combines short options with each other and with their values: `-nA3`, `-tc`. ArgumentParser supports either
/// form, but not both together.
enum GrepArguments {
  /// Short options with a value.
  private static let valued = "efrgtTABCmMdjE"
  /// Short options without a value.
  private static let flags = "FisSwxvUnNHIoclqb0PphuaLz."
  /// Long options with a value, which may look like an option.
  private static let longValued: Set<String> = [
    "--regexp", "--file", "--replace", "--glob", "--type", "--type-not", "--after-context", "--before-context",
    "--context",
    "--max-count", "--max-columns", "--sort", "--context-separator", "--field", "--database", "--collection", "--color",
    "--iglob", "--field-match-separator", "--field-context-separator", "--time-limit", "--timeout",
    "--sortr", "--type-add", "--type-clear",
  ]
  /// Shared options with a value, and their long names.
  private static let global = [
    "-d": "--database", "--database": "--database", "-c": "--collection", "--collection": "--collection",
    "--color": "--color",
  ]
  private static let globalFlags = ["-q": "--quiet", "--quiet": "--quiet", "-v": "--verbose", "--verbose": "--verbose"]

  /// Returns the arguments after the name of the command; nil unless the command is `grep`.
  ///
  /// - Throws: ``CommandFailure`` for an unsupported ripgrep option.
  static func prepared(_ arguments: [String]) throws -> [String]? {
    var moved: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "grep" { return try moved + expanded(rest) }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if let name = global[argument], let value = rest.popFirst() {
        moved += [name, value]
      } else if parts.count == 2, let name = global[parts[0]] {
        moved += [name, parts[1]]
      } else if let name = globalFlags[argument] {
        moved.append(name)
      } else if let options = splitShared(argument) {
        rest = options[...] + rest
      } else {
        return nil
      }
    }
    return nil
  }

  private static func expanded(_ arguments: ArraySlice<String>) throws -> [String] {
    var result: [String] = []
    var showsAllLines = false
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        rest.insert(argument, at: rest.startIndex)
        break
      }
      var parts = separated(argument)
      if let option = optionWithEmptyValue(argument) {
        parts = [option, ""]
      } else if let last = parts.last, takesValue(last), let value = rest.popFirst() {
        // The next argument is the value, even if it looks like an option.
        parts.append(value)
      }
      // Of --passthru and the options for context lines, the last one applies.
      if parts == ["--passthru"] || parts == ["--passthrough"] {
        showsAllLines = true
        continue
      }
      if setsContext(parts) { showsAllLines = false }
      result += try GrepForeignOptions.removingIgnoredOptions(from: parts)
    }
    if showsAllLines { result.insert("--passthru", at: 0) }
    return result + rest
  }

  /// Returns `--replace` for `--replace=`, for which ArgumentParser would take the next argument as the value.
  private static func optionWithEmptyValue(_ argument: String) -> String? {
    guard argument.hasPrefix("--"), argument.hasSuffix("=") else { return nil }
    let option = String(argument.dropLast())
    return takesValue(option) ? option : nil
  }

  /// Returns whether separated options include one for context lines.
  private static func setsContext(_ parts: [String]) -> Bool {
    guard let first = parts.first else { return false }
    if first.hasPrefix("--") {
      return ["--after-context", "--before-context", "--context"].contains(String(first.prefix { $0 != "=" }))
    }
    // An option with a value is followed by it, and by nothing else.
    guard parts.count > 1 else { return false }
    return ["-A", "-B", "-C"].contains(parts[parts.count - 2])
  }

  /// Splits combined short options of the root command: `-qvdPATH` into `-q -v -d PATH`. Returns nil for anything else.
  static func splitShared(_ argument: String) -> [String]? {
    split(argument, flags: "qv", valued: "dc", joinable: "d")
  }

  /// Splits combined short options of `grep`. An argument with an unknown letter is left for the parser to reject.
  private static func separated(_ argument: String) -> [String] {
    split(argument, flags: flags, valued: valued, joinable: valued) ?? [argument]
  }

  /// Splits combined short options: `-nA3` into `-n -A 3`. Returns nil for anything else.
  ///
  /// - Parameters:
  ///   - flags: the letters of options without a value.
  ///   - valued: the letters of options with a value.
  ///   - joinable: the letters of options whose value may follow in the same argument.
  private static func split(_ argument: String, flags: String, valued: String, joinable: String) -> [String]? {
    guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 2 else { return nil }
    var parts: [String] = []
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      parts.append("-\(letter)")
      if valued.contains(letter) {
        if letters.isEmpty { return parts }
        guard joinable.contains(letter) else { return nil }
        // ripgrep also accepts -A=3.
        return parts + [String(letters.first == "=" ? letters.dropFirst() : letters)]
      }
      guard flags.contains(letter) else { return nil }
    }
    return parts
  }

  private static let patternOptions: Set<String> = ["-e", "-f", "--regexp", "--file"]

  /// Returns whether the argument that follows the given ones is a path: it is not the value of an option, and the
  /// pattern precedes it.
  ///
  /// - Parameter arguments: the arguments after the name of the command.
  static func isPathNext(after arguments: ArraySlice<String>) -> Bool {
    var isPatternGiven = false
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" { return isPatternGiven || !rest.isEmpty }
      let parts = separated(argument)
      if !argument.hasPrefix("-") || argument == "-" || !patternOptions.isDisjoint(with: parts)
        || argument.hasPrefix("--regexp=") || argument.hasPrefix("--file=")
      {
        isPatternGiven = true
      }
      if let last = parts.last, takesValue(last), rest.popFirst() == nil { return false }
    }
    return isPatternGiven
  }

  /// Returns whether a short option takes a value.
  static func takesShortValue(_ option: String) -> Bool { option.last.map { valued.contains($0) } == true }

  private static func takesValue(_ option: String) -> Bool {
    if option.hasPrefix("--") {
      return longValued.contains(option) || GrepForeignOptions.valued.contains(option)
    }
    return option.hasPrefix("-") && option.count == 2 && takesShortValue(option)
  }
}
