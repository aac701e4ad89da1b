import PatternMatching

/// The patterns of a query before compilation. Analyzes them and combines them into one expression.
struct LinePatternSource {
  private let query: LineQuery
  private let options: PatternOptions
  private let texts: [LinePatternText]

  /// Analyzes the patterns.
  ///
  /// - Throws: `PatternError` if PCRE2 rejects a pattern; ``LineQueryError`` if a pattern requires a line break but
  ///   matches cannot cross lines.
  init(_ query: LineQuery) throws {
    self.query = query
    var options = PatternOptions()
    // Has no effect on a single line; in a whole text, `^` and `$` match at the ends of lines.
    options.isMultiline = true
    options.dotMatchesNewlines = query.isMultiline && query.dotMatchesNewlines
    options.limits.time = query.timeLimit
    // A longer time limit allows more steps.
    let factor = max(query.timeLimit / .seconds(1), 1)
    options.limits.match = UInt32(min(Double(options.limits.match) * factor, Double(UInt32.max)))
    options.isLiteral = query.isLiteral
    options.ignoresCase = query.letterCase == .insensitive
    var texts = query.patterns.map { LinePatternText($0, options) }
    if query.letterCase == .smart, LinePatternText.ignoreCase(texts) {
      // The patterns are analyzed again, because their properties depend on case variants.
      options.ignoresCase = true
      texts = texts.map { $0.isPlain ? $0 : LinePatternText($0.text, options) }
    }
    self.options = options
    self.texts = texts
    if !query.isMultiline, let index = texts.firstIndex(where: \.requiresNewline) {
      // If the pattern also has a syntax error, that error is more useful.
      try check(texts[index].text, at: index)
      throw LineQueryError(pattern: texts[index].text)
    }
  }

  /// Whether a match may contain a line break.
  var canMatchNewline: Bool { texts.contains(where: \.canMatchNewline) }
  /// Whether a search of the whole text finds every line that matches when it is searched on its own.
  var isLineSafe: Bool { texts.allSatisfy(\.isLineSafe) }

  /// Returns the patterns as one expression, or as several if patterns have references, or if PCRE2 rejects their
  /// combination because it is too large or because groups have the same name.
  ///
  /// - Throws: `PatternError` if PCRE2 rejects one of the patterns.
  func compiled(excludingNewlines: Bool) throws -> [Pattern] {
    // An empty negative lookahead matches nothing.
    guard let first = texts.first else { return [try Pattern("(?!)", options: PatternOptions())] }
    if texts.count == 1, !query.matchesWords, !query.matchesWholeLines {
      let text = excludingNewlines ? first.searched : first.text
      // The error must quote the text that the user wrote.
      if text != first.text { try check(first.text, at: 0) }
      return [try pattern(text, options, PatternOrigin(text: first.text), at: 0)]
    }
    if !query.isLiteral {
      // Each pattern is checked separately: `a)|(b` is not a valid pattern, and the error must quote the text that the
      // user wrote.
      for (index, text) in texts.enumerated() where !text.isPlain { try check(text.text, at: index) }
    }
    // In a combination, `\1` would refer to a group of the first pattern that has groups.
    var patterns: [Pattern] = []
    var rest = texts[...]
    while let text = rest.first {
      let part = text.hasReferences ? rest.prefix(1) : rest.prefix { !$0.hasReferences }
      patterns += try compiled(part, excludingNewlines)
      rest = rest.dropFirst(part.count)
    }
    return patterns
  }

  private func compiled(_ part: ArraySlice<LinePatternText>, _ excludingNewlines: Bool) throws -> [Pattern] {
    var options = options
    options.isLiteral = false
    let text = joined(part, excludingNewlines)
    let origin =
      part.count == 1
      ? PatternOrigin(text: part[part.startIndex].text)
      : PatternOrigin(text: text, count: part.count, totalCount: texts.count)
    do {
      return [try Pattern(text, options: options, origin: origin)]
    } catch {
      guard part.count > 1 else { throw error }
      let middle = part.startIndex + part.count / 2
      return try compiled(part[..<middle], excludingNewlines) + compiled(part[middle...], excludingNewlines)
    }
  }

  private func joined(_ part: ArraySlice<LinePatternText>, _ excludingNewlines: Bool) -> String {
    var startOptions = ""
    var alternatives: [String] = []
    var rest = part
    while let text = rest.popFirst() {
      guard text.isPlain else {
        let pattern = excludingNewlines ? text.searched : text.text
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
    // The first call of `joined` in a process searches all protocol conformances.
    let all = alternatives.count == 1 ? alternatives[0] : alternatives.joined(separator: "|")
    if query.matchesWholeLines { return startOptions + "^(?:\(all))$" }
    return startOptions + (query.matchesWords ? #"(?<!\w)(?:\#(all))(?!\w)"# : all)
  }

  /// Returns a pattern in parentheses, after closing an open quotation or comment in it.
  private func enclosed(_ text: String, _ terminator: String?) -> String {
    if let terminator { return "(?:\(text)\(terminator))" }
    let forms = ["", "\\E", "\n", "\\E\n"].map { "(?:\(text)\($0))" }
    return forms.first { (try? check($0)) != nil } ?? forms[0]
  }

  /// Throws if a text is not a valid pattern.
  ///
  /// - Parameter index: its index among the patterns of the query; nil for a generated pattern.
  private func check(_ text: String, at index: Int? = nil) throws(PatternError) {
    var options = options
    options.limits.usesJIT = false
    _ = try pattern(text, options, PatternOrigin(text: text), at: index)
  }

  /// Compiles a pattern. Its errors have its index among the patterns of the query.
  private func pattern(
    _ text: String, _ options: PatternOptions, _ origin: PatternOrigin, at index: Int?
  ) throws(PatternError) -> Pattern {
    do throws(PatternError) {
      return try Pattern(text, options: options, origin: origin)
    } catch {
      var located = error
      located.patternIndex = index
      throw located
    }
  }
}
