import QueryModel

/// LIKE: `%` matches any run of characters, `_` one character, `\` escapes the next character.
enum OracleLike {
  private enum Part {
    case run, any
    case scalar(Unicode.Scalar)
  }

  static func matches(_ text: String, _ pattern: String, _ collation: QueryCollation) -> Bool {
    matches(folded(text, collation), folded(pattern, collation))
  }

  /// ILIKE: ignores case, character by character, whatever the collation.
  static func matchesCaseless(_ text: String, _ pattern: String) -> Bool {
    matches(text.unicodeScalars.map(caseless), pattern.unicodeScalars.map(caseless))
  }

  private static func matches(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var parts: [Part] = []
    var rest = pattern[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "%": parts.append(.run)
      case "_": parts.append(.any)
      // At the end a backslash is literal.
      case "\\": parts.append(.scalar(rest.popFirst() ?? scalar))
      default: parts.append(.scalar(scalar))
      }
    }
    return matches(text[...], parts[...])
  }

  private static func matches(_ text: ArraySlice<Unicode.Scalar>, _ parts: ArraySlice<Part>) -> Bool {
    guard let part = parts.first else { return text.isEmpty }
    switch part {
    case .run: return (0...text.count).contains { matches(text.dropFirst($0), parts.dropFirst()) }
    case .any: return !text.isEmpty && matches(text.dropFirst(), parts.dropFirst())
    case .scalar(let scalar): return text.first == scalar && matches(text.dropFirst(), parts.dropFirst())
    }
  }

  /// Returns the lower case of the upper case, if both are one character. The dotless i has an upper case, but folds to
  /// itself.
  private static func caseless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar == "ı" { return scalar }
    func only(_ text: String, _ scalar: Unicode.Scalar) -> Unicode.Scalar {
      text.unicodeScalars.count == 1 ? text.unicodeScalars.first ?? scalar : scalar
    }
    let upper = only(scalar.properties.uppercaseMapping, scalar)
    return only(upper.properties.lowercaseMapping, upper)
  }

  private static func folded(_ text: String, _ collation: QueryCollation) -> [Unicode.Scalar] {
    Array(String(decoding: OracleValue.key(of: text, collation), as: UTF8.self).unicodeScalars)
  }
}
