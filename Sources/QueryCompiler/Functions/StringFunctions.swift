import DocumentStore
import Foundation
import JSONText
import PatternMatching
import QueryModel

extension QueryFunctions {
  /// String functions. Characters are code points, and positions are counted from 0. MISSING gives MISSING; any other
  /// value that is not a string gives null.
  static let stringFunctions: [ScalarFunction] =
    [
      // Concatenates the display text of any values; null is the text "null", as in Couchbase Lite (QueryTest). `||`
      // also calls this function.
      ScalarFunction(.concatenate) { arguments in
        var text = ""
        for argument in arguments {
          if argument.isMissing { return .missing }
          let part = argument.displayText
          try ValueBudget.check(text.utf8.count + part.utf8.count, "CONCAT")
          text += part
        }
        return .string(text)
      },
      ScalarFunction(
        .contains, takesCollation: true, isCondition: true, .textTest { try ContainsTest.make($0) }),
      text(.length) { .integer(Int64($0.unicodeScalars.count)) },
      text(.lower) { .string(try mapping($0) { $0.lowercased() }) },
      text(.upper) { .string(try mapping($0) { $0.uppercased() }) },
      text(.capitalize) { .string(try capitalized($0)) },
      text(.reverse) { string in
        var call = LongCall()
        var scalars = String.UnicodeScalarView()
        for scalar in string.unicodeScalars.reversed() {
          try call.step()
          scalars.append(scalar)
        }
        return .string(String(scalars))
      },
      trimming(.trim, left: true, right: true), trimming(.trimLeft, left: true, right: false),
      trimming(.trimRight, left: false, right: true),
      ScalarFunction(.repeatString) { arguments in
        guard let string = arguments[0].string, let count = arguments[1].integer, count >= 0 else {
          return QueryValue.wrongType(arguments[0], arguments[1])
        }
        try ValueBudget.check(string.utf8.count, times: count, .repeatString)
        return .string(string.isEmpty ? "" : repeating(string, Int(count)))
      },
      ScalarFunction(.substring) { substring($0) },
      ScalarFunction(.position) { arguments in
        guard let string = arguments[0].string, let part = arguments[1].string else {
          return QueryValue.wrongType(arguments[0], arguments[1])
        }
        let bytes = Array(string.utf8)
        guard let offset = ByteSearch.first(Array(part.utf8), in: bytes, from: 0) else { return .integer(-1) }
        return .integer(Int64(codePoints(in: bytes[..<offset])))
      },
      ScalarFunction(.replace) { try replace($0) },
      ScalarFunction(.split) { try split($0) },
    ]

  /// Returns the number of code points in UTF-8.
  static func codePoints(in bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }

  /// Returns copies of a string in a row, by doubling: `String(repeating:count:)` appends each copy separately, which
  /// takes seven times as long for many short ones.
  private static func repeating(_ string: String, _ count: Int) -> String {
    guard count > 1 else { return count == 1 ? string : "" }
    let half = repeating(string, count / 2)
    return half + half + (count.isMultiple(of: 2) ? "" : string)
  }

  private static func text(
    _ function: QueryFunction, _ compute: @escaping @Sendable (String) throws -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(function) { arguments in
      try arguments[0].string.map(compute) ?? QueryValue.wrongType(arguments[0])
    }
  }

  /// Maps a string in pieces, so that a long call can be interrupted. Swift maps each code point separately, so the
  /// result is the same.
  private static func mapping(_ string: String, _ map: (String) -> String) throws -> String {
    let pieceSize = 1 << 16
    guard string.utf8.count > pieceSize else { return map(string) }
    var result = ""
    var rest = string.unicodeScalars[...]
    while !rest.isEmpty {
      try LongCall.check()
      let piece = rest.prefix(pieceSize)
      result += map(String(piece))
      rest = rest[piece.endIndex...]
    }
    return result
  }

  /// Returns the string with the first letter of each word in title case and the others in lower case.
  private static func capitalized(_ string: String) throws -> String {
    var call = LongCall()
    var result = ""
    var isInWord = false
    for scalar in string.unicodeScalars {
      try call.step()
      let isWordPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "'"
      result +=
        isInWord ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
      // Combining marks belong to the preceding letter.
      isInWord = isWordPart || (isInWord && scalar.properties.generalCategory == .nonspacingMark)
    }
    return result
  }

