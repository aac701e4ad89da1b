import Concordance

/// Formats a hit as one line of JSON.
enum HitJSON {
  static func line(
    _ hit: SearchHit, in collection: Collection, relaxation: SearchRelaxation? = nil, withDocument: Bool
  ) -> String {
    var line = JSONLine()
    line.add("rank", hit.rank)
    line.add("id", hit.id)
    line.add("collection", collection.fullName)
    line.add("score", hit.score)
    line.add("title", optional: hit.title)
    line.add("snippet", hit.snippets.map(\.text).joined(separator: " … "))
    let fieldWithLines = hit.fieldWithFileLines
    line.add("matches", hit.matches.map { object($0, hasLine: $0.field == fieldWithLines) })
    if !hit.duplicates.isEmpty { line.add("duplicates", hit.duplicates) }
    if let relaxation { RelaxationText(relaxation: relaxation).add(to: &line) }
    if let fusion = hit.fusion {
      line.add("explanation", json: FusionPrinter.object(fusion).text)
    } else if let explanation = hit.explanation {
      line.add("explanation", json: ExplanationPrinter.object(explanation).text)
    }
    if withDocument { line.add("document", json: JSONLayout.compact(hit.document.toJSON())) }
    return line.text
  }

  private static func object(_ match: SearchMatch, hasLine: Bool) -> JSONLine {
    var object = JSONLine()
    object.add("field", match.field)
    object.add("start", match.range.lowerBound)
    object.add("end", match.range.upperBound)
    if hasLine { object.add("line", match.line) }
    return object
  }
}
