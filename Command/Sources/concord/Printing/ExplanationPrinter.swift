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
    case .sum(let parts): return "\(margin)\(score)  sum of\n" + parts.map { text($0, depth: depth + 1) }.joined()
    case .length(let part, let queryWeight):
      let factors = "\(Quantity.score(part, places: 4)) × weight \(Quantity.decimal(queryWeight, places: 4))"
      return "\(margin)\(score)  length of the document" + style.faint("  \(factors)") + "\n"
    case .term(let term): return "\(margin)\(score)  " + line(term) + term.fields.map { line($0, margin) }.joined()
    }
  }

  private func line(_ term: TermScore) -> String {
    let documents = Quantity.count(term.documentCount, "document")
    if let occurrences = term.occurrences { return line(term, occurrences) }
    return style.match(TerminalText.sanitized(term.text))
      + style.faint(
        "  idf \(Quantity.score(term.idf, places: 4)) (in \(Quantity.count(term.documentFrequency)) of \(documents))"
          + " × frequency \(Quantity.decimal(term.saturation, places: 4))"
          + (term.weight == 1 ? "" : " × weight \(Quantity.decimal(term.weight, places: 4))")
          + (term.precedence == 0 ? "" : " + \(Quantity.decimal(term.precedence, places: 4)) as typed")) + "\n"
  }

  private func line(_ term: TermScore, _ occurrences: TermScore.Occurrences) -> String {
    let numbers = [
      "frequency \(Quantity.decimal(occurrences.frequency, places: 2))",
      "\(Quantity.decimal(occurrences.collectionFrequency, places: 2)) in all documents",
      "length \(Quantity.decimal(occurrences.length, places: 1))",
      "mean \(Quantity.decimal(occurrences.averageLength, places: 1))",
    ]
    return style.match(TerminalText.sanitized(term.text))
      + style.faint(
        "  \(term.model.name) \(Quantity.score(term.saturation, places: 4)) (\(numbers.joined(separator: ", ")))"
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

  /// Returns the tree as a JSON object: `score`, and `all`, `any`, `sum` (the summands), `length` or `term`.
  static func object(_ explanation: ScoreExplanation) -> JSONLine {
    var object = JSONLine()
    object.add("score", explanation.score)
    switch explanation.content {
    case .all(let parts): object.add("all", parts.map(self.object))
    case .any(let parts): object.add("any", parts.map(self.object))
    case .sum(let parts): object.add("sum", parts.map(self.object))
    case .length(let part, let queryWeight):
      object.add("length", part)
      object.add("weight", queryWeight)
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
    if let occurrences = term.occurrences {
      object.add("model", term.model.name)
      object.add("frequency", occurrences.frequency)
      object.add("length", occurrences.length)
      object.add("averageLength", occurrences.averageLength)
      object.add("collectionFrequency", occurrences.collectionFrequency)
      object.add("collectionLength", occurrences.collectionLength)
    } else {
      object.add("k1", term.k1)
      object.add("b", term.b)
    }
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
