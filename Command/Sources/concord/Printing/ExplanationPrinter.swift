import Concordance

/// Prints the explanation of a score as text and as JSON.
struct ExplanationPrinter {
  let style: Style

  /// Returns a tree with a line for each part, and its summands indented below.
  func text(_ explanation: ScoreExplanation, depth: Int = 2) -> String {
    let margin = String(repeating: "  ", count: depth)
    let score = Quantity.score(explanation.score, places: 4)
    switch explanation.content {
    case .all(let parts): return "\(margin)\(score)  all of\n" + parts.map { text($0, depth: depth + 1) }.joined()
    case .any(let parts): return "\(margin)\(score)  any of\n" + parts.map { text($0, depth: depth + 1) }.joined()
    case .term(let term): return "\(margin)\(score)  " + line(term) + term.fields.map { line($0, margin) }.joined()
    }
  }

  private func line(_ term: TermScore) -> String {
    let documents = Quantity.count(term.documentCount, "document")
    return style.match(TerminalText.sanitized(term.text))
      + style.faint(
        "  idf \(Quantity.score(term.idf, places: 4)) (in \(Quantity.count(term.documentFrequency)) of \(documents))"
          + " × frequency \(Quantity.decimal(term.saturation, places: 4))"
          + (term.weight == 1 ? "" : " × weight \(Quantity.decimal(term.weight, places: 4))")
          + (term.precedence == 0 ? "" : " + \(Quantity.decimal(term.precedence, places: 4)) as typed")) + "\n"
  }

  private func line(_ field: TermScore.Field, _ margin: String) -> String {
    var parts = [
      Quantity.count(field.frequency, "time") + " in \(Quantity.count(field.length, "term"))",
      "mean \(Quantity.decimal(field.averageLength, places: 1))",
    ]
    if field.weight != 1 { parts.append("weight \(Quantity.decimal(field.weight, places: 2))") }
    let name = TerminalText.sanitized(field.name)
    return "\(margin)          "
      + style.faint(
        "\(name): \(parts.joined(separator: ", ")): counts \(Quantity.decimal(field.weightedFrequency, places: 4))")
      + "\n"
  }

  /// Returns the tree as a JSON object: `score`, and `all`, `any` (the summands) or `term`.
  static func object(_ explanation: ScoreExplanation) -> JSONLine {
    var object = JSONLine()
    object.add("score", explanation.score)
    switch explanation.content {
    case .all(let parts): object.add("all", parts.map(self.object))
    case .any(let parts): object.add("any", parts.map(self.object))
    case .term(let term): add(term, to: &object)
    }
    return object
  }

  private static func add(_ term: TermScore, to object: inout JSONLine) {
    object.add("term", term.text)
    object.add("documents", term.documentFrequency)
    object.add("of", term.documentCount)
    object.add("idf", term.idf)
    object.add("saturation", term.saturation)
    object.add("k1", term.k1)
    object.add("b", term.b)
    object.add("weight", term.weight)
    if term.precedence != 0 { object.add("precedence", term.precedence) }
    object.add(
      "fields",
      term.fields.map { field in
        var entry = JSONLine()
        entry.add("field", field.name)
        entry.add("frequency", field.frequency)
        entry.add("length", field.length)
        entry.add("averageLength", field.averageLength)
        entry.add("weight", field.weight)
        entry.add("weightedFrequency", field.weightedFrequency)
        return entry
      })
  }
}
