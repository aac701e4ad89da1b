/// The message for a search that finds nothing because `type:` is used with a type name of `concord grep -t`.
///
/// `type:` is compared with the property `type`, the format of a file, and with file name extensions: `type:py` finds
/// Python files, `type:python` does not.
enum TypeHint {
  /// Returns what to search for instead.
  ///
  /// - Parameter query: the text of the search box.
  static func message(for query: String) -> String? {
    if let match = query.firstMatch(of: /(?:^|[\s(+-])type:"?\*?\.(?<name>[A-Za-z0-9_+-]+)/.ignoresCase()) {
      return "type: takes a file name extension without a dot: type:\(match.name)"
    }
    for match in query.matches(of: /(?:^|[\s(+-])type:"?(?<name>[A-Za-z0-9_+-]+)/.ignoresCase()) {
      let name = String(match.name)
      // Mail messages have no type, so no extension finds them.
      if ["all", "mail"].contains(name.lowercased()) { continue }
      guard let globs = FileTypes().globs(of: name.lowercased()) else { continue }
      let endings = globs.compactMap(ending)
      // `type:c` is both a type name and an extension, so the query was understood as intended.
      if endings.isEmpty || endings.contains(name.lowercased()) { continue }
      let words = endings.prefix(maximumCount).map { "type:\($0)" }.joined(separator: " OR ")
      let query = endings.count > 1 ? "(\(words))" : words
      return "type: takes a file name extension, or text, code, markdown or html; for \(name) search for \(query)"
    }
    return nil
  }

  private static let maximumCount = 4

  /// Returns `py` for `*.py`; nil for any other glob.
  private static func ending(_ glob: String) -> String? {
    let ending = glob.dropFirst(2)
    guard glob.hasPrefix("*."), !ending.isEmpty, ending.allSatisfy({ $0.isLetter || $0.isNumber }) else { return nil }
    return String(ending)
  }
}
