import Concordance

/// Describes how a search was relaxed because too few documents matched the query as typed, as text and as JSON.
struct RelaxationText {
  let relaxation: SearchRelaxation

  /// The message for the standard error.
  var message: String {
    let anyWord = "showing documents with any of the words"
    let done =
      relaxation.corrections.isEmpty
      ? "too few documents have all of the words; \(anyWord)"
      : relaxation.matchesAnyWord
        ? "nothing found; \(anyWord) of \(relaxation.query)"
        : "nothing found; showing results for \(relaxation.query)"
    return done + " (--exact: as typed)"
  }

  /// Adds the keys `relaxed` and `didYouMean` to a hit.
  func add(to line: inout JSONLine) {
    var steps: [String] = []
    if !relaxation.corrections.isEmpty { steps.append("spelling") }
    if relaxation.matchesAnyWord { steps.append("anyWord") }
    line.add("relaxed", steps)
    if !relaxation.corrections.isEmpty { line.add("didYouMean", relaxation.query) }
  }
}
