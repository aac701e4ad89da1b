import Concordance

/// Formats the terms of a text as lines.
struct TermPrinter {
  let isJSON: Bool
  let style: Style

  /// Returns a line for each token, including colocated tokens.
  func tokens(_ text: String, _ tokenizer: Tokenizer) -> [String] {
    let bytes = Array(text.utf8)
    let buffer = TokenBuffer()
    bytes.withUnsafeBytes { tokenizer.tokenize($0, into: buffer) }
    var position = -1
    return buffer.tokens.map { token in
      if !token.isColocated || position < 0 { position += 1 }
      let term = String(decoding: buffer.term(token), as: UTF8.self)
      let range = Int(token.start)..<Int(token.end)
      let original = String(decoding: bytes[range], as: UTF8.self)
      guard isJSON else {
        return
          "\(position)\t\(style.strong(shown(term)))\t\(range.lowerBound)-\(range.upperBound)\t\(shown(original))"
      }
      var line = JSONLine()
      line.add("position", position)
      line.add("term", term)
      line.add("start", range.lowerBound)
      line.add("end", range.upperBound)
      line.add("text", original)
      return line.text
    }
  }

  /// Returns a line for each position of a query.
  func query(_ text: String, _ tokenizer: Tokenizer) -> [String] {
    let isPrefix = text.hasSuffix("*")
    let text = isPrefix ? String(text.dropLast()) : text
    let bytes = Array(text.utf8)
    return tokenizer.queryTerms(text, prefix: isPrefix).enumerated().map { position, term in
      let original = String(decoding: bytes[term.start..<term.end], as: UTF8.self)
      guard isJSON else {
        let forms = term.forms.map { style.strong(shown($0)) + (term.isPrefix ? "*" : "") }
        let note = term.isStopWord ? "\tstop word" : ""
        return
          "\(position)\t\(forms.joined(separator: " | "))\t\(term.start)-\(term.end)\t\(shown(original))\(note)"
      }
      var line = JSONLine()
      line.add("position", position)
      line.add("forms", term.forms)
      line.add("prefix", term.isPrefix)
      line.add("stopWord", term.isStopWord)
      line.add("start", term.start)
      line.add("end", term.end)
      line.add("text", original)
      return line.text
    }
  }

  /// Replaces line breaks and tabs with spaces.
  private func shown(_ text: String) -> String {
    TerminalText.sanitized(String(text.map { $0 == "\n" || $0 == "\t" ? " " : $0 }))
  }
}
