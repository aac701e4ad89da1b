import QueryModel

/// LIKE: `%` is any run of characters, `_` one, `\` takes the meaning of what follows.
enum OracleLike {
  private enum Part {
    case run, any
    case scalar(Unicode.Scalar)
  }

  static func matches(_ text: String, _ pattern: String, _ collation: QueryCollation) -> Bool {
    var parts: [Part] = []
    var rest = folded(pattern, collation)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "%": parts.append(.run)
      case "_": parts.append(.any)
      // At the end a backslash stands for itself.
      case "\\": parts.append(.scalar(rest.popFirst() ?? scalar))
      default: parts.append(.scalar(scalar))
      }
    }
    return matches(folded(text, collation)[...], parts[...])
  }

  private static func matches(_ text: ArraySlice<Unicode.Scalar>, _ parts: ArraySlice<Part>) -> Bool {
    guard let part = parts.first else { return text.isEmpty }
    switch part {
    case .run: return (0...text.count).contains { matches(text.dropFirst($0), parts.dropFirst()) }
    case .any: return !text.isEmpty && matches(text.dropFirst(), parts.dropFirst())
    case .scalar(let scalar): return text.first == scalar && matches(text.dropFirst(), parts.dropFirst())
    }
  }

  private static func folded(_ text: String, _ collation: QueryCollation) -> [Unicode.Scalar] {
    Array(String(decoding: OracleValue.key(of: text, collation), as: UTF8.self).unicodeScalars)
  }
}
