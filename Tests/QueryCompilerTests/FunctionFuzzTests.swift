import TestSupport
import Testing

@testable import QueryCompiler

@Suite struct FunctionFuzzTests {
  private static let extremes = [
    "MISSING", "null", "true", "-9223372036854775808", "9223372036854775807", "1e308", "-1e308", "5e-324", "0.5", "-1",
    "0", "1",
    "3", "\"\"", "\"a\"", "\"(\"", "\"%Y-%m-%d\"", "\"2018-02-28T23:59:59Z\"", "\"month\"", "\"Z\"", "\"é😀\"", "[]",
    "[1,[2],null]", "{}", "{\"a\":1}", "253402300799999", "-62135596800000",
  ]

  /// For any arguments, a function returns or throws, and returns the same result through SQL.
  @Test func noFunctionCrashes() throws {
    let connection = try TestConnection()
    for function in QueryFunctions.all {
      for seed in 0..<100 {
        var generator = SeededGenerator(seed: UInt64(seed))
        let most = min(function.arity.upperBound, function.arity.lowerBound + 2)
        let arguments = (0..<Int.random(in: function.arity.lowerBound...most, using: &generator)).map { _ in
          QueryValue(
            test: Bool.random(using: &generator)
              ? Self.extremes.randomElement(using: &generator) ?? "null" : RandomJSON.value(&generator, 2))
        }
        let direct = try? function.call(arguments).testText
        let inSQL = try? connection.call(function.sqlName, arguments)
        // GRDB truncates text at U+0000.
        if direct?.contains("\\u0000") == true { continue }
        #expect(inSQL == direct, "seed \(seed): \(function.name)(\(arguments.map(\.testText).joined(separator: ", ")))")
      }
    }
  }
}
