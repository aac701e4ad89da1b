import PatternMatching

/// The patterns of a request as one compiled expression, and how it finds lines. Threads may share it.
struct LinePattern: Sendable {
  /// How lines with a match are found.
  enum Strategy: Hashable, Sendable {
    /// All of the text is searched; a match is never longer than its line, and is the line's first.
    case wholeText
    /// All of the text is searched; a match may be longer than its line, so the line is matched again by itself. No line that
    /// matches by itself is passed over.
    case wholeTextThenLine
    /// Each line is matched by itself.
    case lineByLine
    /// All of the text is searched, and matches may reach across lines.
    case acrossLines
  }

  let pattern: Pattern
  let strategy: Strategy

  /// Compiles the patterns of a request.
  ///
  /// - Throws: ``PatternError`` for a pattern that PCRE2 does not take, ``CBLError`` for one that asks for a line break where
  ///   matches end with their line.
  init(_ request: PatternSearchRequest) throws {
    var options = PatternOptions()
    options.ignoresCase = LinePattern.ignoresCase(request)
    // On a line by itself it means the same; on all of the text it is what makes lines of it.
    options.isMultiline = true
    options.dotMatchesNewlines = request.isMultiline && request.dotMatchesNewlines
    if !request.isMultiline { try LinePattern.refuseLineBreaks(in: request) }

    let isPlain = request.patterns.count == 1 && !request.matchesWords && !request.matchesWholeLines
    options.isLiteral = request.isLiteral && isPlain
    let text = isPlain ? request.patterns[0] : try LinePattern.joined(request, options)
    let safety = options.isLiteral ? LineSafety(literal: text) : LineSafety(text)
    if request.isMultiline, options.dotMatchesNewlines || safety?.mayReachAcrossLines ?? true {
      strategy = .acrossLines
    } else {
      strategy = safety.map { $0.mayHoldNewline ? .wholeTextThenLine : .wholeText } ?? .lineByLine
    }
    if isPlain, safety != nil { try LinePattern.checked(text, options) }
    let searched = strategy == .acrossLines ? text : safety?.text ?? text
    pattern = try isPlain ? Pattern(searched, options: options) : LinePattern.compiled(searched, options, request)
  }

  /// Compiles patterns that were joined. Each is one by itself; the joined text says nothing to the user.
  private static func compiled(
    _ text: String, _ options: PatternOptions, _ request: PatternSearchRequest
  ) throws -> Pattern {
    do {
      return try Pattern(text, options: options)
    } catch {
      throw CBLError(
        CBLError.invalidQuery,
        "the patterns cannot be joined to one (\(error.reason)); search for fewer at a time, \(request.patterns.count) now"
      )
    }
  }

  private static func joined(_ request: PatternSearchRequest, _ options: PatternOptions) throws -> String {
    // An empty negative lookahead: what matches nothing.
    guard !request.patterns.isEmpty else { return "(?!)" }
    if !request.isLiteral {
      // Each by itself: `a)|(b` is no pattern.
      for text in request.patterns { try LinePattern.checked(text, options) }
    }
    let parts = request.patterns.map { request.isLiteral ? quoted($0) : "(?:\($0))" }
    let all = parts.joined(separator: "|")
    if request.matchesWholeLines { return "^(?:\(all))$" }
    return request.matchesWords ? LineSafety.noWordBefore + "(?:\(all))" + LineSafety.noWordBehind : all
  }

  /// Sees to it that a fault is told of the text that the user wrote, not of what was made of it.
  private static func checked(_ text: String, _ options: PatternOptions) throws {
    var options = options
    options.limits.usesJIT = false
    _ = try Pattern(text, options: options)
  }

  /// The text as a pattern that matches it and nothing else.
  private static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isWord = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
      if scalar.isASCII, !isWord { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  /// Whether letters match in either case.
  static func ignoresCase(_ request: PatternSearchRequest) -> Bool {
    switch request.letterCase {
    case .sensitive: false
    case .insensitive: true
    case .smart: !request.patterns.contains { PatternSpelling.holdsUpperCase($0, isLiteral: request.isLiteral) }
    }
  }

  private static func refuseLineBreaks(in request: PatternSearchRequest) throws {
    for text in request.patterns where PatternSpelling.asksForLineBreak(text, isLiteral: request.isLiteral) {
      throw CBLError(
        CBLError.invalidQuery,
        "the pattern \"\(text)\" asks for a line break, and matches end with their line; search across lines for it "
          + "(--multiline, isMultiline)")
    }
  }
}
