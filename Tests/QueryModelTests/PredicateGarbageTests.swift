import QueryModel
import TestSupport
import Testing

/// For every input, the parser returns an expression or throws an error.
struct PredicateGarbageTests {
  private static let pieces = [
    "AND", "or", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
    "BETWEEN", "NULL", "nil", "SELF", "TRUE", "no", "TRUEPREDICATE", "SUBQUERY(a, $x, ", ").@count > 0", "[c]", "[cd]",
    "[SIZE]", "[FIRST]", "[0]", "['k']", ".@count", ".@sum", "@avg", "@", "#in", "#", "`q`", "`", "a", "b.c", "x.y.z",
    "_id", "$x", "$", "'s'", "\"d\"", "'", "1", "2.5", "0x1", "12a", "{1, 2}", "{", "}", "(", ")", "[", "]", ",", ".",
    ":", "modulus:by:(", "lower(", "count(", "META()", "MATCH(i, ", "RANK(i)", "TERNARY(", "DISTINCT", "+", "-", "*",
    "/", "**", "&&", "||", "!", "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "%@", "?", "é", "\0",
    "\u{301}", "😀", "\n", "\\",
  ]

  private static let predicates = [
    "type == 'user' && price < $MaxPrice", "ANY items.price > 10 OR NONE tags CONTAINS[cd] 'x'",
    "SUBQUERY(items, $x, $x.price > 5 AND $x.name BEGINSWITH[c] $n).@count > 0",
    "a BETWEEN {1, b ** -2} AND !(c IN {1, 'x'})",
    "name.first LIKE '*b?c' OR #in.between MATCHES[c] '\\d+' || a[LAST].b['k'][SIZE] >= 0x1F",
    "modulus:by:(count(a), 3) == TERNARY(b > 1, max(1, 2), _id)", "'it\\'s \\u00e9' IN a.b AND c ENDSWITH d",
  ]

  @Test(arguments: 0..<10 as Range<UInt64>)
  func randomTokensParseOrThrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 1...16, using: &random)
      let words = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
      check(words.joined(separator: Bool.random(using: &random) ? " " : ""))
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func randomBytesParseOrThrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed + 1000)
    for _ in 0..<500 {
      let highest: UInt8 = Bool.random(using: &random) ? 0x7F : 0xFF
      let count = Int.random(in: 0...40, using: &random)
      check(String(decoding: (0..<count).map { _ in UInt8.random(in: 0...highest, using: &random) }, as: UTF8.self))
    }
  }

  /// Predicates with a part cut out, doubled or moved.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func damagedPredicatesParseOrThrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed + 2000)
    for _ in 0..<200 {
      var bytes = Array((Self.predicates.randomElement(using: &random) ?? "a").utf8)
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = Int.random(in: start...min(bytes.count, start + 12), using: &random)
      let part = bytes[start..<end]
      if Bool.random(using: &random) { bytes.removeSubrange(start..<end) }
      if Bool.random(using: &random) {
        bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
      }
      check(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: predicates) func truncatedPredicatesParseOrThrow(predicate: String) {
    let bytes = Array(predicate.utf8)
    for end in 0...bytes.count { check(String(decoding: bytes[..<end], as: UTF8.self)) }
    #expect(throws: Never.self) { try PredicateParser().parse(predicate) }
  }

  @Test(arguments: NastyStringTests.strings.indices) func nastyStringsParseOrThrow(index: Int) throws {
    let text = NastyStringTests.strings[index]
    check(text)
    // Works on scalars, because a mark may be followed by a combining accent.
    var literal = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "'" || scalar == "\\" { literal.append("\\") }
      literal.append(scalar)
    }
    literal.append("'")
    #expect(try PredicateParser().parse(String(literal)) == .string(text))
  }

  /// Checks that a parsed expression is at most as high as the parser's bound, and that it survives conversion to JSON
  /// and back.
  private func check(_ text: String) {
    do {
      let expression = try PredicateParser().parse(text, aggregation: text.utf8.count % 2 == 0 ? .rows : .elements)
      let json = JSONQueryWriter().value(of: expression)
      #expect((try? JSONQueryParser().parseExpression(json)) == expression, "\(text.debugDescription)")
      _ = expression.description
    } catch {
      #expect(error.span.end <= text.utf8.count)
      let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count >= (text.isEmpty ? 1 : 3))
      #expect(lines.allSatisfy { $0.count < 200 })
    }
    _ = try? PredicateParser().parseSortTerm(text)
  }
}
