import Concordance

/// Prints how the score of a hit was combined from several searches, as text and as JSON.
struct FusionPrinter {
  let style: Style

  /// Returns a line for the combined score and one for each search that found the document, followed by the explanation
  /// of the score in this search.
  func text(_ fusion: FusionExplanation) -> String {
    let factor = fusion.method == .scoreSumTimesCount ? "\(Quantity.count(fusion.parts.count)) × " : ""
    var text = "    \(Quantity.score(fusion.score, places: 5))  \(fusion.method.name): \(factor)sum of\n"
    for part in fusion.parts {
      text += "      \(Quantity.score(part.summand, places: 5))  search \(part.search + 1)"
      text += style.faint("  \(details(part, fusion.method))") + "\n"
      if let explanation = part.explanation {
        text += ExplanationPrinter(style: style).text(explanation, depth: 4)
      }
    }
    return text
  }

  private func details(_ part: FusionExplanation.Part, _ method: RunFusion) -> String {
    let normalized =
      switch method {
      case .reciprocalRank(let k): "1 / (\(Quantity.decimal(k, places: k == k.rounded() ? 0 : 2)) + \(part.rank))"
      case .scoreSum, .scoreSumTimesCount: "normalized \(Quantity.decimal(part.normalizedScore, places: 5))"
      }
    let weight = part.weight == 1 ? "" : " × weight \(Quantity.decimal(part.weight, places: 4))"
    return "rank \(part.rank), score \(Quantity.score(part.score, places: 4)), \(normalized)\(weight)"
  }

  /// Returns the parts as a JSON object: `score`, `method` and `searches`.
  static func object(_ fusion: FusionExplanation) -> JSONLine {
    var object = JSONLine()
    object.add("score", fusion.score)
    object.add("method", fusion.method.name)
    object.add(
      "searches",
      fusion.parts.map { part in
        var entry = JSONLine()
        entry.add("search", part.search + 1)
        entry.add("rank", part.rank)
        entry.add("score", part.score)
        entry.add("normalized", part.normalizedScore)
        entry.add("weight", part.weight)
        if let explanation = part.explanation {
          entry.add("explanation", json: ExplanationPrinter.object(explanation).text)
        }
        return entry
      })
    return object
  }
}

extension RunFusion {
  /// The name of the method as an argument.
  fileprivate var name: String {
    let method: FusionMethod =
      switch self {
      case .reciprocalRank: .rrf
      case .scoreSum: .sum
      case .scoreSumTimesCount: .mnz
      }
    return method.rawValue
  }
}
