import JSONText
import QueryModel
import Testing

@testable import QueryOracle

/// Tests of the properties of random cases.
@Suite struct RandomQueryCaseTests {
  /// The cases of the first 2,000 seeds, created once for all tests.
  static let cases = Result { try RandomQueryCase.cases(of: 0..<2_000) }

  @Test func queriesSurvivePrintingAndParsing() throws {
    for test in try Self.cases.get() {
      let text = SQLPrinter().text(of: test.query)
      #expect(try SQLParser().parse(text) == test.query, "seed \(test.seed): \(text)")
      let json = JSONQueryWriter().value(of: test.query).text
      #expect(try JSONQueryParser().parse(json) == test.query, "seed \(test.seed): \(json)")
    }
  }

  /// Queries that return no documents or all documents would not detect faults.
  @Test func mostResultsAreNotTrivial() throws {
    var (empty, filtered, selective) = (0, 0, 0)
    var shapes: [RandomShape: Int] = [:]
    for test in try Self.cases.get() {
      shapes[test.shape, default: 0] += 1
      let count = try test.answer().rows.count
      if count == 0 { empty += 1 }
      guard test.query.filter != nil, !test.query.isGrouped else { continue }
      filtered += 1
      var all = test
      all.query.filter = nil
      let total = try all.answer().rows.count
      if count > 0, count < total { selective += 1 }
    }
    #expect(shapes.count == RandomShape.allCases.count)
    #expect(empty < 200, "\(empty) answers are empty")
    #expect(selective * 2 > filtered, "\(selective) of \(filtered) filters keep some rows and not others")
  }

  @Test func everyKindOfExpressionAndFunctionOccurs() throws {
    var kinds: Set<String> = []
    var functions: Set<QueryFunction> = []
    for test in try Self.cases.get() {
      for expression in test.query.expressions {
        expression.visit { part in
          if case .function(let function, _, _) = part { functions.insert(function) }
          kinds.insert(Mirror(reflecting: part).children.first?.label ?? part.description)
        }
      }
    }
    let missing = (OracleFunctions.all + [.count, .sum, .average, .minimum, .maximum]).filter {
      !functions.contains($0)
    }
    #expect(missing.isEmpty, "no query calls \(missing)")
    let expected = [
      "boolean", "integer", "double", "string", "array", "dictionary", "property", "everything", "metadata",
      "parameter",
      "variable", "member", "negated", "arithmetic", "concatenation", "comparison", "is", "isValued", "in", "like",
      "ilike",
      "between", "exists", "not", "and", "or", "collated", "conditional", "quantified", "function", "MISSING", "NULL",
    ]
    #expect(expected.filter { !kinds.contains($0) } == [])
  }

  @Test func seedIsReproducible() throws {
    for (seed, test) in zip(0..<40 as Range<UInt64>, try Self.cases.get()) {
      let again = try RandomQueryCase(seed: seed)
      #expect(again.summary == test.summary)
      #expect(again.documents.mapValues { $0.map(\.text) } == test.documents.mapValues { $0.map(\.text) })
    }
    #expect(try RandomQueryCase(seed: 3).summary.hasPrefix("seed 3 ("))
  }

  @Test func mismatchReportsQueryParametersAndDocuments() throws {
    let test = try RandomQueryCase(seed: 5)
    let answer = try test.answer()
    #expect(try test.mismatch(with: answer.rows, columnNames: answer.columns.map(\.name)) == nil)
    let report = try #require(try test.mismatch(with: []))
    #expect(report.hasPrefix(test.summary))
    #expect(report.contains("expected \(answer.rows.count) rows, got 0"))
    let names = try #require(try test.mismatch(with: answer.rows, columnNames: ["x"]))
    #expect(names.contains(#"columns ["x"], expected"#))
  }
}
