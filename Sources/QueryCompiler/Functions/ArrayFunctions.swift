import DocumentStore
import JSONText
import QueryModel
import TextAnalysis

extension QueryFunctions {
  /// Functions that compute a value from an array. MISSING gives MISSING; any other value that is not an array gives
  /// null.
  static let arrayFunctions: [ScalarFunction] =
    [
      array(.arrayLength) { .integer(Int64($0.count)) },
      array(.arrayCount) { .integer(Int64($0.count { $0 != .null })) },
      // Null for an array without numbers, because the average of no numbers is not 0.
      array(.arrayAverage) { elements in
        let numbers = NumberSum(elements)
        return numbers.count == 0 ? .null : QueryValue.finite(numbers.double / Double(numbers.count))
      },
      array(.arraySum) { NumberSum($0).value },
      comparing(.arrayMaximum) { try best($0, sign: 1, $1) },
      comparing(.arrayMinimum) { try best($0, sign: -1, $1) },
      array(.arrayFirstValued) { $0.first { $0 != .null }.map { QueryValue($0) } ?? .null },
      // The distinct values of an array. The name is also used for an aggregate in SELECT; see ``QueryAggregates``.
      array(.arrayDistinct) { .array(try distinct($0)) },
      comparing(.arraySort) { elements, collator in
        var call = LongCall()
        return .array(
          try elements.sorted {
            try call.step($0)
            try call.step($1)
            return QueryValue($0).compare(QueryValue($1), collator) < 0
          })
      },
      array(.arrayReverse) { .array($0.reversed()) },
      ScalarFunction(.arrayContains, takesCollation: true, isCondition: true) { arguments in
        guard case .array(let elements) = arguments[0], !arguments[1].isMissing else {
          return QueryValue.wrongType(arguments[0], arguments[1])
        }
        let searched = SearchedValue(arguments[1], try Collations.collator(arguments, at: 2))
        var call = LongCall()
        return .boolean(try elements.contains { try searched.equals($0, &call) })
      },
      ScalarFunction(.arrayPosition, takesCollation: true) { arguments in
        guard case .array(let elements) = arguments[0], !arguments[1].isMissing else {
          return QueryValue.wrongType(arguments[0], arguments[1])
        }
        let searched = SearchedValue(arguments[1], try Collations.collator(arguments, at: 2))
        var call = LongCall()
        let index = try elements.firstIndex { try searched.equals($0, &call) }
        return .integer(index.map(Int64.init) ?? -1)
      },
      ScalarFunction(.arrayOf) { arguments in
        try ValueBudget.check(sumOf: arguments, .arrayOf)
        return .array(arguments.map { $0.json ?? .null })
      },
      ScalarFunction(.arrayIntersect) { arguments in
        guard let arrays = arrays(arguments), var common = arrays.first else { return QueryValue.wrongType(arguments) }
        var call = LongCall()
        func key(_ element: JSONValue) throws -> [UInt8] {
          try call.step(element)
          return CanonicalJSON.bytes(of: element)
        }
        for other in arrays.dropFirst() {
          let keys = Set(try other.map(key))
          common = try common.filter { try keys.contains(key($0)) }
        }
        return .array(try distinct(common))
      },
      ScalarFunction(.arrayUnion) { arguments in
        try ValueBudget.check(sumOf: arguments, .arrayUnion)
        return try arrays(arguments).map { .array(try distinct(Array($0.joined()))) } ?? QueryValue.wrongType(arguments)
      },
    ]

  static func array(
    _ function: QueryFunction, _ compute: @escaping @Sendable ([JSONValue]) throws -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(function) { arguments in
      guard case .array(let elements) = arguments[0] else { return QueryValue.wrongType(arguments[0]) }
      return try compute(elements)
    }
  }

  /// Returns a function that compares the elements of an array, by a collation if there is a COLLATE.
  private static func comparing(
    _ function: QueryFunction, _ compute: @escaping @Sendable ([JSONValue], Collator?) throws -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(function, takesCollation: true) { arguments in
      guard case .array(let elements) = arguments[0] else { return QueryValue.wrongType(arguments[0]) }
      return try compute(elements, try Collations.collator(arguments, at: 1))
    }
  }

  /// Returns the arguments as arrays; nil if one of them is not an array.
  static func arrays(_ arguments: [QueryValue]) -> [[JSONValue]]? {
    var result: [[JSONValue]] = []
    for argument in arguments {
      guard case .array(let elements) = argument else { return nil }
      result.append(elements)
    }
    return result
  }

  /// Returns the elements without duplicates; of equal elements the first is kept. TRUE and 1 are not equal here.
  static func distinct(_ elements: [JSONValue]) throws -> [JSONValue] {
    var call = LongCall()
    var seen: Set<[UInt8]> = []
    return try elements.filter {
      try call.step($0)
      return seen.insert(CanonicalJSON.bytes(of: $0)).inserted
    }
  }

  /// Returns the largest or smallest value; null for an array of nulls.
  private static func best(_ elements: [JSONValue], sign: Int, _ collator: Collator?) throws -> QueryValue {
    var call = LongCall()
    var best = QueryValue.null
    for element in elements where element != .null {
      let value = QueryValue(element)
      try call.step(element)
      if let best = best.json { try call.step(best) }
      if !best.isValued || value.compare(best, collator) * sign > 0 { best = value }
    }
    return best
  }
}

/// A sum of numbers. The sum of integers is an integer if it fits in 64 bits; it does not depend on their order, which
/// may be that of an index.
struct NumberSum {
  private(set) var count = 0
  /// The sum if all numbers are integers. It cannot overflow, because no query adds 2^64 of them.
  private var integer: Int128? = 0
  /// The sum with Kahan-Babuška compensation, as in SQLite since 3.43.
  private var sum = 0.0
  private var compensation = 0.0

  init() {}

  init(_ elements: [JSONValue]) {
    for element in elements { add(QueryValue(element)) }
  }

  /// Adds a number; ignores all other values.
  mutating func add(_ value: QueryValue) {
    guard let number = value.number else { return }
    count += 1
    if case .integer(let whole) = value { integer = integer.map { $0 &+ Int128(whole) } } else { integer = nil }
    let total = sum + number
    compensation += abs(sum) >= abs(number) ? (sum - total) + number : (number - total) + sum
    sum = total
  }

  var double: Double {
    if let integer { return Double(integer) }
    return compensation.isFinite ? sum + compensation : sum
  }

  /// The sum; 0 if no number was added.
  var value: QueryValue {
    if let integer, let narrow = Int64(exactly: integer) { return .integer(narrow) }
    return QueryValue.finite(double)
  }
}
