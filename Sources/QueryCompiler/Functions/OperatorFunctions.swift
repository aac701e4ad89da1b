import DocumentStore
import JSONText
import QueryModel
import TextAnalysis

extension QueryFunctions {
  /// Operators whose semantics differ from SQL's. No function of SQL++ has one of these names.
  static let operatorFunctions: [ScalarFunction] =
    [
      binary("OP_ADD", Arithmetic.add), binary("OP_SUBTRACT", Arithmetic.subtract),
      binary("OP_MULTIPLY", Arithmetic.multiply), binary("OP_DIVIDE", Arithmetic.divide),
      binary("OP_REMAINDER", Arithmetic.remainder),
      ScalarFunction(operator: "OP_NEGATE", 1...1) { Arithmetic.negate($0[0]) },
      fold("OP_AND", QueryValue.and), fold("OP_OR", QueryValue.or),
      ScalarFunction(operator: "OP_NOT", 1...1, isCondition: true) { QueryValue.not($0[0]) },
      ScalarFunction(operator: "OP_EQUALS", 2...2, takesCollation: true, isCondition: true) { arguments in
        arguments[0].equals(arguments[1], try Collations.collator(arguments, at: 2))
      },
      comparison("OP_NOT_EQUALS") { $0 != 0 },
      comparison("OP_LESS") { $0 < 0 },
      comparison("OP_LESS_OR_EQUALS") { $0 <= 0 },
      ScalarFunction(operator: "OP_BETWEEN", 3...3, takesCollation: true, isCondition: true) { arguments in
        try isBetween(arguments[0], arguments[1], arguments[2], Collations.collator(arguments, at: 3))
      },
      // False for any value that is not an array.
      ScalarFunction(operator: "OP_EXISTS", 1...1, isCondition: true) { arguments in
        if case .array(let elements) = arguments[0] { .boolean(!elements.isEmpty) } else { .boolean(false) }
      },
      ScalarFunction(operator: "OP_IN", 2...2, takesCollation: true, isCondition: true) { arguments in
        try isElement(arguments[0], of: arguments[1], Collations.collator(arguments, at: 2))
      },
      // {'a': 1, 'b': x}: the arguments are alternating keys and values. Members with the value MISSING are omitted.
      ScalarFunction(operator: "OP_OBJECT", 0...maximumArity) { arguments in
        try ValueBudget.check(sumOf: arguments, "an object")
        var members: [JSONMember] = []
        for index in stride(from: 0, to: arguments.count - 1, by: 2) {
          if let key = arguments[index].string, let value = arguments[index + 1].json {
            members.append(JSONMember(key, value))
          }
        }
        return .object(members)
      },
      // The member of an object or the element of an array, if the key or position is an expression.
      ScalarFunction(operator: "OP_MEMBER", 2...2) { arguments in
        switch (arguments[0], arguments[1]) {
        case (.object(let members), .string(let key)):
          members.first { $0.key.utf8.elementsEqual(key.utf8) }.map { QueryValue($0.value) } ?? .missing
        case (.array(let elements), let position):
          position.integer.flatMap { ArrayPosition.index($0, count: elements.count) }.map { QueryValue(elements[$0]) }
            ?? .missing
        default: .missing
        }
      },
    ]

  private static func binary(
    _ name: String, _ compute: @escaping @Sendable (QueryValue, QueryValue) -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(operator: name, 2...2) { compute($0[0], $0[1]) }
  }

  /// Returns a comparison of two values: MISSING if one is missing, otherwise null if one is null.
  private static func comparison(_ name: String, _ test: @escaping @Sendable (Int) -> Bool) -> ScalarFunction {
    ScalarFunction(operator: name, 2...2, takesCollation: true, isCondition: true) { arguments in
      guard arguments[0].isValued, arguments[1].isValued else {
        return QueryValue.wrongType(arguments[0], arguments[1])
      }
      return .boolean(test(arguments[0].compare(arguments[1], try Collations.collator(arguments, at: 2))))
    }
  }

  /// Returns `value >= low AND value <= high`: false if one half is false, even if the other is unknown, as in SQL.
  private static func isBetween(
    _ value: QueryValue, _ low: QueryValue, _ high: QueryValue, _ collator: Collator?
  ) -> QueryValue {
    func order(_ bound: QueryValue) -> Int? {
      value.isValued && bound.isValued ? value.compare(bound, collator) : nil
    }
    let (lowOrder, highOrder) = (order(low), order(high))
    if let lowOrder, lowOrder < 0 { return .boolean(false) }
    if let highOrder, highOrder > 0 { return .boolean(false) }
    return lowOrder == nil || highOrder == nil ? QueryValue.wrongType(value, low, high) : .boolean(true)
  }

  /// Returns a left-associative operator with two or more conditions.
  private static func fold(
    _ name: String, _ combine: @escaping @Sendable (QueryValue, QueryValue) -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(operator: name, 2...maximumArity, isCondition: true) { arguments in
      arguments.dropFirst().reduce(arguments[0], combine)
    }
  }

  /// Returns `x IN y` for an array or the values of an object y: null if x is null or y is neither an array nor an
  /// object.
  ///
  /// If no element equals x but one is null, the result is null, as in SQL: the null is an unknown value that may equal
  /// x.
  private static func isElement(
    _ value: QueryValue, of list: QueryValue, _ collator: Collator?
  ) throws -> QueryValue {
    guard !value.isMissing, !list.isMissing else { return .missing }
    let elements: [JSONValue]
    switch list {
    case .array(let values): elements = values
    case .object(let members): elements = members.map(\.value)
    default: return .null
    }
    guard value.isValued else { return .null }
    let searched = SearchedValue(value, collator)
    var call = LongCall()
    var hasNull = false
    for element in elements {
      if case .null = element { hasNull = true }
      if try searched.equals(element, &call) { return .boolean(true) }
    }
    return hasNull ? .null : .boolean(false)
  }
}

/// Positions in arrays; negative ones count from the end.
enum ArrayPosition {
  /// Returns the index for a position; nil if it is outside the array.
  static func index(_ position: Int64, count: Int) -> Int? {
    let index = position < 0 ? position + Int64(count) : position
    return index >= 0 && index < count ? Int(index) : nil
  }
}
