public import QueryModel

/// The implementation of a scalar function. Its name and arity are those of ``QueryModel/QueryFunction``. Operators
/// whose semantics differ from SQL's are functions too.
///
/// ```swift
/// let function = QueryFunctions.implementation(of: .isArray)
/// function?.sqlName                      // "concordance_is_array"
/// try function?.call([.array([])])       // .boolean(true)
/// ```
public struct ScalarFunction: Sendable {
  /// The code of a function.
  enum Body: Sendable {
    /// Computes a value from the arguments.
    case value(@Sendable ([QueryValue]) throws -> QueryValue)
    /// Returns the position of the argument that is the result, or nil for `otherwise`.
    case choice(otherwise: QueryValue, @Sendable ([QueryValue]) -> Int?)
    /// Tests whether the first argument, a string, satisfies the other arguments, which are usually constants and are
    /// prepared only once.
    case textTest(@Sendable ([QueryValue]) throws -> any TextTest)
  }

  /// The function; nil for an operator.
  public let function: QueryFunction?
  /// The name in SQL++; for an operator, a name that no function has.
  public let name: String
  /// The allowed numbers of arguments.
  public let arity: ClosedRange<Int>
  /// Whether an additional last argument may be the name of a collation. Only the compiler passes it.
  public let takesCollation: Bool
  /// Whether the result is a Boolean, null or MISSING, so that the function has a ``conditionName``.
  public let isCondition: Bool
  let body: Body

  /// The name in SQL. The arguments and the result are in the exact encoding (``SQLEncoding``).
  public var sqlName: String { QueryFunctions.sqlPrefix + name.lowercased() }

  /// The name in SQL of the variant of the function that returns a condition: 1 for true, 0 for false, NULL for null
  /// and MISSING.
  public var conditionName: String? { isCondition ? sqlName + "_condition" : nil }

  /// Whether the same arguments always give the same result, which is false for functions that use the local time zone.
  public var isDeterministic: Bool { function?.dependsOnTimeZone != true }

  /// The name in error messages.
  var nameInMessages: String { function == nil ? "an operator" : name }

  init(_ function: QueryFunction, takesCollation: Bool = false, isCondition: Bool = false, _ body: Body) {
    self.function = function
    name = function.rawValue
    let count = function.argumentCount
    arity = count.minimum...(count.maximum ?? QueryFunctions.maximumArity)
    self.takesCollation = takesCollation
    self.isCondition = isCondition
    self.body = body
  }

  init(
    _ function: QueryFunction, takesCollation: Bool = false, isCondition: Bool = false,
    _ body: @escaping @Sendable ([QueryValue]) throws -> QueryValue
  ) {
    self.init(function, takesCollation: takesCollation, isCondition: isCondition, .value(body))
  }

  /// Creates an operator.
  init(
    operator name: String, _ arity: ClosedRange<Int>, takesCollation: Bool = false, isCondition: Bool = false,
    _ body: Body
  ) {
    function = nil
    self.name = name
    self.arity = arity
    self.takesCollation = takesCollation
    self.isCondition = isCondition
    self.body = body
  }

  /// Creates an operator that computes a value from its arguments.
  init(
    operator name: String, _ arity: ClosedRange<Int>, takesCollation: Bool = false, isCondition: Bool = false,
    _ body: @escaping @Sendable ([QueryValue]) throws -> QueryValue
  ) {
    self.init(operator: name, arity, takesCollation: takesCollation, isCondition: isCondition, .value(body))
  }

  /// Returns whether the function may be called with this number of arguments, including a collation.
  func takes(_ count: Int) -> Bool {
    count >= arity.lowerBound && count <= arity.upperBound + (takesCollation ? 1 : 0)
  }

  /// Calls the function.
  ///
  /// - Throws: ``QueryRuntimeError`` for a wrong number of arguments, an unknown collation or a result that is too
  ///   large; `PatternError` for an invalid regular expression or one that exceeds its time limit.
  public func call(_ arguments: [QueryValue]) throws -> QueryValue {
    guard takes(arguments.count) else {
      throw QueryRuntimeError.wrongArgumentCount(function: name, count: arguments.count, allowed: arity)
    }
    switch body {
    case .value(let body):
      let result = try body(arguments)
      try ValueBudget.check(ValueBudget.size(of: result), nameInMessages)
      return result
    case .choice(let otherwise, let choose): return choose(arguments).map { arguments[$0] } ?? otherwise
    case .textTest(let prepare):
      guard case .string(var text) = arguments[0], arguments.allSatisfy({ $0.string != nil }) else {
        return QueryValue.wrongType(arguments)
      }
      let test = try prepare(Array(arguments.dropFirst()))
      return .boolean(try text.withUTF8 { try test.isSatisfied(by: UnsafeRawBufferPointer($0)) })
    }
  }
}

/// A condition on strings that is prepared once and then tested for many strings. An instance is used by one thread
/// only.
protocol TextTest: AnyObject {
  func isSatisfied(by text: UnsafeRawBufferPointer) throws -> Bool
}
