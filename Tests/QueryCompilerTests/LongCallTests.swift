import DocumentStore
import JSONText
import PatternMatching
import QueryModel
import SQLiteAccess
import Synchronization
import Testing

@testable import QueryCompiler

/// Tests of long calls to single functions. SQLite cannot interrupt them, so the functions check the deadline
/// themselves.
///
/// The clock of these tests advances by one second each time it is read, and the deadline is reached at the fifth read.
/// A function that does not check the deadline returns before that.
@Suite struct LongCallTests {
  private final class TickingClock: Sendable {
    private let start = ContinuousClock.now
    private let ticks = Mutex(0)

    var count: Int { ticks.withLock { $0 } }

    func now() -> ContinuousClock.Instant {
      ticks.withLock { ticks in
        ticks += 1
        return start + .seconds(ticks)
      }
    }
  }

  private static let text = QueryValue.string(String(repeating: "ab é ", count: 100_000))
  private static let spaces = QueryValue.string(String(repeating: " ", count: 100_000))
  private static let numbers = QueryValue.array((0..<50_000).map { .int64($0) })
  private static let nested = QueryValue.array((0..<50_000).map { .array([.int64($0)]) })
  private static let none = QueryValue.string("none")
  /// Few elements, each of which is large.
  private static let wide = QueryValue.array(
    (Int64(0)..<40).map { row in JSONValue.array((Int64(0)..<5000).map { JSONValue.int64(row + $0) }) })
  /// An array as long as an element of `wide` that differs in its last element.
  private static let row = QueryValue.array(
    (Int64(0)..<5000).map { $0 < 4999 ? JSONValue.int64($0) : JSONValue.null })

  private static let calls: [(String, [QueryValue])] = [
    ("REGEXP_REPLACE", [text, .string("a"), .string("b")]),
    ("REGEXP_COUNT", [text, .string("a")]),
    ("REGEXP_MATCHES", [text, .string("a")]),
    ("REGEXP_SPLIT", [text, .string("a")]),
    ("REGEXP_POSITION", [text, .string("[ab] ?[xy]")]),
    ("REGEXP_SUBSTR", [text, .string("[ab] ?[xy]")]),
    ("REGEXP_CONTAINS", [text, .string("[ab] ?[xy]")]),
    // Compiled with callouts, because the text cannot be searched in parts.
    ("REGEXP_CONTAINS", [text, .string("(?:\\G|[ab]) ?[xy]")]),
    ("OP_LIKE", [text, .string("%a__x%")]),
    ("OP_LIKE", [text, .string("%a%x"), .string("concordance_unicode_nocase")]),
    ("OP_ILIKE", [text, .string("%b_a%")]),
    ("REPLACE", [text, .string("a"), .string("b")]),
    ("SPLIT", [text]),
    ("SPLIT", [text, .string("a")]),
    ("SPLIT", [text, .string("")]),
    ("LOWER", [text]), ("UPPER", [text]), ("INITCAP", [text]), ("REVERSE", [text]), ("RTRIM", [spaces]),
    ("ARRAY_SORT", [numbers]), ("ARRAY_DISTINCT", [numbers]), ("ARRAY_MAX", [numbers]), ("ARRAY_MIN", [numbers]),
    ("ARRAY_CONTAINS", [numbers, none]), ("ARRAY_POSITION", [numbers, none]),
    ("ARRAY_INTERSECT", [numbers, numbers]), ("ARRAY_UNION", [numbers, numbers]),
    ("ARRAY_PUT", [numbers, none]), ("ARRAY_REMOVE", [numbers, none]), ("ARRAY_REPLACE", [numbers, none, none]),
    ("ARRAY_SORT", [wide]), ("ARRAY_DISTINCT", [wide]), ("ARRAY_MAX", [wide]), ("ARRAY_CONTAINS", [wide, row]),
    ("ARRAY_POSITION", [wide, row]), ("ARRAY_PUT", [wide, row]), ("ARRAY_REMOVE", [wide, row]),
    ("ARRAY_REPLACE", [wide, row, none]), ("ARRAY_INTERSECT", [wide, wide]),
    ("OP_IN", [none, numbers]), ("OP_IN", [.integer(-1), numbers]), ("OP_IN", [row, wide]),
    ("ARRAY_FLATTEN", [nested, .integer(-1)]), ("ARRAY_RANGE", [.integer(0), .integer(100_000)]),
  ]

  private static func function(_ name: String) throws -> ScalarFunction {
    try #require(QueryFunctions.all.first { $0.name == name }, "\(name)")
  }

  @Test(arguments: calls.indices)
  func callThrowsAtDeadline(_ index: Int) throws {
    let (name, arguments) = LongCallTests.calls[index]
    let function = try LongCallTests.function(name)
    let clock = TickingClock()
    let error = #expect(throws: StoreError.self, "\(name)") {
      try Deadline.run(Deadline(.seconds(5), of: "query") { clock.now() }) { _ = try function.call(arguments) }
    }
    #expect(error?.kind == .timeout)
    // The call throws at the first check after the deadline; the error reads the clock a few more times.
    #expect(clock.count < 12, "\(name) continued")
  }

  @Test(arguments: calls.indices)
  func callThrowsWhenTaskIsCancelled(_ index: Int) throws {
    let (name, arguments) = LongCallTests.calls[index]
    let function = try LongCallTests.function(name)
    let interruption = Interruption()
    interruption.interrupt()
    #expect(throws: (any Error).self, "\(name)") {
      try Interruption.$current.withValue(interruption) { _ = try function.call(arguments) }
    }
  }

  @Test func shortCallsDoNotReadTheClock() throws {
    let clock = TickingClock()
    try Deadline.run(Deadline(.seconds(5), of: "query") { clock.now() }) {
      for _ in 0..<100 {
        _ = try LongCallTests.function("REPLACE").call([.string("aaa"), .string("a"), .string("b")])
        _ = try LongCallTests.function("REGEXP_REPLACE").call([.string("aaa"), .string("a"), .string("b")])
      }
    }
    // The clock is read for the start of the time limit and at both ends of the request.
    #expect(clock.count == 3)
  }

  /// The pieces of a long string are mapped separately.
  @Test func caseMappingOfLongStringsEqualsThatOfShortStrings() throws {
    let text = String(repeating: "aΣß İ\u{301}ﬃǆ", count: 20_000)
    #expect(try LongCallTests.function("LOWER").call([.string(text)]).string == text.lowercased())
    #expect(try LongCallTests.function("UPPER").call([.string(text)]).string == text.uppercased())
  }
}
