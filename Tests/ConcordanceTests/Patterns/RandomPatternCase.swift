import Foundation
import TestSupport

/// Random documents with strings in many places, and random conditions with patterns on them, in SQL++.
struct RandomPatternCase {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func number(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

  private mutating func one<T>(of values: [T]) -> T { values[number(values.count)] }

  private mutating func several(_ range: ClosedRange<Int>, _ make: (inout Self) -> String)
    -> [String]
  {
    (0..<(range.lowerBound + number(range.count))).map { _ in make(&self) }
  }

  // MARK: Documents

  /// Pieces that also occur in patterns. Some differ only in case: the KELVIN SIGN folds to `k`, and `ẞ` to `ß`.
  private static let pieces = [
    "spin", "SPIN", "_lock", "_Lock", "lo", "ck", "k", "K", "\u{212A}", "é", "É", "ß", "ẞ", "ς",
    "Σ", "σ", "日本", "語",
    "ab",
    "Ab", "a", "%", " ", "\n", "e\u{301}", "123", "2", "\\", "\"", "ı", "I", "i",
  ]

  private mutating func text() -> String {
    several(0...5) { $0.one(of: RandomPatternCase.pieces) }.joined()
  }

  /// Usually a string as JSON; otherwise null, a number, a boolean or an array.
  private mutating func value() -> String {
    switch number(10) {
    case 0: one(of: ["null", "12", "true", "[]", "{}", #"["spin_lock"]"#])
    default: RandomPatternCase.json(text())
    }
  }

  private static func json(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
      "\n", with: "\\n")
    return "\"\(escaped)\""
  }

  /// A document: strings as properties, in an object, in an array, and in an array of objects; any of them may be
  /// missing, and the arrays may be objects.
  mutating func document() -> String {
    var members: [String] = []
    if number(8) > 0 { members.append(#""s": \#(value())"#) }
    if number(4) > 0 { members.append(#""o": {"t": \#(value())}"#) }
    if number(4) > 0 { members.append(#""a": \#(container { $0.value() })"#) }
    if number(4) > 0 { members.append(#""l": \#(container { "{\"t\": \($0.value())}" })"#) }
    return "{\(members.joined(separator: ", "))}"
  }

  /// Usually an array of values; otherwise an object, whose members ANY and EVERY test as well.
  private mutating func container(_ make: (inout Self) -> String) -> String {
    let items = several(0...3, make)
    if number(5) > 0 { return "[\(items.joined(separator: ", "))]" }
    let members = items.enumerated().map { "\"k\($0)\": \($1)" }
    return "{\(members.joined(separator: ", "))}"
  }

  // MARK: Conditions

  mutating func condition(_ depth: Int = 3) -> String {
    guard depth > 0 else { return test(property()) }
    switch number(9) {
    case 0: return "(\(condition(depth - 1)) AND \(condition(depth - 1)))"
    case 1: return "(\(condition(depth - 1)) OR \(condition(depth - 1)))"
    case 2: return "NOT (\(condition(depth - 1)))"
    case 3: return quantified("a", "v")
    case 4: return quantified("l", "v.t")
    default: return test(property())
    }
  }

  private mutating func property() -> String { one(of: ["s", "s", "s", "o.t", "a[0]", "l[0].t"]) }

  private mutating func quantified(_ list: String, _ element: String) -> String {
    let quantifier = one(of: ["ANY", "EVERY", "ANY AND EVERY"])
    let inner =
      number(3) == 0 ? "\(test(element)) \(one(of: ["AND", "OR"])) \(test(element))" : test(element)
    return "\(quantifier) v IN \(list) SATISFIES \(number(5) == 0 ? "NOT (\(inner))" : inner) END"
  }

  private mutating func test(_ text: String) -> String {
    switch number(9) {
    case 0, 1: return "\(text) LIKE \(like())"
    case 2: return "\(text) NOT LIKE \(like())"
    case 3, 4: return "\(text) ILIKE \(like())"
    case 5: return "CONTAINS(\(text), \(RandomPatternCase.literal(self.text())))"
    case 6: return "REGEXP_LIKE(\(text), \(regularExpression()))"
    default: return "REGEXP_CONTAINS(\(text), \(regularExpression()))"
    }
  }

  private mutating func like() -> String {
    let parts = several(1...4) {
      $0.one(of: RandomPatternCase.pieces + ["%", "%", "%", "_", "\\%", "spin_lock"])
    }
    return RandomPatternCase.literal(parts.joined())
  }

  private mutating func regularExpression() -> String {
    let flags =
      number(3) == 0
      ? ", \(RandomPatternCase.literal(one(of: ["i", "is", "m", "x", "im", ""])))" : ""
    return RandomPatternCase.literal(expression(2)) + flags
  }

  private mutating func expression(_ depth: Int) -> String {
    several(1...3) { $0.factor(depth) }.joined()
  }

  private mutating func factor(_ depth: Int) -> String {
    switch depth > 0 ? number(12) : 11 {
    case 0: return "(\(expression(depth - 1))|\(expression(depth - 1)))"
    case 1: return "(?:\(expression(depth - 1)))\(one(of: ["?", "*", "+", "{2}"]))"
    case 2:
      return one(of: [".", ".*", ".+?", "\\w+", "[a-z]", "[^k]", "[kK]", "\\d", "\\s", "\\b"])
    case 3: return "(?i:\(expression(depth - 1)))"
    case 4: return one(of: ["^", "$", "(?=s)", "(?!a)", "(?<=n)", "\\A"])
    default:
      let piece = one(of: RandomPatternCase.pieces + ["spin_lock", "spin_lock"])
      return piece.replacing("\\", with: "\\\\")
    }
  }

  /// An SQL++ string literal, in which a backslash is not an escape character.
  private static func literal(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }
}
