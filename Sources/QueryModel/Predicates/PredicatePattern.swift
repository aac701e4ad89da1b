/// What predicates look for in strings, as patterns of LIKE and regular expressions.
///
/// A constant becomes a constant. Anything else becomes a computation that gives null for what is no string, so that
/// nothing is found then.
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

  /// The pattern of SQL's LIKE for one with `*` and `?`, of which `\` takes the meaning in both.
  static func like(_ pattern: QueryExpression) -> QueryExpression {
    if case .string(let pattern) = pattern { return .string(like(pattern)) }
    // What stands behind a backslash is passed over.
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

  /// The regular expression that takes capital and small letters for the same.
  static func ignoringCase(_ pattern: QueryExpression) -> QueryExpression {
    if case .string(let pattern) = pattern { return .string("(?i)" + pattern) }
    return replacing(#"\A"#, with: "(?i)", in: pattern)
  }

  // MARK: Literal text

  /// The pattern of LIKE that finds this very text.
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
