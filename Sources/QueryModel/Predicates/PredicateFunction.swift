/// A function of a predicate: a query function, an operator, or a choice.
enum PredicateFunction: Hashable {
  case function(QueryFunction)
  /// A function of the elements of one array, or of any number of arguments.
  case elements(QueryFunction)
  case arithmetic(ArithmeticOperator)
  /// `TERNARY(condition, then, else)`
  case choice

  /// Creates the function with the given name, ignoring case. The name may also be the selector of an `NSExpression`
  /// function, without its last colon.
  init?(named name: String, _ aggregation: PredicateParser.Aggregation) {
    let name = name.uppercased()
    if let function = Self.aggregates[name] {
      self = aggregation == .rows ? .function(function) : .elements(function.ofElements)
    } else if let known = Self.names[name] {
      self = known
    } else if let function = QueryFunction(named: name) {
      self = .function(function)
    } else {
      return nil
    }
  }

  private static let aggregates: [String: QueryFunction] = [
    "COUNT": .count, "SUM": .sum, "MIN": .minimum, "MAX": .maximum, "AVERAGE": .average, "AVG": .average,
  ]

  private static let names: [String: PredicateFunction] = [
    "CEILING": .function(.ceil), "LOWERCASE": .function(.lower), "UPPERCASE": .function(.upper),
    "RAISE:TOPOWER": .function(.power), "ADD:TO": .arithmetic(.add), "FROM:SUBTRACT": .arithmetic(.subtract),
    "MULTIPLY:BY": .arithmetic(.multiply), "DIVIDE:BY": .arithmetic(.divide),
    "MODULUS:BY": .arithmetic(.remainder), "TERNARY": .choice,
  ]

  /// Whether the function counts elements or rows.
  var isCount: Bool { self == .function(.count) || self == .elements(.arrayLength) }

  /// Returns the error if the function does not accept `count` arguments, otherwise nil.
  func error(forArgumentCount count: Int) -> Diagnostic.Kind? {
    switch self {
    case .function(.count) where count == 0: nil
    case .function(let function):
      function.takes(count) || (function.isListed && count > 1) ? nil : .argumentCount(function, given: count)
    case .elements(let function): count == 0 ? .argumentCount(function, given: count) : nil
    case .arithmetic: count == 2 ? nil : .operandCount(2, given: count)
    case .choice: count == 3 ? nil : .operandCount(3, given: count)
    }
  }

  /// Returns the call.
  ///
  /// - Precondition: ``error(forArgumentCount:)`` is nil for the number of arguments.
  func expression(_ arguments: [QueryExpression], isDistinct: Bool) -> QueryExpression {
    switch self {
    case .function(.count) where arguments.isEmpty: return .function(.count, [.everything(source: nil)])
    case .function(let function):
      guard function.isListed, !isDistinct else { return .function(function, arguments, isDistinct: isDistinct) }
      if arguments.count > 1 { return .function(function.ofElements, [.array(arguments)]) }
      if case .array? = arguments.first { return .function(function.ofElements, arguments) }
      return .function(function, arguments)
    case .elements(let function):
      return .function(function, arguments.count == 1 ? arguments : [.array(arguments)])
    case .arithmetic(let symbol): return .arithmetic(symbol, arguments[0], arguments[1])
    case .choice:
      let branch = ConditionalBranch(when: arguments[0], then: arguments[1])
      return .conditional(subject: nil, branches: [branch], otherwise: arguments[2])
    }
  }
}

extension QueryFunction {
  /// The array function that corresponds to this aggregate.
  fileprivate var ofElements: QueryFunction {
    switch self {
    case .count: .arrayLength
    case .sum: .arraySum
    case .minimum: .arrayMinimum
    case .maximum: .arrayMaximum
    case .average: .arrayAverage
    default: self
    }
  }

  /// Whether the function is an aggregate that also accepts a list of values.
  fileprivate var isListed: Bool { ofElements != self }
}
