import DocumentStore
import JSONText
import PatternMatching
import QueryModel

extension QueryFunctions {
  /// LIKE and regular expressions. Positions are counted in code points from 0. MISSING gives MISSING; any other value
  /// that is not a string gives null.
  ///
  /// The last argument may be flags: `REGEXP_CONTAINS(text, 'ghia', 'i')`. Swift strings are valid UTF-8, so PCRE2 does
  /// not check them. ``PatternTest`` reads text directly from the database file, which may contain invalid UTF-8, so
  /// PCRE2 checks that text.
  static let patternFunctions: [ScalarFunction] =
    [
      ScalarFunction(
        operator: "OP_LIKE", 2...2, takesCollation: true, isCondition: true, .textTest { try LikeTest.make($0) }),
      ScalarFunction(operator: "OP_ILIKE", 2...2, isCondition: true, .textTest { try CaselessLikeTest($0) }),
      ScalarFunction(
        .regexContains,
        isCondition: true, .textTest { try PatternTest($0, matchesWhole: false) }),
      // Matches the whole text, as documented; Couchbase Lite searches anywhere in it.
      ScalarFunction(
        .regexLike, isCondition: true,
        .textTest { try PatternTest($0, matchesWhole: true) }),
      matching(.regexPosition) { matcher, text in
        guard let match = try matcher.firstMatch(in: text, isValidUTF8: true) else { return .integer(-1) }
        return .integer(Int64(codePoints(in: text[..<match.lowerBound])))
      },
      matching(.regexCount) { matcher, text in
        .integer(Int64(try matcher.count(in: text, isValidUTF8: true)))
      },
      matching(.regexMatches) { matcher, text in
        var matches = StringArrayBuilder(.regexMatches)
        var failure: QueryRuntimeError?
        try matcher.forEachMatch(in: text, isValidUTF8: true) { match in
          do throws(QueryRuntimeError) {
            try matches.append(String(decoding: text[match], as: UTF8.self))
          } catch {
            failure = error
          }
          return failure == nil
        }
        if let failure { throw failure }
        return matches.value
      },
      matching(.regexSplit) { matcher, text in
        var parts = StringArrayBuilder(.regexSplit)
        var failure: QueryRuntimeError?
        var end = 0
        try matcher.forEachMatch(in: text, isValidUTF8: true) { match in
          // An empty match at the beginning or the end does not split the text.
          if match.isEmpty, match.lowerBound == end || match.lowerBound == text.count { return true }
          do throws(QueryRuntimeError) {
            try parts.append(String(decoding: text[end..<max(end, match.lowerBound)], as: UTF8.self))
          } catch {
            failure = error
          }
          end = max(end, match.upperBound)
          return failure == nil
        }
        if let failure { throw failure }
        try parts.append(String(decoding: text[end...], as: UTF8.self))
        return parts.value
      },
      ScalarFunction(.regexSubstring) { try substring($0) },
      ScalarFunction(.regexReplace) { try replace($0) },
    ]

  private static func matching(
    _ function: QueryFunction,
    _ compute: @escaping @Sendable (PatternMatcher, UnsafeRawBufferPointer) throws -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(function) { arguments in
      guard let text = arguments[0].string, let matcher = try matcher(arguments[1], flags: arguments.dropFirst(2).first)
      else { return QueryValue.wrongType(arguments) }
      return try text.withBytes { try compute(matcher, $0) }
    }
  }

  /// Returns a matcher; nil if the pattern or its flags are not strings.
  private static func matcher(_ pattern: QueryValue, flags: QueryValue?) throws -> PatternMatcher? {
    guard let pattern = pattern.string else { return nil }
    if let flags, flags.string == nil { return nil }
    return try PatternMatcher(PatternCache.shared.pattern(pattern, flags: flags?.string), shouldEnd: LongCall.shouldEnd)
  }

  /// `REGEXP_SUBSTR(text, pattern, flags, group)`: returns the first match, or one of its groups by number or name;
  /// null if there is no match or the group did not participate in it.
  private static func substring(_ arguments: [QueryValue]) throws -> QueryValue {
    guard let text = arguments[0].string, let matcher = try matcher(arguments[1], flags: arguments.dropFirst(2).first),
      let group = try group(arguments.count > 3 ? arguments[3] : .integer(0), of: matcher.pattern)
    else { return QueryValue.wrongType(arguments) }
    return try text.withBytes { bytes in
      guard try matcher.firstMatch(in: bytes, isValidUTF8: true) != nil, let range = matcher.range(of: group) else {
        return .null
      }
      return .string(String(decoding: bytes[range], as: UTF8.self))
    }
  }

  /// Returns the number of a group; nil for a value that is neither a number nor a string.
  private static func group(_ value: QueryValue, of pattern: Pattern) throws -> Int? {
    let number: Int?
    switch value {
    case .string(let name): number = pattern.group(named: name)
    case .integer, .double: number = value.integer.flatMap { Int(exactly: $0) }
    default: return nil
    }
    guard let number, (0...pattern.groupCount).contains(number) else {
      throw QueryRuntimeError.unknownGroup(value, of: pattern.text, groupCount: pattern.groupCount)
    }
    return number
  }

  /// `REGEXP_REPLACE(text, pattern, new, count, flags)`; the last two arguments are optional.
  private static func replace(_ arguments: [QueryValue]) throws -> QueryValue {
    var rest = arguments.dropFirst(3)
    var limit = Int.max
    if let first = rest.first, arguments.count == 5 || first.string == nil {
      guard let count = first.integer else { return QueryValue.wrongType(arguments) }
      if count >= 0 { limit = Int(count) }
      rest = rest.dropFirst()
    }
    guard let text = arguments[0].string, let new = arguments[2].string,
      let matcher = try matcher(arguments[1], flags: rest.first)
    else { return QueryValue.wrongType(arguments) }
    let bytes = try text.withBytes {
      try matcher.replacing(
        in: $0, with: ReplacementTemplate(new), limit: limit, maximumSize: ValueBudget.maximumSize)
    }
    guard let bytes else { throw QueryRuntimeError.tooLarge(QueryFunction.regexReplace.rawValue) }
    return .string(String(decoding: bytes, as: UTF8.self))
  }
}
