public import QueryModel

/// What a function of queries does while a query runs. Its names and the number of its arguments are those of
/// ``QueryModel/QueryFunction``; operators are functions as well where SQL's own would be wrong.
///
/// ```swift
/// let function = QueryFunctions.implementation(of: .isArray)
/// function?.sqlName                      // "concordance_is_array"
/// try function?.call([.array([])])       // .boolean(true)
/// ```
public struct ScalarFunction: Sendable {
  /// What a function does.
  enum Body: Sendable {
    /// Makes a value of its arguments.
    case value(@Sendable ([QueryValue]) throws -> QueryValue)
    /// Returns one of its arguments as it stands, or nil for `otherwise`.
    case choice(otherwise: QueryValue, @Sendable ([QueryValue]) -> Int?)
    /// Says whether a text, the first argument, satisfies the others, which are usually constants and prepared once.
    case textTest(@Sendable ([QueryValue]) throws -> any TextTest)
  }

  /// The function that this is; nil for an operator.
  public let function: QueryFunction?
  /// The name in SQL++, or, of an operator, one that no function has.
  public let name: String
  /// How many arguments it takes.
  public let arity: ClosedRange<Int>
  /// Whether the last argument may be the name of a collation, beyond ``arity``. Only the compiler gives it.
  public let takesCollation: Bool
  /// Whether its result is a boolean, null or MISSING, so that there is a ``conditionName``.
  public let isCondition: Bool
  let body: Body

  /// The name in SQL. Arguments and result are exact (``SQLEncoding``).
  public var sqlName: String { QueryFunctions.sqlPrefix + name.lowercased() }

  /// The name in SQL of the same function as a condition: 1 for true, 0 for false, NULL for null and MISSING.
  public var conditionName: String? { isCondition ? sqlName + "_condition" : nil }

  /// Whether the same arguments always give the same result: local time depends on the machine.
  public var isDeterministic: Bool { function?.dependsOnTimeZone != true }

  /// The name as users know it.
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

  /// An operator.
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

  /// An operator.
  init(
    operator name: String, _ arity: ClosedRange<Int>, takesCollation: Bool = false, isCondition: Bool = false,
    _ body: @escaping @Sendable ([QueryValue]) throws -> QueryValue
  ) {
    self.init(operator: name, arity, takesCollation: takesCollation, isCondition: isCondition, .value(body))
  }

  /// Whether it may be called with so many arguments, a collation among them.
  func takes(_ count: Int) -> Bool {
    count >= arity.lowerBound && count <= arity.upperBound + (takesCollation ? 1 : 0)
  }

  /// Calls the function.
  ///
  /// - Throws: ``QueryRuntimeError`` for a wrong number of arguments, an unknown collation or a result that is too large;
  ///   `PatternError` for a regular expression with a fault or too much work.
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

/// A condition on a text that was prepared once and is asked for many. It belongs to one thread.
protocol TextTest: AnyObject {
  func isSatisfied(by text: UnsafeRawBufferPointer) throws -> Bool
}
