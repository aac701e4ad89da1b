import Concordance

/// Formats a hit as text: rank, id, line, title and score on one line, and the snippets indented below.
struct HitPrinter {
  let style: Style
  /// The width for wrapping; nil if each snippet is one line.
  let width: Int?

  /// Whether hits have scores.
  var showsScores = true

  /// The number of decimal places of scores.
  var scorePlaces = 2

  private static let indentation = 4

  func text(_ hit: SearchHit) -> String {
    var text = "\(hit.rank). " + style.id(TerminalText.sanitized(hit.id)) + (hit.line.map { ":\($0)" } ?? "")
    // The title of a file without one is its name, which its id already ends with.
    if let title = hit.title, title != hit.id, !hit.id.hasSuffix("/" + title) {
      text += "  " + style.strong(TerminalText.sanitized(oneLine(title)))
    }
    if showsScores { text += "  " + style.faint("(\(Quantity.score(hit.score, places: scorePlaces)))") }
    if !hit.duplicates.isEmpty {
      text += "  " + style.faint("and \(Quantity.count(hit.duplicates.count, "duplicate"))")
    }
    text += "\n"
    for snippet in hit.snippets {
      let margin = String(repeating: " ", count: HitPrinter.indentation)
      for line in lines(of: snippet) { text += margin + line + "\n" }
    }
    if let fusion = hit.fusion {
      text += FusionPrinter(style: style).text(fusion)
    } else if let explanation = hit.explanation {
      text += ExplanationPrinter(style: style).text(explanation)
    }
    return text
  }

  private func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func lines(of snippet: SearchSnippet) -> [String] {
    var marked: [MarkedText.Piece] = snippet.continuesBefore ? [MarkedText.Piece("… ", isMatch: false)] : []
    marked += MarkedText.pieces(of: snippet.text, matches: snippet.matches)
    if snippet.continuesAfter { marked.append(MarkedText.Piece(" …", isMatch: false)) }
    let columns = width.map { max($0 - HitPrinter.indentation - 1, 20) }
    return MarkedText.wrapped(marked, columns: columns).map { line in
      line.map { piece in
        let text = TerminalText.sanitized(piece.text)
        return piece.isMatch ? style.match(text) : text
      }.joined()
    }
  }
}
