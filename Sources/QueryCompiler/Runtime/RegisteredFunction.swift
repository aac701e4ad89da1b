import SQLiteAccess

/// The adapter through which SQLite calls a scalar function. SQLite retains it while it is registered.
final class RegisteredFunction: SQLFunction {
  let function: ScalarFunction
  /// The encoding of the result.
  let encoding: SQLEncoding
  /// The tests that were prepared from the arguments after the text of a `textTest`.
  private lazy var tests = PreparedArguments<PreparedTest>()

  init(_ function: ScalarFunction, _ encoding: SQLEncoding) {
    self.function = function
    self.encoding = encoding
  }

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    do {
      if case .textTest(let prepare) = function.body, let text = arguments.first, function.takes(arguments.count) {
        try test(text, arguments, prepare, result)
        return
      }
      let values = arguments.map(\.value)
      if case .choice(_, let choose) = function.body, values.count >= function.arity.lowerBound {
        if let index = choose(values) {
          // The argument is copied without decoding and encoding it.
          return result.set(arguments[index])
        }
      }
      result.set(try function.call(values), encoding, of: function.nameInMessages)
    } catch {
      result.set(error)
    }
  }

  private func test(
    _ text: SQLArgument, _ arguments: SQLArguments, _ prepare: ([QueryValue]) throws -> any TextTest,
    _ result: SQLResult
  ) throws {
    guard arguments.allSatisfy({ $0.type == .text }) else {
      result.set(QueryValue.wrongType(arguments.map(\.value)), encoding)
      return
    }
    let patterns = arguments[from: 1]
    let test = try tests.value(for: patterns) { PreparedTest(try prepare(patterns.map(\.value))) }
    result.set(.boolean(try test.test.isSatisfied(by: text.bytes)), encoding)
  }
}

/// A class that wraps a test, since ``PreparedArguments`` requires a concrete class.
private final class PreparedTest {
  let test: any TextTest

  init(_ test: any TextTest) { self.test = test }
}
