import ArgumentParser
@_spi(Command) import Concordance

/// The paths of `view query --sort`.
enum ViewSort {
  /// Returns the arguments with `--sort=-value` for `--sort -value`. The parser would treat such a value as options
  /// because the parent commands do not declare `--sort`.
  static func joiningValues(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return result + arguments[index...] }
      if result.last == "--sort", argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 1 {
        result[result.count - 1] += "=" + argument
      } else {
        result.append(argument)
      }
    }
    return result
  }

  /// Throws for a path that does not begin with a member of the rows.
  static func check(_ path: String) throws {
    let name = property(path).prefix { $0 != "." && $0 != "[" }
    guard !["id", "key", "value"].contains(name) else { return }
    let hint = NameSuggestion.closest(to: String(name), among: ["id", "key", "value"]).map { "; did you mean \($0)?" }
    throw ValidationError("--sort takes id, key, value or a path in them, not \"\(path)\"\(hint ?? ".")")
  }

  /// The path without the minus.
  static func property(_ path: String) -> Substring { path.hasPrefix("-") ? path.dropFirst() : path[...] }

  /// Returns the sort descriptor for a path. The library calls the member `id` `documentID`.
  static func descriptor(_ path: String) -> ViewSortDescriptor {
    let (sign, property) = (path.hasPrefix("-") ? "-" : "", property(path))
    return ViewSortDescriptor(sign + (property == "id" ? "documentID" : property))
  }
}