  /// Returns a function that removes white space, or the characters of a second argument, from the ends of a string.
  private static func trimming(_ function: QueryFunction, left: Bool, right: Bool) -> ScalarFunction {
    ScalarFunction(function) { arguments in
      guard let string = arguments[0].string else { return QueryValue.wrongType(arguments[0]) }
      var trimmed: Set<Unicode.Scalar>?
      if arguments.count == 2 {
        guard let characters = arguments[1].string else { return QueryValue.wrongType(arguments[1]) }
        trimmed = Set(characters.unicodeScalars)
      }
      func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
        trimmed?.contains(scalar) ?? scalar.properties.isWhitespace
      }
      var scalars = string.unicodeScalars[...]
      if left { scalars = scalars.drop(while: isTrimmed) }
      var call = LongCall()
      while right, let last = scalars.last, isTrimmed(last) {
        try call.step()
        scalars.removeLast()
      }
      return .string(String(scalars))
    }
  }

  /// Returns the substring from a position to the end or of a given length. A negative position counts from the end.
  /// The result is null if the position is outside the string.
  private static func substring(_ arguments: [QueryValue]) -> QueryValue {
    guard let string = arguments[0].string, let position = arguments[1].integer else {
      return QueryValue.wrongType(arguments[0], arguments[1])
    }
    let scalars = string.unicodeScalars
    let count = scalars.count
    let start = position < 0 ? position + Int64(count) : position
    guard start >= 0, start <= count else { return .null }
    var rest = scalars.dropFirst(Int(start))
    if arguments.count == 3 {
      guard let length = arguments[2].integer, length >= 0 else { return QueryValue.wrongType(arguments[2]) }
      rest = rest.prefix(Int(min(length, Int64(count))))
    }
    return .string(String(rest))
  }

  /// Replaces all occurrences, or at most the number in the fourth argument if it is not negative.
  private static func replace(_ arguments: [QueryValue]) throws -> QueryValue {
    guard let string = arguments[0].string, let old = arguments[1].string, let new = arguments[2].string else {
      return QueryValue.wrongType(arguments[0], arguments[1], arguments[2])
    }
    var remaining = Int64.max
    if arguments.count == 4 {
      guard let limit = arguments[3].integer else { return QueryValue.wrongType(arguments[3]) }
      if limit >= 0 { remaining = limit }
    }
    let (text, needle) = (Array(string.utf8), Array(old.utf8))
    guard !needle.isEmpty else { return arguments[0] }
    var call = LongCall()
    var result: [UInt8] = []
    var index = 0
    while remaining > 0, let offset = ByteSearch.first(needle, in: text, from: index) {
      try call.step()
      result.append(contentsOf: text[index..<offset])
      result.append(contentsOf: new.utf8)
      try ValueBudget.check(result.count, "REPLACE")
      index = offset + needle.count
      remaining -= 1
    }
    result.append(contentsOf: text[index...])
    return .string(String(decoding: result, as: UTF8.self))
  }

  /// Splits a string at a separator, or at runs of white space. An empty separator splits it into code points.
  private static func split(_ arguments: [QueryValue]) throws -> QueryValue {
    guard let string = arguments[0].string else { return QueryValue.wrongType(arguments[0]) }
    var parts = StringArrayBuilder(.split)
    var call = LongCall()
    guard arguments.count == 2 else {
      for word in string.unicodeScalars.split(whereSeparator: { $0.properties.isWhitespace }) {
        try call.step()
        try parts.append(String(word))
      }
      return parts.value
    }
    guard let separator = arguments[1].string else { return QueryValue.wrongType(arguments[1]) }
    guard !separator.isEmpty else {
      for scalar in string.unicodeScalars {
        try call.step()
        try parts.append(String(scalar))
      }
      return parts.value
    }
    let (text, needle) = (Array(string.utf8), Array(separator.utf8))
    var index = 0
    while let offset = ByteSearch.first(needle, in: text, from: index) {
      try call.step()
      try parts.append(String(decoding: text[index..<offset], as: UTF8.self))
      index = offset + needle.count
    }
    try parts.append(String(decoding: text[index...], as: UTF8.self))
    return parts.value
  }
}
