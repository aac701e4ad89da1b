import JSONText
import QueryModel
import TestSupport
import Testing

@testable import QueryCompiler
@testable import QueryOracle

/// Compares values, operators and functions with those of the oracle, an independent implementation of the rules.
@Suite struct RuntimeOracleTests {
  /// Returns a random argument: MISSING, or one of a few values, so that equal values are frequent.
  private func argument(_ choices: inout RandomChoices) -> JSONValue? {
    switch choices.number(0..<12) {
    case 0: nil
    case 1:
      choices.one(of: [
        .int64(.max), .int64(.min), .double(0x1p63), .double(-0x1p63), .double(0.5), .double(-2.5), .double(1e300),
        .double(0x1p53), .string("B"), .string("%"), .string("-1.5e1x"), .string("\t2"),
      ])
    case 2, 3: .string(choices.chance(3) ? choices.one(of: RandomChoices.patterns) : choices.string())
    case 4, 5: choices.numberValue()
    case 6: choices.list(of: 0...3)
    default: choices.value(depth: 2)
    }
  }

  private func runtimeValue(_ json: JSONValue?) -> QueryValue { json.map { QueryValue($0) } ?? .missing }

  /// Calls `body` with random arguments.
  private func forRandomArguments(
    _ count: ClosedRange<Int>, seed: UInt64, _ body: ([JSONValue?]) throws -> Void
  ) rethrows {
    var choices = RandomChoices(seed: seed)
    for _ in 0..<300 { try body((0..<choices.number(count)).map { _ in argument(&choices) }) }
  }

  /// Returns the value of an expression of the parameters `a`, `b` and `c`; nil if the rules do not define it.
  private func expected(_ expression: QueryExpression, _ arguments: [JSONValue?]) throws -> String? {
    let values = zip(["a", "b", "c"], arguments).map { ($0, OracleValue($1)) }
    let evaluator = OracleEvaluator(sources: [], parameters: Dictionary(uniqueKeysWithValues: values))
    do {
      return try evaluator.value(of: expression, in: OracleScope(row: OracleRow())).description
    } catch OracleError.undefined {
      return nil
    }
  }

  @Test func functionsAgree() throws {
    for (index, function) in OracleFunctions.all.enumerated() {
      let runtime = try #require(QueryFunctions.implementation(of: function), "\(function.rawValue)")
      let (minimum, maximum) = function.argumentCount
      // The oracle does not implement the second argument of ROUND, TRIM and so on.
      let counts = minimum...(maximum == nil ? minimum + 1 : minimum)
      var compared = 0
      try forRandomArguments(counts, seed: UInt64(index)) { arguments in
        let values = arguments.map { OracleValue($0) }
        let expected: String
        do {
          expected = try OracleFunctions(collation: .binary).call(function, values).description
        } catch OracleError.undefined {
          return
        }
        let actual = try runtime.call(arguments.map(runtimeValue)).testText
        #expect(actual == expected, "\(function.rawValue)(\(values))")
        compared += 1
      }
      #expect(compared > 200, "the rules do not say what \(function.rawValue) is")
    }
  }

  @Test func operatorsAgree() throws {
    let (a, b) = (QueryExpression.parameter("a"), QueryExpression.parameter("b"))
    let operators: [(String, QueryExpression, QueryCollation)] = [
      ("OP_ADD", .arithmetic(.add, a, b), .binary), ("OP_SUBTRACT", .arithmetic(.subtract, a, b), .binary),
      ("OP_MULTIPLY", .arithmetic(.multiply, a, b), .binary), ("OP_DIVIDE", .arithmetic(.divide, a, b), .binary),
      ("OP_REMAINDER", .arithmetic(.remainder, a, b), .binary), ("OP_NEGATE", .negated(a), .binary),
      ("OP_AND", .and([a, b]), .binary), ("OP_OR", .or([a, b]), .binary), ("OP_NOT", .not(a), .binary),
      ("OP_EQUALS", .comparison(.equal, a, b), .binary), ("OP_LESS", .comparison(.less, a, b), .binary),
      ("OP_IN", .in(a, b), .binary), ("OP_LIKE", .like(a, pattern: b), .binary),
      ("OP_ILIKE", .ilike(a, pattern: b), .binary),
      ("CONCAT", .concatenation(a, b), .binary),
      ("OP_EQUALS", .comparison(.equal, a, b), .asciiIgnoringCase), ("OP_IN", .in(a, b), .asciiIgnoringCase),
      ("OP_LESS", .comparison(.less, a, b), .asciiIgnoringCase), ("OP_LIKE", .like(a, pattern: b), .asciiIgnoringCase),
      ("CONTAINS", .function(.contains, [a, b]), .asciiIgnoringCase),
      ("ARRAY_CONTAINS", .function(.arrayContains, [a, b]), .asciiIgnoringCase),
      ("ARRAY_POSITION", .function(.arrayPosition, [a, b]), .asciiIgnoringCase),
      ("ARRAY_MAX", .function(.arrayMaximum, [a]), .asciiIgnoringCase),
      ("NULLIF", .function(.nullIf, [a, b]), .asciiIgnoringCase),
      ("MISSINGIF", .function(.missingIf, [a, b]), .asciiIgnoringCase),
    ]
    for (index, (name, expression, collation)) in operators.enumerated() {
      let runtime = try #require(QueryFunctions.named(name), "\(name)")
      let count = expression.children.count
      try forRandomArguments(count...count, seed: UInt64(index)) { arguments in
        guard let expected = try expected(.collated(expression, collation), arguments) else { return }
        var values = arguments.map(runtimeValue)
        if collation != .binary { values.append(.string("concordance_ascii_nocase")) }
        #expect(try runtime.call(values).testText == expected, "\(name) \(collation): \(arguments)")
      }
    }
  }

  @Test func orderTruthAndCanonicalTextAgree() {
    forRandomArguments(2...2, seed: 1) { arguments in
      let (one, two) = (runtimeValue(arguments[0]), runtimeValue(arguments[1]))
      let (first, second) = (OracleValue(arguments[0]), OracleValue(arguments[1]))
      #expect(one.compare(two).signum() == first.order(second, .binary), "\(first) and \(second)")
      #expect(one.isTrue == OracleLogic.truth(of: first), "\(first)")
      if let json = arguments[0] {
        #expect(String(decoding: CanonicalJSON.bytes(of: json), as: UTF8.self) == first.canonicalText)
      }
    }
  }
}
