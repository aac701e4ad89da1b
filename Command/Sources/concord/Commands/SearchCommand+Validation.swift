import ArgumentParser

extension SearchCommand {
  func validate() throws {
    let isEmpty = query.joined().allSatisfy(\.isWhitespace)
    if isEmpty, like == nil, !refinement.browses {
      throw ValidationError("The query is empty. Say what to search for; '*' finds all documents.")
    }
    if !isEmpty, like != nil { throw ValidationError("--like takes the place of a query; give one of them.") }
    for (name, value) in [("--limit", limit), ("--offset", offset), ("--snippets", snippets)] where value < 0 {
      throw ValidationError("\(name) takes 0 or more, not \(value).")
    }
    if document, !json { throw ValidationError("--document is for --json; `concord get` prints documents.") }
    if files, fields != nil {
      throw ValidationError("--files searches in paths, and --fields in other fields; give one of them.")
    }
    try validateCombinations()
    if syntax == .fts5, let word = Self.approximateWord(in: query.joined(separator: " ")) {
      throw ValidationError("\(word): the language of FTS5 has no typing errors; leave out --syntax, or the ~.")
    }
  }

  /// What would be passed over in silence is an error.
  private func validateCombinations() throws {
    if like != nil {
      if syntax == .fts5 { throw ValidationError("--syntax is the language of a query, and --like takes its place.") }
      if exact { throw ValidationError("--exact is for the words of a query, and --like takes its place.") }
    }
    guard count else { return }
    let others = [
      ("--explain", refinement.explain), ("--document", document), ("--sort", refinement.sort != nil),
      ("--offset", offset > 0),
    ]
    if let (name, _) = others.first(where: \.1) {
      throw ValidationError("--count prints no hits, so there is nothing for \(name).")
    }
  }

  /// The first word outside of quotation marks that ends with a tilde.
  private static func approximateWord(in query: String) -> String? {
    let unquoted = query.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element)
    let words = unquoted.flatMap { $0.split { $0.isWhitespace || "(){}:^,".contains($0) } }
    return words.first { $0.count > 1 && $0.last == "~" }.map { String($0) }
  }
}
