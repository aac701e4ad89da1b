import GRDBSQLite

/// A function as SQLite calls it. SQLite keeps it as long as it is registered.
final class RegisteredFunction {
  let function: ScalarFunction
  /// How its result is encoded.
  let encoding: SQLEncoding
  /// What was made of the arguments after the text of a `textTest`.
  private let tests = PreparedArguments<PreparedTest>()

  init(_ function: ScalarFunction, _ encoding: SQLEncoding) {
    self.function = function
    self.encoding = encoding
  }

  func call(_ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
    let result = SQLResult(context: context)
    do {
      if case .textTest(let prepare) = function.body, let text = arguments.first, function.takes(arguments.count) {
        try test(SQLArgument(handle: text), arguments, prepare, context)
        return
      }
      let values = arguments.map { SQLArgument(handle: $0).value }
      if case .choice(_, let choose) = function.body, values.count >= function.arity.lowerBound {
        if let index = choose(values) {
          // As it stands: nothing is read and written again.
          sqlite3_result_value(context, arguments[index])
          return
        }
      }
      result.set(try function.call(values), encoding, of: function.nameInMessages)
    } catch {
      result.set(error)
    }
  }

  private func test(
    _ text: SQLArgument, _ arguments: UnsafeBufferPointer<OpaquePointer?>,
    _ prepare: ([QueryValue]) throws -> any TextTest, _ context: OpaquePointer?
  ) throws {
    let result = SQLResult(context: context)
    guard arguments.allSatisfy({ SQLArgument(handle: $0).type == SQLITE_TEXT }) else {
      result.set(QueryValue.wrongType(arguments.map { SQLArgument(handle: $0).value }), encoding)
      return
    }
    let test = try tests.value(for: arguments.dropFirst()) {
      PreparedTest(try prepare(arguments.dropFirst().map { SQLArgument(handle: $0).value }))
    }
    result.set(.boolean(try test.test.isSatisfied(by: text.bytes)), encoding)
  }
}

/// A test as an object of one type.
private final class PreparedTest {
  let test: any TextTest

  init(_ test: any TextTest) { self.test = test }
}
