import JSONText

/// The few values that documents, literals and parameters consist of, so that they are often equal.
extension RandomChoices {
  static let numbers: [JSONValue] = [
    .int64(-1), .int64(0), .int64(1), .double(1), .int64(2), .double(2.5), .int64(10), .int64(9_007_199_254_740_993),
  ]

  static let strings = [
    "a", "A", "b", "ä", "", "10", "abc", "aBC", "a\u{308}", "Abd", " b ", "1abc", "a%c", "0", "naïve", "😀",
  ]

  static let patterns = ["a%", "%b%", "_", "A_c", "%C", "a\\%c", "", "%", "ä", "_bc", "%ä%", "1%", "_%_"]

  static let ids = ["a", "b", "A", "ä", "10", "9", "doc 1", "x/y", "é", "B2", "zz", "0"]

  mutating func numberValue() -> JSONValue { one(of: RandomChoices.numbers) }

  /// Returns a string; the first strings are more frequent.
  mutating func string() -> String {
    chance(2) ? RandomChoices.strings[number(0..<7)] : one(of: RandomChoices.strings)
  }

  mutating func scalar() -> JSONValue {
    switch number(0..<10) {
    case 0: .null
    case 1, 2: .boolean(chance(2))
    case 3, 4, 5: .string(string())
    default: numberValue()
    }
  }

  mutating func list(of count: ClosedRange<Int>) -> JSONValue {
    .array((0..<number(count)).map { _ in chance(12) ? .array([scalar()]) : scalar() })
  }

  mutating func value(depth: Int = 1) -> JSONValue {
    switch depth > 0 ? number(0..<5) : 2 {
    case 0: .array((0..<number(0...2)).map { _ in value(depth: depth - 1) })
    case 1:
      .object(shuffled(["k", "q", "a"]).prefix(number(0...2)).map { JSONMember($0, value(depth: depth - 1)) })
    default: scalar()
    }
  }
}
