import Concordance
import Foundation
import Testing

/// Reduces of views. The examples are those of CouchDB's documentation and tests.
@Suite(.filesOnly("views are not available on PostgreSQL"))
struct ViewReduceTests {
  private let temporary: TemporaryDatabase

  init() throws { temporary = try TemporaryDatabase() }

  private func view(_ reduce: ViewReduce?, _ rows: [(key: String, value: String)]) throws -> View {
    for (number, row) in rows.enumerated() {
      try temporary.save("\(number)", #"{"key":\#(row.key),"value":\#(row.value)}"#)
    }
    let view = temporary.collection.view(named: "reduced")
    try view.setMap(version: "1", reduce: reduce) { document, emit in
      emit(document.value(forKey: "key"), document.value(forKey: "value"))
    }
    return view
  }

  private static let shapes = [
    (#""abc""#, "2"), (#""abc""#, "[3,5,7]"), (#""def""#, "[0,0,0,42]"), (#""ghi""#, "1"), (#""ghi""#, "3"),
  ]

  @Test func sumAddsArraysByPosition() throws {
    let query = try view(.sum, ViewReduceTests.shapes).createQuery()
    #expect(try query.run().map(\.valueJSON) == ["[9,5,7,42]"])
    query.isGroupedByKey = true
    #expect(try query.run().map(\.valueJSON) == ["[5,5,7]", "[0,0,0,42]", "4"])
  }

  @Test func sumAddsObjectsByKey() throws {
    let query = try view(.sum, [("1", #"{"a":1,"b":{"c":2}}"#), ("1", #"{"a":2,"b":{"d":5}}"#)]).createQuery()
    #expect(try query.run().map(\.valueJSON) == [#"{"a":3,"b":{"c":2,"d":5}}"#])
  }

  @Test(arguments: [#""text""#, #"[1,"a"]"#, #"{"a":"b"}"#, "null"])
  func sumOfOtherValuesIsAnErrorInTheRow(_ value: String) throws {
    let query = try view(.sum, [("1", "1"), ("1", value), ("2", "5")]).createQuery()
    #expect(try query.run().first?.valueJSON?.contains("builtin_reduce_error") == true)
    query.isGroupedByKey = true
    #expect(try query.run().last?.valueJSON == "5")
  }

  @Test func sumsOfIntegersAreExactAndDoNotOverflow() throws {
    let query = try view(.sum, [("1", "9007199254740993"), ("1", "2")]).createQuery()
    #expect(try query.run().map(\.valueJSON) == ["9007199254740995"])
    try temporary.save("0", #"{"key":1,"value":9223372036854775807}"#)
    #expect(try query.run().first?.value as? Double == 9_223_372_036_854_775_807.0)
  }

  @Test func statsAcceptArraysAndEarlierResults() throws {
    let query = try view(.stats, [("1", "[1,2]"), ("1", "[3,4]")]).createQuery()
    #expect(
      try query.run().map(\.valueJSON) == [
        #"[{"sum":4,"count":2,"min":1,"max":3,"sumsqr":10},{"sum":6,"count":2,"min":2,"max":4,"sumsqr":20}]"#
      ])
    try temporary.save("0", #"{"key":1,"value":{"sum":10,"count":4,"min":1,"max":4,"sumsqr":30}}"#)
    try temporary.save("1", #"{"key":1,"value":5}"#)
    #expect(try query.run().map(\.valueJSON) == [#"{"sum":15,"count":5,"min":1,"max":5,"sumsqr":55}"#])
  }

  @Test(arguments: [10, 1000, 20_000]) func distinctKeysAreEstimated(_ count: Int) throws {
    try temporary.save("a", "{}")
    let view = temporary.collection.view(named: "distinct")
    try view.setMap(version: "1", reduce: .approximateCountDistinct) { _, emit in
      for number in 0..<(2 * count) { emit(number % count, nil) }
    }
    let query = view.createQuery()
    let estimate = try #require(try query.run().first?.value as? Int)
    // Four standard errors.
    #expect(abs(estimate - count) <= max(1, count * 92 / 1000), "\(estimate)")
    query.isGroupedByKey = true
    query.limit = 5
    #expect(try query.run().allSatisfy { $0.valueJSON == "1" })
  }

  @Test func fiveHundredDocumentsAreReduced() throws {
    try temporary.database.inBatch {
      for number in 1...500 { try temporary.save("\(number)", #"{"n":\#(number)}"#) }
    }
    let view = temporary.collection.view(named: "integers")
    func query(_ reduce: ViewReduce, _ range: ClosedRange<Int>? = nil) throws -> ViewQuery {
      try view.setMap(version: "1", reduce: reduce) { document, emit in
        for _ in 0..<2 { emit(document.int(forKey: "n"), document.int(forKey: "n")) }
      }
      let query = view.createQuery()
      query.startKey = range?.lowerBound
      query.endKey = range?.upperBound
      return query
    }
    #expect(try query(.sum).run().map(\.valueJSON) == ["250500"])
    #expect(try query(.count).run().map(\.valueJSON) == ["1000"])
    #expect(
      try query(.stats).run().map(\.valueJSON) == [
        #"{"sum":250500,"count":1000,"min":1,"max":500,"sumsqr":83583500}"#
      ])
    #expect(try query(.sum, 4...5).run().map(\.valueJSON) == ["18"])
    #expect(try query(.count, 4...5).run().map(\.valueJSON) == ["4"])
    #expect(try query(.sum, 4...6).run().map(\.valueJSON) == ["30"])
    let groups = try query(.sum)
    groups.isGroupedByKey = true
    groups.limit = 3
    #expect(try groups.run().map(\.valueJSON) == ["2", "4", "6"])
  }

  @Test func functionsReduceAndRereduce() throws {
    let longest = ViewReduce { keys, values, rereduce in
      #expect((keys == nil) == rereduce)
      return values.compactMap { $0 as? Int }.max()
    }
    let query = try view(longest, (0..<1500).map { ("\($0)", "\($0 * 7 % 1501)") }).createQuery()
    #expect(try query.run().map(\.valueJSON) == ["1500"])
  }

  @Test func functionsThatDoNotRereduceReceiveAllRows() throws {
    let text = ViewReduce(rereduces: false) { _, values, rereduce in
      #expect(!rereduce)
      return values.compactMap { $0 as? String }.joined()
    }
    let query = try view(text, ["one", "two", "three"].map { ("\"\($0)\"", "\"\($0)\"") }).createQuery()
    #expect(try query.run().map(\.valueJSON) == [#""onethreetwo""#])
  }

  @Test func emptyViewsHaveNoRows() throws {
    for reduce in [nil, .sum] as [ViewReduce?] {
      let query = try view(reduce, []).createQuery()
      #expect(try query.run().isEmpty)
      query.isDescending = true
      #expect(try query.run().isEmpty)
    }
  }

  @Test func errorsOfReduceFunctionsAreThrown() throws {
    struct Refusal: Error {}
    let query = try view(ViewReduce { _, _, _ in throw Refusal() }, [("1", "1")]).createQuery()
    #expect(throws: Refusal.self) { _ = try query.run() }
  }
}
