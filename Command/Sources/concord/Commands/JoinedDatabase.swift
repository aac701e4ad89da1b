/// The path of the database directly after `-d`, as in `-dnotes.concord`.
enum JoinedDatabase {
  /// Returns the arguments with `--database=PATH` for `-dPATH`. Before the name of the command, combined options such
  /// as `-qdPATH` are separated.
  ///
  /// After the name of the command, words that begin with `-d` may be other arguments, such as an excluded word of a
  /// search. There, PATH must contain a slash or end with `.concord`.
  static func separated(_ arguments: [String]) -> [String] {
    var result: [String] = []
    var isBeforeCommand = true
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return result + [argument] + rest }
      if let path = path(in: argument, isBeforeCommand: isBeforeCommand) {
        result.append("--database=\(path)")
        continue
      }
      if isBeforeCommand, let options = GrepArguments.splitShared(argument) {
        rest = options[...] + rest
        continue
      }
      result.append(argument)
      if RepeatedCollections.optionsWithValue.contains(argument) {
        if let value = rest.popFirst() { result.append(value) }
      } else if !argument.hasPrefix("-"), argument != "help" {
        isBeforeCommand = false
      }
    }
    return result
  }

  private static func path(in argument: String, isBeforeCommand: Bool) -> Substring? {
    guard argument.hasPrefix("-d"), argument.count > 2 else { return nil }
    let path = argument.dropFirst(2)
    // The parser accepts -d=PATH.
    guard path.first != "=" else { return nil }
    return isBeforeCommand || path.contains("/") || path.hasSuffix(".concord") ? path : nil
  }
}
