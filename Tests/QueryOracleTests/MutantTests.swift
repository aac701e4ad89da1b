import JSONText
import QueryModel
import Testing

@testable import QueryOracle

/// Engines with one fault each, all of which the random cases must detect.
@Suite struct MutantTests {
  /// A fault, expressed as another query that the engine evaluates instead.
  struct Mutant: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let change: @Sendable (SelectQuery) -> SelectQuery

    init(query name: String, _ change: @escaping @Sendable (inout SelectQuery) -> Void) {
      testDescription = name
      self.change = { query in
        var copy = query
        change(&copy)
        return copy
      }
    }

    init(_ name: String, _ change: @escaping @Sendable (QueryExpression) -> QueryExpression) {
      testDescription = name
      self.change = { $0.mapExpressions(change) }
    }

    func isDetected(by test: RandomQueryCase) throws -> Bool {
      let query = change(test.query)
      // An invalid query does not count as detected.
      guard query != test.query,
        let rows = try? test.database.evaluate(query, parameters: test.parameters).rows
      else { return false }
      return try test.mismatch(with: rows) != nil
    }
  }

  private static let mutants = [
    Mutant(query: "DISTINCT forgotten") { $0.isDistinct = false },
    Mutant(query: "WHERE forgotten") { $0.filter = nil },
    Mutant(query: "HAVING forgotten") { $0.groupFilter = nil },
    Mutant(query: "only the first term of ORDER BY") { $0.ordering = Array($0.ordering.prefix(1)) },
    Mutant(query: "DESC forgotten") { $0.ordering = $0.ordering.map { SortTerm($0.expression, nulls: $0.nulls) } },
    Mutant(query: "NULLS FIRST and LAST forgotten") {
      $0.ordering = $0.ordering.map { SortTerm($0.expression, isAscending: $0.isAscending) }
    },
    Mutant(query: "OFFSET forgotten") { $0.offset = nil },
    Mutant(query: "left joins as inner joins") { query in
      for index in query.sources.indices where query.sources[index].join == .left { query.sources[index].join = .inner }
    },
    Mutant(query: "last key of GROUP BY forgotten") { if $0.grouping.count > 1 { $0.grouping.removeLast() } },
    Mutant("NOT of null is true") { if case .not(let x) = $0 { .or([.not(x), .is(x, .null)]) } else { $0 } },
    Mutant("IS NULL is true for MISSING") {
      if case .is(let x, .null) = $0 { .or([.is(x, .null), .is(x, .missing)]) } else { $0 }
    },
    Mutant("IS VALUED as IS NOT NULL") { if case .isValued(let x) = $0 { .not(.is(x, .null)) } else { $0 } },
    Mutant("< as <=") { if case .comparison(.less, let x, let y) = $0 { .comparison(.lessOrEqual, x, y) } else { $0 } },
    Mutant("collations forgotten") { if case .collated(let x, _) = $0 { x } else { $0 } },
    Mutant("EVERY as ANY AND EVERY") {
      if case .quantified(.every, let v, let x, let y) = $0 {
        .quantified(.anyAndEvery, variable: v, in: x, satisfies: y)
      } else {
        $0
      }
    },
    Mutant("ANY as EVERY") {
      if case .quantified(.any, let v, let x, let y) = $0 {
        .quantified(.every, variable: v, in: x, satisfies: y)
      } else {
        $0
      }
    },
    Mutant("COUNT counts nulls") {
      if case .function(.count, let x, let isDistinct) = $0, x != [.everything(source: nil)] {
        .function(.count, x.map { .function(.ifMissingOrNull, [$0, .boolean(true)]) }, isDistinct: isDistinct)
      } else {
        $0
      }
    },
    Mutant("DISTINCT in aggregates forgotten") {
      if case .function(let function, let x, true) = $0 { .function(function, x) } else { $0 }
    },
    Mutant("BETWEEN without its end") {
      if case .between(let x, let low, let high) = $0 {
        .and([.comparison(.lessOrEqual, low, x), .comparison(.less, x, high)])
      } else {
        $0
      }
    },
    Mutant("ILIKE as LIKE") { if case .ilike(let x, let y) = $0 { .like(x, pattern: y) } else { $0 } },
    Mutant("LIKE as =") { if case .like(let x, let y) = $0 { .comparison(.equal, x, y) } else { $0 } },
    Mutant("DIV for /") { if case .arithmetic(.divide, let x, let y) = $0 { .function(.divide, [x, y]) } else { $0 } },
    Mutant("negative positions ignored") {
      if case .property(let path, let source) = $0, case .position(let position)? = path.components.last, position < 0 {
        .property(PropertyPath(path.components.dropLast() + [.position(99)]), source: source)
      } else {
        $0
      }
    },
    Mutant("IN with null is false") {
      if case .in(let x, let list) = $0 { .function(.ifNull, [.in(x, list), .boolean(false)]) } else { $0 }
    },
  ]

  @Test(arguments: mutants) func randomCasesDetectMutant(mutant: Mutant) throws {
    let found = try RandomQueryCaseTests.cases.get().first { try mutant.isDetected(by: $0) }
    #expect(found != nil, "no seed detects: \(mutant.testDescription)")
  }

  @Test func failingCaseIsShrunk() throws {
    let mutant = MutantTests.mutants[9]
    let test = try #require(try RandomQueryCaseTests.cases.get().first { try mutant.isDetected(by: $0) })
    let small = try test.shrunk { try mutant.isDetected(by: $0) }
    #expect(try mutant.isDetected(by: small))
    #expect(small.documents.values.map(\.count).reduce(0, +) == 1, "\(small.summary)")
    #expect(small.query.description.count < 90, "\(small.summary)")
    #expect(small.documents.values.joined().map { $0.text.count }.reduce(0, +) < 60, "\(small.summary)")
  }
}
