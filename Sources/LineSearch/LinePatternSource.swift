import PatternMatching

/// The patterns of a query before they are compiled: what is known of each, and how they become one.
struct LinePatternSource {
  private let query: LineQuery
  private let options: PatternOptions
  private let texts: [LinePatternText]

  /// Looks at the patterns.
  ///
  /// - Throws: `PatternError` for one that PCRE2 does not take, ``LineQueryError`` for one that asks for a line break where matches
  ///   end with their line.
  init(_ query: LineQuery) throws {
    self.query = query
    var options = PatternOptions()
    // On a line by itself it means the same; on all of the text it is what makes lines of it.
    options.isMultiline = true
    options.dotMatchesNewlines = query.isMultiline && query.dotMatchesNewlines
    options.limits.time = query.timeLimit
    // More time is for more steps.
    let factor = max(query.timeLimit / .seconds(1), 1)
    options.limits.match = UInt32(min(Double(options.limits.match) * factor, Double(UInt32.max)))
    options.isLiteral = query.isLiteral
    options.ignoresCase = query.letterCase == .insensitive
    var texts = query.patterns.map { LinePatternText($0, options) }
    if query.letterCase == .smart, LinePatternText.ignoreCase(texts) {
      // A character with another case may be another one.
      options.ignoresCase = true
      texts = texts.map { $0.isPlain ? $0 : LinePatternText($0.text, options) }
    }
    self.options = options
    self.texts = texts
    if !query.isMultiline, let text = texts.first(where: \.asksForNewline) {
      // A fault in it is more worth telling.
      try check(text.text)
      throw LineQueryError(pattern: text.text)
    }
  }

  /// Whether a match may hold a line break.
  var canMatchNewline: Bool { texts.contains(where: \.canMatchNewline) }
  /// Whether a search of all of a text finds every line that matches by itself.
  var isLineSafe: Bool { texts.allSatisfy(\.isLineSafe) }

  /// The patterns as one expression, or as several where PCRE2 does not take one of all: it would be too large, or its groups have
  /// the same names.
  ///
  /// - Throws: `PatternError` for a pattern that PCRE2 does not take by itself.
  func compiled(leavingOutNewlines: Bool) throws -> [Pattern] {
    // An empty negative lookahead: what matches nothing.
    guard let first = texts.first else { return [try Pattern("(?!)", options: PatternOptions())] }
    if texts.count == 1, !query.matchesWords, !query.matchesWholeLines {
      if first.searched != first.text { try check(first.text) }
      return [try Pattern(leavingOutNewlines ? first.searched : first.text, options: options)]
    }
    if !query.isLiteral {
      // Each by itself: `a)|(b` is no pattern. And a fault is told of the text that the user wrote.
      for text in texts where !text.isPlain { try check(text.text) }
    }
    return try compiled(texts[...], leavingOutNewlines)
  }

  private func compiled(_ part: ArraySlice<LinePatternText>, _ leavingOutNewlines: Bool) throws -> [Pattern] {
    var options = options
    options.isLiteral = false
    let text = joined(part, leavingOutNewlines)
    do {
      return [try Pattern(text, options: options)]
    } catch {
      guard part.count > 1 else { throw error }
      let middle = part.startIndex + part.count / 2
      return try compiled(part[..<middle], leavingOutNewlines) + compiled(part[middle...], leavingOutNewlines)
    }
  }

  private func joined(_ part: ArraySlice<LinePatternText>, _ leavingOutNewlines: Bool) -> String {
    var startOptions = ""
    var alternatives: [String] = []
    var rest = part
    while let text = rest.popFirst() {
      guard text.isPlain else {
        let pattern = leavingOutNewlines ? text.searched : text.text
        startOptions += text.startOptions
        alternatives.append(
          enclosed(
            String(decoding: pattern.utf8.dropFirst(text.startOptions.utf8.count), as: UTF8.self), text.terminator))
        continue
      }
      let run = [text] + rest.prefix(while: \.isPlain)
      rest = rest.dropFirst(run.count - 1)
      alternatives.append(
        LiteralAlternation.pattern(of: run.lazy.map(\.text), ignoringCase: options.ignoresCase))
    }
    let all = alternatives.joined(separator: "|")
    if query.matchesWholeLines { return startOptions + "^(?:\(all))$" }
    return startOptions + (query.matchesWords ? #"(?<!\w)(?:\#(all))(?!\w)"# : all)
  }

  /// A pattern in parentheses. What it leaves open, a quotation or a comment, is closed.
  private func enclosed(_ text: String, _ terminator: String?) -> String {
    if let terminator { return "(?:\(text)\(terminator))" }
    let forms = ["", "\\E", "\n", "\\E\n"].map { "(?:\(text)\($0))" }
    return forms.first { (try? check($0)) != nil } ?? forms[0]
  }

  /// Sees to it that a text is a pattern.
  private func check(_ text: String) throws(PatternError) {
    var options = options
    options.limits.usesJIT = false
    _ = try Pattern(text, options: options)
  }
}
