import JSONText

extension OracleValue {
  /// The canonical text of the value: no white space, members ordered by the bytes of their keys, only the first of
  /// duplicate keys, whole numbers as integers.
  var canonicalText: String {
    switch self {
    case .array(let elements): return "[" + elements.map(\.canonicalText).joined(separator: ",") + "]"
    case .object(let members):
      var kept: [Member] = []
      for member in members where !kept.contains(where: { $0.key.utf8.elementsEqual(member.key.utf8) }) {
        kept.append(member)
      }
      kept.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return "{" + kept.map { JSONValue.string($0.key).text + ":" + $0.value.canonicalText }.joined(separator: ",")
        + "}"
    case .double(let number):
      if let whole = Int64(exactly: number) { return String(whole) }
      if let whole = UInt64(exactly: number) { return String(whole) }
      return description
    default: return description
    }
  }

  /// Returns the value as `||` and CONCAT join it: a string unchanged, anything else as JSON.
  ///
  /// - Throws: ``OracleError/undefined(_:)`` if the text of the value is not specified: negative zero, and objects with
  ///   a duplicate key.
  func joinedText() throws -> String {
    if case .string(let text) = self { return text }
    if hasNegativeZero { throw OracleError.undefined("the text of negative zero") }
    if hasDuplicateKeys { throw OracleError.undefined("the text of an object with a duplicate key") }
    return description
  }

  /// Returns the number at the beginning of a text, as SQLite's `CAST(text AS NUMERIC)` does; 0 if there is none.
  static func leadingNumber(of text: String) -> Double {
    let number = /^[ \t\n\u{0B}\f\r]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/
      .matchingSemantics(.unicodeScalar)
    guard let match = text.prefixMatch(of: number) else { return 0 }
    // Swift parses neither `.5` nor `1.` as a number.
    var digits = String(match.1)
    if let point = digits.firstIndex(of: ".") {
      let next = digits.index(after: point)
      if next == digits.endIndex || !digits[next].isNumber { digits.insert("0", at: next) }
      if point == digits.startIndex || !digits[digits.index(before: point)].isNumber { digits.insert("0", at: point) }
    }
    return Double(digits) ?? .infinity
  }
}
