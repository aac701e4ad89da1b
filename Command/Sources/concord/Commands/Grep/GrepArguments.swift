/// Puts the arguments of `concord grep` into a form that the parser of arguments takes.
///
/// The options of all commands in front of the command's name go behind it, in their long forms: `-c` and `-v` mean something
/// else there, and ``GrepCommand`` is a root of its own.
///
/// ripgrep's short options stand together and before their values: `-nA3`, `-tc`. The parser knows either, not both at once.
enum GrepArguments {
  /// Short options that take a value.
  private static let valued = "efrgtTABCmMdjE"
  /// Short options that take none.
  private static let flags = "FisSwxvUnNHIoclqb0PphuaLz."
  /// Long options that take a value, which may look like an option.
  private static let longValued: Set<String> = [
    "--regexp", "--file", "--replace", "--glob", "--type", "--type-not", "--after-context", "--before-context",
    "--context",
    "--max-count", "--max-columns", "--sort", "--context-separator", "--field", "--database", "--collection", "--color",
    "--iglob", "--field-match-separator", "--field-context-separator", "--time-limit", "--timeout",
    "--sortr", "--type-add", "--type-clear",
  ]
  /// The options of all commands that take a value, and their long names.
  private static let global = [
    "-d": "--database", "--database": "--database", "-c": "--collection", "--collection": "--collection",
    "--color": "--color",
  ]
  private static let globalFlags = ["-q": "--quiet", "--quiet": "--quiet", "-v": "--verbose", "--verbose": "--verbose"]

  /// What stands behind the name of the command; nil unless the command is `grep`.
  ///
  /// - Throws: ``CommandFailure`` for an option of ripgrep that there cannot be.
  static func prepared(_ arguments: [String]) throws -> [String]? {
    var moved: [String] = []
    var index = 0
    while index < arguments.count, arguments[index] != "grep" {
      let argument = arguments[index]
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if let name = global[argument], index + 1 < arguments.count {
        moved += [name, arguments[index + 1]]
        index += 1
      } else if parts.count == 2, let name = global[parts[0]] {
        moved += [name, parts[1]]
      } else if let name = globalFlags[argument] {
        moved.append(name)
      } else {
        return nil
      }
      index += 1
    }
    guard index < arguments.count else { return nil }
    return try moved + expanded(arguments[(index + 1)...])
  }

  private static func expanded(_ arguments: ArraySlice<String>) throws -> [String] {
    var result: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" { return result + [argument] + rest }
      var parts = argument.hasPrefix("--") ? [argument] : separated(argument)
      // The value that follows is no option, whatever it looks like.
      if let last = parts.last, takesValue(last), let value = rest.popFirst() { parts.append(value) }
      result += try GrepForeignOptions.removed(from: parts)
    }
    return result
  }

  /// `-nA3` as `-n -A 3`. What holds an unknown letter is left for the parser to refuse.
  private static func separated(_ argument: String) -> [String] {
    guard argument.hasPrefix("-"), argument.count > 2 else { return [argument] }
    var parts: [String] = []
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      parts.append("-\(letter)")
      if valued.contains(letter) {
        if letters.isEmpty { return parts }
        // ripgrep takes -A=3 as well.
        return parts + [String(letters.first == "=" ? letters.dropFirst() : letters)]
      }
      guard flags.contains(letter) else { return [argument] }
    }
    return parts
  }

  /// Whether a short option takes a value.
  static func takesShortValue(_ option: String) -> Bool { option.last.map { valued.contains($0) } == true }

  private static func takesValue(_ option: String) -> Bool {
    if option.hasPrefix("--") {
      return longValued.contains(option) || GrepForeignOptions.valued.contains(option)
    }
    return option.hasPrefix("-") && option.count == 2 && takesShortValue(option)
  }
}
