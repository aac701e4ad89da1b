import GRDB
import QueryModel
import SQLiteAccess
import Testing

@testable import QueryCompiler

/// Tests of the size limit for values that functions build.
struct ValueBudgetTests {
  private static let half = "concordance_repeat('x', 40000000)"
  private static let array = "concordance_array_repeat(concordance_repeat('x', 1000000), 40)"

  @Test(arguments: [
    ("concordance_repeat('abc', 1000000000)", "REPEAT"),
    ("concordance_concat(\(half), \(half))", "CONCAT"),
    ("concordance_replace(concordance_repeat('a', 60000), 'a', concordance_repeat('b', 60000))", "REPLACE"),
    (
      "concordance_regexp_replace(concordance_repeat('a', 60000), 'a', concordance_repeat('b', 60000))",
      "REGEXP_REPLACE"
    ),
    ("concordance_regexp_replace(concordance_repeat('a', 60000), '$', \(half) || \(half))", "REGEXP_REPLACE"),
    ("concordance_array_range(0, 1e18)", "ARRAY_RANGE"),
    ("concordance_array_range(0, 5000000)", "ARRAY_RANGE"),
    ("concordance_array_repeat(1, 5000000)", "ARRAY_REPEAT"),
    ("concordance_array_repeat(concordance_repeat('x', 1000000), 100)", "ARRAY_REPEAT"),
    ("concordance_array_repeat(\(array), 9000000000000000000)", "ARRAY_REPEAT"),
    ("concordance_array_concat(\(array), \(array))", "ARRAY_CONCAT"),
    ("concordance_array_append(\(array), \(half))", "ARRAY_APPEND"),
    ("concordance_array_prepend(\(half), \(array))", "ARRAY_PREPEND"),
    ("concordance_array_insert(\(array), 1, \(half))", "ARRAY_INSERT"),
    ("concordance_array_put(\(array), \(half))", "ARRAY_PUT"),
    ("concordance_array_union(\(array), \(array))", "ARRAY_UNION"),
    ("concordance_array_of(\(half), \(half))", "ARRAY_OF"),
    (
      "concordance_array_replace(concordance_array_repeat(1, 100), 1, concordance_repeat('x', 1000000))",
      "ARRAY_REPLACE"
    ),
    // The elements share the new value; counting all of them after the call would take minutes.
    (
      "concordance_array_replace(concordance_array_repeat(1, 100000), 1, concordance_array_range(0, 100000))",
      "ARRAY_REPLACE"
    ),
    ("concordance_op_object('a', \(half), 'b', \(half))", "an object"),
    ("concordance_split(concordance_repeat(concordance_repeat('a', 300) || ',', 222000), ',')", "SPLIT"),
    ("concordance_regexp_matches(concordance_repeat('a', 67000000), '.{300}')", "REGEXP_MATCHES"),
  ])
  func resultAboveTheLimitThrows(sql: String, name: String) throws {
    let connection = try TestConnection()
    let error = try #require(throws: DatabaseError.self) { try connection.value(sql) }
    #expect(
      error.message
        == "the result of \(name) is larger than 64 MiB, the limit for values that a query builds; build smaller values, or select "
        + "fewer documents")
  }

  @Test func resultsUpToTheLimitAreReturned() throws {
    let connection = try TestConnection()
    #expect(try connection.value("length(concordance_repeat('x', \(64 << 20)))") == (64 << 20).databaseValue)
    #expect(try connection.value("concordance_array_length(\(Self.array))") == 40.databaseValue)
  }

  @Test func arrayAggregateThrowsAtTheLimit() throws {
    let aggregate = try #require(QueryAggregates.implementation(of: .arrayAggregate)).make()
    let megabyte = QueryValue.string(String(repeating: "x", count: 1 << 20))
    for _ in 0..<63 { try aggregate.add(megabyte) }
    let error = #expect(throws: QueryRuntimeError.self) { for _ in 0..<2 { try aggregate.add(megabyte) } }
    #expect(error?.description.hasPrefix("the result of ARRAY_AGG is larger than 64 MiB") == true)
  }

  @Test func memoryOfAggregatesCountsTowardTheTotal() throws {
    let memory = MemoryReservation("ARRAY_AGG")
    try memory.add(1 << 20)
    #expect(MemoryReservation.total >= 1 << 20)
    let error = #expect(throws: QueryRuntimeError.self) { try memory.add(Int(ValueBudget.maximumTotal)) }
    #expect(error?.description.contains("larger than 1 GiB in total") == true)
    withExtendedLifetime(memory) {}
  }

  @Test func errorOfAggregateIsReported() throws {
    let connection = try TestConnection()
    let error = try #require(throws: DatabaseError.self) {
      try connection.value(
        "concordance_aggregate_array_agg(x) FROM (SELECT \(Self.array) AS x UNION ALL SELECT \(Self.array))")
    }
    #expect(error.message?.hasPrefix("the result of ARRAY_AGG is larger than 64 MiB") == true)
  }

  @Test func totalOfManyLargeValuesIsLimited() throws {
    #expect(throws: Never.self) { try ValueBudget.checkTotal(adding: 100, "REPEAT") }
    let error = #expect(throws: QueryRuntimeError.self) {
      try ValueBudget.checkTotal(adding: Int(ValueBudget.maximumTotal) + 1, "REPEAT")
    }
    #expect(error?.kind == .tooLarge)
    #expect(error?.description.contains("larger than 1 GiB in total") == true)
  }

  @Test func valuesOfSQLiteAreLimited() throws {
    let connection = try TestConnection()
    let error = try #require(throws: DatabaseError.self) { try connection.value("length(zeroblob(1000000000))") }
    #expect(error.resultCode == .SQLITE_TOOBIG)
  }

  /// Results that a function does not check itself are checked when it returns.
  @Test func everyResultIsChecked() throws {
    let function = ScalarFunction(operator: "OP_TEST", 0...0) { _ in .string(String(repeating: "x", count: 65 << 20)) }
    let error = #expect(throws: QueryRuntimeError.self) { _ = try function.call([]) }
    #expect(error?.description.hasPrefix("the result of an operator is larger than 64 MiB") == true)
  }
}
