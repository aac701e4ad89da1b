import ArgumentParser
import Concordance

extension SearchCommand {
  /// The maximum number of snippets that the library creates for a hit.
  private static let maximumSnippetCount = 100

  func validate() throws {
    let isEmpty = query.joined().allSatisfy(\.isWhitespace)
    if isEmpty, like == nil, !refinement.browses {
      throw ValidationError("The query is empty. Use '*' to find all documents.")
    }
    if !isEmpty, like != nil { throw ValidationError("--like replaces the query; give only one of them.") }
    for (name, value) in [
      ("--limit", limit), ("--offset", offset), ("--snippets", snippets), ("--duplicates", refinement.duplicates),
    ]
    where value < 0 {
      throw ValidationError("\(name) takes 0 or more, not \(value).")
    }
    if snippets > Self.maximumSnippetCount {
      throw ValidationError("--snippets takes at most \(Self.maximumSnippetCount), not \(snippets).")
    }
    if document, !json { throw ValidationError("--document requires --json; `concord get` prints documents.") }
    if files, fields != nil {
      throw ValidationError("--files searches only in paths, --fields in other fields; give only one of them.")
    }
    try ranking.refuseMatch(in: syntax)
    try validateCombinations()
    if syntax == .fts5, let word = Self.fuzzyWord(in: query.joined(separator: " ")) {
      throw ValidationError(
        "\(word): FTS5 query syntax does not support spelling correction; remove --syntax or the ~.")
    }
  }

  /// Rejects options that would otherwise be ignored silently.
  private func validateCombinations() throws {
    if like != nil {
      if syntax == .fts5 { throw ValidationError("--syntax applies to a query, which --like replaces.") }
      if ranking.match == .any { throw ValidationError("--match applies to a query, which --like replaces.") }
      if exact { throw ValidationError("--exact applies to a query, which --like replaces.") }
    }
    if watch, refinement.partial {
      throw ValidationError("--watch needs all servers; it cannot be combined with --partial.")
    }
    if watch, limit == 0 { throw ValidationError("--watch prints hits, so --limit takes 1 or more.") }
    if watch, json, !refinement.facets.isEmpty {
      throw ValidationError("--watch --json prints differences between hits, without facets; remove --facet or --json.")
    }
    if watch, refinement.duplicates > 0 {
      throw ValidationError("--watch prints hits; it cannot be combined with --duplicates.")
    }
    if fusion.method != nil { try validateFusion() }
    guard count else { return }
    let others = [
      ("--explain", refinement.explain), ("--document", document), ("--sort", refinement.sort != nil),
      ("--offset", offset > 0), ("--watch", watch), ("--unique", refinement.unique),
      ("--duplicates", refinement.duplicates > 0),
    ]
    if let (name, _) = others.first(where: \.1) {
      throw ValidationError("--count prints no hits, so \(name) has no effect.")
    }
  }

  /// Rejects options that a combination of searches does not support.
  private func validateFusion() throws {
    let others = [
      ("--like", like != nil), ("--count", count), ("--watch", watch), ("--sort", refinement.sort != nil),
      ("--facet", !refinement.facets.isEmpty), ("--files", files),
      ("--duplicates", refinement.duplicates > 0), ("--partial", refinement.partial),
    ]
    if let (name, _) = others.first(where: \.1) {
      throw ValidationError("--fuse combines the hits of several searches; it cannot be combined with \(name).")
    }
    let searchCount = fusion.models?.models.count ?? query.count
    if searchCount < 2 {
      throw ValidationError("--fuse takes at least two queries, each in quotation marks, or two --fuse-models.")
    }
    if let weights = fusion.weights, weights.numbers.count != searchCount {
      throw ValidationError("--fuse-weights takes a number for each of the \(searchCount) searches.")
    }
    if let models = fusion.models { try ranking.refuseMissingParameters(of: models.models) }
    if fusion.models != nil, ranking.model.model != nil {
      throw ValidationError("--model and --fuse-models cannot be combined.")
    }
  }

  /// Returns the first word outside quotation marks that ends with a tilde.
  private static func fuzzyWord(in query: String) -> String? {
    let unquoted = query.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element)
    let words = unquoted.flatMap { $0.split { $0.isWhitespace || "(){}:^,".contains($0) } }
    return words.first { $0.count > 1 && $0.last == "~" }.map { String($0) }
  }
}
