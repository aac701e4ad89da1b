import JSONText
import PatternMatching
import QueryModel

extension QueryFunctions {
  /// LIKE and regular expressions. Positions are code points from 0. What is no string gives null, MISSING gives MISSING.
  static let patternFunctions: [ScalarFunction] =
    [
      ScalarFunction(
        operator: "OP_LIKE", 2...2, takesCollation: true, isCondition: true, .textTest { try LikeTest.make($0) }),
      ScalarFunction(
        .regexContains,
        isCondition: true, .textTest { try PatternTest($0, matchesWhole: false) }),
      // All of the text, as documented; Couchbase Lite looks anywhere.
      ScalarFunction(
        .regexLike, isCondition: true,
        .textTest { try PatternTest($0, matchesWhole: true) }),
      matching(.regexPosition) { matcher, text in
        guard let match = try matcher.firstMatch(in: text) else { return .integer(-1) }
        return .integer(Int64(codePoints(in: text[..<match.lowerBound])))
      },
      matching(.regexCount) { matcher, text in
        .integer(Int64(try matcher.count(in: text)))
      },
      // The first match, or null.
      matching(.regexSubstring) { matcher, text in
        guard let match = try matcher.firstMatch(in: text) else { return .null }
        return .string(String(decoding: text[match], as: UTF8.self))
      },
      matching(.regexMatches) { matcher, text in
        var matches: [JSONValue] = []
        try matcher.forEachMatch(in: text) { match in
          matches.append(.string(String(decoding: text[match], as: UTF8.self)))
          return true
        }
        return .array(matches)
      },
      matching(.regexSplit) { matcher, text in
        var parts: [JSONValue] = []
        var end = 0
        try matcher.forEachMatch(in: text) { match in
          // An empty match at the beginning divides nothing.
          if match.isEmpty, match.lowerBound == end || match.lowerBound == text.count { return true }
          parts.append(.string(String(decoding: text[end..<max(end, match.lowerBound)], as: UTF8.self)))
          end = max(end, match.upperBound)
          return true
        }
        parts.append(.string(String(decoding: text[end...], as: UTF8.self)))
        return .array(parts)
      },
      ScalarFunction(.regexReplace) { arguments in
        guard let text = arguments[0].string, let pattern = arguments[1].string, let new = arguments[2].string else {
          return QueryValue.wrongType(arguments[0], arguments[1], arguments[2])
        }
        var limit = Int.max
        if arguments.count == 4 {
          guard let count = arguments[3].integer else { return QueryValue.wrongType(arguments[3]) }
          if count >= 0 { limit = Int(count) }
        }
        let matcher = try PatternMatcher(PatternCache.shared.pattern(pattern))
        let bytes = try text.withBytes {
          try matcher.replacing(in: $0, with: ReplacementTemplate(new), limit: limit)
        }
        return .string(String(decoding: bytes, as: UTF8.self))
      },
    ]

  private static func matching(
    _ function: QueryFunction,
    _ compute: @escaping @Sendable (PatternMatcher, UnsafeRawBufferPointer) throws -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(function) { arguments in
      guard let text = arguments[0].string, let pattern = arguments[1].string else {
        return QueryValue.wrongType(arguments[0], arguments[1])
      }
      let matcher = try PatternMatcher(PatternCache.shared.pattern(pattern))
      return try text.withBytes { try compute(matcher, $0) }
    }
  }
}
