import Concordance

/// The messages about the results of a search.
struct SearchMessages {
  let results: SearchResults
  /// The number of skipped hits.
  let offset: Int
  /// The maximum number of hits.
  let limit: Int
  /// Whether explanations of scores were requested.
  let explains: Bool
  /// Whether a message reports that nothing was found.
  var reportsEmptyResult = true

  /// The messages for the standard error, in order; they do not contradict each other.
  var lines: [String] {
    var lines = [String]()
    if results.hits.isEmpty, !isCountOnly {
      if reportsEmptyResult {
        lines.append(results.notice.map { "\(nothingFound): \($0)" } ?? nothingFound)
      } else if let notice = results.notice {
        lines.append(notice)
      }
    } else {
      if let notice = results.notice { lines.append(notice) }
      if let relaxation = results.relaxation { lines.append(RelaxationText(relaxation: relaxation).message) }
      if explains, !results.isUnranked, !isCountOnly, results.hits.allSatisfy({ $0.explanation == nil }) {
        lines.append(
          "the scores are those of FTS5, which cannot be explained; `concord verify` reports what the index lacks"
        )
      }
    }
    if let query = results.suggestedQuery { lines.append("did you mean \(query)?") }
    return lines
  }

  /// Whether documents were found but no hits were requested.
  private var isCountOnly: Bool { limit == 0 && results.total.value > 0 }

  /// Returns the message that there are no hits.
  ///
  /// - Parameter offset: the number of skipped hits.
  static func nothingFound(offset: Int) -> String {
    offset > 0 ? "nothing found beyond the first \(Quantity.count(offset, "hit"))" : "nothing found"
  }

  private var nothingFound: String {
    let message = SearchMessages.nothingFound(offset: offset)
    guard let relaxation = results.relaxation else { return message }
    if offset > 0 {
      let words = relaxation.matchesAnyWord ? "any of the words of " : ""
      return "\(message) for \(words)\(relaxation.query)"
    }
    return "nothing found with these conditions, not even for \(relaxation.query)"
  }
}
