/// Conversion of predicate string tests to LIKE patterns and regular expressions.
///
/// A constant is converted to a constant. Any other operand is converted to a computation that returns null for values
/// that are not strings, so that they do not match.
enum PredicatePattern {
  /// `text BEGINSWITH part`
  static func begins(
    _ text: QueryExpression, with part: QueryExpression, isCollated: Bool
  ) -> QueryExpression {
    if case .string(let part) = part { return .like(text, pattern: .string(escaped(part) + "%")) }
    guard isCollated else { return .comparison(.equal, .function(.position, [text, part]), .integer(0)) }
    return .like(text, pattern: replacing(#"\z"#, with: "%", in: escaped(part)))
  }

  /// `text ENDSWITH part`
  static func ends(
    _ text: QueryExpression, with part: QueryExpression, isCollated: Bool
  ) -> QueryExpression {
    if case .string(let part) = part { return .like(text, pattern: .string("%" + escaped(part))) }
    guard isCollated else {
      let reversed = [text, part].map { QueryExpression.function(.reverse, [$0]) }
      return .comparison(.equal, .function(.position, reversed), .integer(0))
    }
    return .like(text, pattern: replacing(#"\A"#, with: "%", in: escaped(part)))
  }

  /// Converts a predicate pattern with `*` and `?` to a pattern of SQL's LIKE. `\` is the escape character in both.
  static func like(_ pattern: QueryExpression) -> QueryExpression {
    if case .string(let pattern) = pattern { return .string(like(pattern)) }
    // Skips escaped characters.
    let pass = #"(?s)\\.(*SKIP)(*FAIL)|"#
    let escaped = replacing(pass + "[%_]", with: #"\$0"#, in: pattern)
    return replacing(pass + #"\?"#, with: "_", in: replacing(pass + #"\*"#, with: "%", in: escaped))
  }

  private static func like(_ pattern: String) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped: result.append(scalar)
      case "*": result.append("%")
      case "?": result.append("_")
      case "%", "_": result.append(contentsOf: ["\\", scalar])
      default: result.append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return String(result)
  }

  /// Returns the regular expression with case ignored.
  static func ignoringCase(_ pattern: QueryExpression) -> QueryExpression {
    if case .string(let pattern) = pattern { return .string("(?i)" + pattern) }
    return replacing(#"\A"#, with: "(?i)", in: pattern)
  }

  // MARK: Literal text

  /// Returns the LIKE pattern that matches exactly this text.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  private static func escaped(_ text: QueryExpression) -> QueryExpression {
    replacing(#"[\\%_]"#, with: #"\$0"#, in: text)
  }

  private static func replacing(
    _ pattern: String, with replacement: String, in text: QueryExpression
  ) -> QueryExpression {
    .function(.regexReplace, [text, .string(pattern), .string(replacement)])
  }
}
