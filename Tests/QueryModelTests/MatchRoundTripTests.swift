import QueryModel
import TestSupport
import Testing

struct MatchRoundTripTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func printedQueriesRoundTrip(seed: UInt64) throws {
    var trees = RandomQueries(seed: seed)
    for _ in 0..<100 {
      let query = trees.query(depth: 4)
      #expect(try MatchParser().parse(query.description) == query, "\(query)")
    }
  }

  @Test(arguments: [
    ("a AND (b OR c) NOT d", "a AND (b OR c) NOT d"), ("(a b) (c)", "a b AND c"),
    ("((a AND b)) OR (c NOT d)", "a AND b OR c NOT d"), ("- { f g } :a", "-{f g}:a"),
    ("{f}:(a b)", "f:(a b)"), ("NEAR(a b,10)", "NEAR(a b)"), ("a NEAR/3 b", "NEAR(a b, 3)"),
    ("\"a\" * + b *", "\"a\" * + b*"), ("\"a\"\"b\"", "\"a\"\"b\""), ("a NOT (b NOT c)", "a NOT (b NOT c)"),
  ])
  func descriptionHasMinimalParentheses(text: String, expected: String) throws {
    #expect(try MatchParser().parse(text).description == expected)
  }

  @Test func inexpressibleQueriesAreApproximated() {
    #expect(MatchQuery.phrase(.word("AND")).description == "\"AND\"")
    #expect(MatchQuery.phrase(.word("a b")).description == "\"a b\"")
    #expect(MatchQuery.phrase(.word("-a")).description == "\"-a\"")
    #expect(MatchQuery.phrase(.word("NEAR/3")).description == "\"NEAR/3\"")
    #expect(MatchQuery.phrase(.quoted("\"\u{301}")).description.unicodeScalars.count == 5)
    #expect(MatchQuery.words([.word("a"), .word("NEAR"), .word("b")]).description == "a \"NEAR\" b")
    #expect(MatchQuery.and([]).description == "\"\"")
    #expect(MatchQuery.or([.and([.phrase(.word("a"))])]).description == "a")
    #expect(
      MatchQuery.near([MatchPhrase([.init("a")], isInitial: true)], distance: 2).description == "NEAR(a, 2)")
    #expect(MatchQuery.fields(.include(["a:b"]), .nothing).description == "\"a:b\":\"\"")
  }

  @Test func mapTransformsChildrenFirst() throws {
    let query = try MatchParser().parse("f:a OR NEAR(b c) AND d NOT e f")
    var seen: [String] = []
    let mapped = query.map { node in
      seen.append(shape(node))
      return if node == .phrase(.word("a")) { .or([node, .phrase(.word("z"))]) } else { node }
    }
    #expect(shape(mapped) == "or(in(f: or(a, z)), and(near10(b c), not(d, [e f])))")
    #expect(seen.first == "a")
    #expect(seen.last == "or(in(f: or(a, z)), and(near10(b c), not(d, [e f])))")
    #expect(query.map { $0 } == query)
  }

  @Test func visitCallsParentsFirstInTextOrder() throws {
    let query = try MatchParser().parse("f:a OR NEAR(b c) AND d NOT e f")
    var seen: [String] = []
    query.visit { seen.append(shape($0)) }
    #expect(seen.count == 8)
    #expect(seen.first == shape(query))
    #expect(query.phrases.map(\.description) == ["a", "b", "c", "d", "e", "f"])
  }
}

/// Random trees of the shapes that the parser creates.
private struct RandomQueries {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func query(depth: Int) -> MatchQuery {
    guard depth > 0 else { return .phrase(phrase()) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .nothing
    case 1, 2: return .words(phrases(2...4, initial: true))
    case 3: return .near(phrases(1...3, initial: false), distance: .random(in: 0...12, using: &random))
    case 4, 5: return .and(operands(depth))
    case 6, 7: return .or(operands(depth))
    case 8, 9: return .not(query(depth: depth - 1), query(depth: depth - 1))
    case 10: return .fields(filter(), query(depth: depth - 1))
    default: return .phrase(phrase())
    }
  }

  private mutating func operands(_ depth: Int) -> [MatchQuery] {
    (0..<Int.random(in: 2...4, using: &random)).map { _ in query(depth: depth - 1) }
  }

  private mutating func phrases(_ count: ClosedRange<Int>, initial: Bool) -> [MatchPhrase] {
    (0..<Int.random(in: count, using: &random)).map { _ in phrase(initial: initial) }
  }

  private mutating func phrase(initial: Bool = true) -> MatchPhrase {
    let parts = (0..<(chance(5) ? 2 : 1)).map { _ in part() }
    return MatchPhrase(parts, isInitial: initial && chance(6))
  }

  private mutating func part() -> MatchPhrase.Part {
    let words = ["a", "red", "don't", "c++", "tcp/ip", "and", "東京", "x-y", "e\u{301}", "a\0b", "[0]", "😀"]
    let texts = ["red shoe", "AND", "NEAR", "say \"hi\"", " ", "\"", "(a", "-x", "\"\u{301}"]
    let isQuoted = chance(3)
    let text = (isQuoted ? texts : words).randomElement(using: &random) ?? "x"
    return MatchPhrase.Part(text, isQuoted: isQuoted, isPrefix: chance(6))
  }

  private mutating func filter() -> FieldFilter {
    let names = ["title", "geo.alt", "two words", "NEAR", "OR", "a\"b"].shuffled(using: &random)
      .prefix(.random(in: 1...3, using: &random)).map { FieldName($0) }
    return chance(3) ? .exclude(names) : .include(names)
  }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &random) == 0
  }
}
