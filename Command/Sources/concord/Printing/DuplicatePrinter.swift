import Concordance

/// Prints the groups of duplicates of a search as text and as JSON.
struct DuplicatePrinter {
  let style: Style

  /// Returns a heading, and below it the ids of each group.
  func text(_ results: SearchResults) -> String {
    var text = "\n" + style.strong("duplicates") + "\n"
    if results.duplicateGroups.isEmpty { text += "    none\n" }
    for group in results.duplicateGroups {
      let ids = group.documentIDs.map { style.id(TerminalText.sanitized($0)) }
      text += "    \(Quantity.count(ids.count))  " + ids.joined(separator: "  ") + "\n"
    }
    return text
  }

  /// Returns the groups as one line of JSON.
  static func line(_ results: SearchResults) -> String {
    var line = JSONLine()
    line.add(
      "duplicates",
      results.duplicateGroups.map { group in
        var object = JSONLine()
        object.add("count", group.documentIDs.count)
        object.add("ids", group.documentIDs)
        return object
      })
    return line.text
  }
}
