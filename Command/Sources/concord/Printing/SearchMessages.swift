import Concordance

/// What is told about the results of a search besides the hits.
struct SearchMessages {
  let results: SearchResults
  /// How many of the best hits were passed over.
  let offset: Int
  /// How many hits were asked for.
  let limit: Int
  /// Whether scores were to be explained.
  let explains: Bool

  /// Messages for the standard error, in their order; each says one thing, and none what another one denies.
  var lines: [String] {
    var lines = [String]()
    if results.hits.isEmpty, !isCountOnly {
      lines.append(results.notice.map { "\(nothingFound): \($0)" } ?? nothingFound)
    } else {
      if let notice = results.notice { lines.append(notice) }
      if let relaxation = results.relaxation { lines.append(RelaxationText(relaxation: relaxation).message) }
      if explains, !results.isUnranked, !isCountOnly, results.hits.allSatisfy({ $0.explanation == nil }) {
        lines.append(
          "the scores are those of FTS5, which cannot be explained; `concord verify` tells what the index lacks for others"
        )
      }
    }
    if let query = results.suggestedQuery { lines.append("did you mean \(query)?") }
    return lines
  }

  /// Whether documents were found and none was asked for.
  private var isCountOnly: Bool { limit == 0 && results.total.value > 0 }

  private var nothingFound: String {
    let beyond = offset > 0 ? " beyond the first \(Quantity.count(offset, "hit"))" : ""
    guard let relaxation = results.relaxation else { return "nothing found" + beyond }
    if offset > 0 {
      let words = relaxation.matchesAnyWord ? "any of the words of " : ""
      return "nothing found\(beyond) for \(words)\(relaxation.query)"
    }
    return "nothing found, nor for \(relaxation.query) among the documents that are wanted"
  }
}

extension UnknownProperty {
  /// What to tell the user.
  var message: String { "no document has a property \(path)" + (suggestion.map { "; did you mean \($0)?" } ?? "") }
}
