/// What a function of a predicate computes: a function of queries, an operator, or a choice.
enum PredicateFunction: Hashable {
  case function(QueryFunction)
  /// Of the elements of one array, or of as many arguments as are given.
  case elements(QueryFunction)
  case arithmetic(ArithmeticOperator)
  /// `TERNARY(condition, then, else)`
  case choice

  /// The function of a name in any letter case, or of a selector of `NSExpression` without its last colon.
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

  /// Whether it counts elements or rows.
  var isCount: Bool { self == .function(.count) || self == .elements(.arrayLength) }

  /// What is wrong with a number of arguments, or nil.
  func fault(_ count: Int) -> Diagnostic.Kind? {
    switch self {
    case .function(.count) where count == 0: nil
    case .function(let function):
      function.takes(count) || (function.isListed && count > 1) ? nil : .argumentCount(function, given: count)
    case .elements(let function): count == 0 ? .argumentCount(function, given: count) : nil
    case .arithmetic: count == 2 ? nil : .operandCount(2, given: count)
    case .choice: count == 3 ? nil : .operandCount(3, given: count)
    }
  }

  /// The call with arguments of a number in which there is no fault.
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
  /// The function of an array that does what this aggregate does of rows.
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

  /// Whether it is an aggregate that a list of values can be given to as well.
  fileprivate var isListed: Bool { ofElements != self }
}
