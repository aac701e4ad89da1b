import Concordance

/// What a search did because nothing matched as it stood, for people and for programs.
struct RelaxationText {
  let relaxation: SearchRelaxation

  /// A sentence for the standard error.
  var message: String {
    let anyWord = "showing documents with any of the words"
    let done =
      relaxation.corrections.isEmpty
      ? "too few documents have all of the words; \(anyWord)"
      : relaxation.matchesAnyWord
        ? "nothing found; \(anyWord) of \(relaxation.query)"
        : "nothing found; showing results for \(relaxation.query)"
    return done + " (--exact: as it stands)"
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
