import DocumentStore
import JSONText
import QueryModel

extension QueryFunctions {
  /// Functions that return a modified array. They follow the "Array functions" page of Couchbase Server.
  static let arrayEditingFunctions: [ScalarFunction] = [
    ScalarFunction(.arrayConcatenate) { arguments in
      try ValueBudget.check(sumOf: arguments, .arrayConcatenate)
      return arrays(arguments).map { .array(Array($0.joined())) } ?? QueryValue.wrongType(arguments)
    },
    ScalarFunction(.arrayAppend) { arguments in
      try ValueBudget.check(sumOf: arguments, .arrayAppend)
      return edit(arguments[0], arguments.dropFirst()) { $0 + $1 }
    },
    // Adds the values that the array does not contain yet.
    ScalarFunction(.arrayPut) { arguments in
      try ValueBudget.check(sumOf: arguments, .arrayPut)
      var call = LongCall()
      return try edit(arguments[0], arguments.dropFirst()) { elements, values in
        var result = elements
        for value in values {
          let searched = SearchedValue(value)
          if try !result.contains(where: { try searched.equals($0, &call) }) { result.append(value) }
        }
        return result
      }
    },
    ScalarFunction(.arrayRemove) { arguments in
      var call = LongCall()
      return try edit(arguments[0], arguments.dropFirst()) { elements, values in
        let searched = values.map { SearchedValue($0) }
        return try elements.filter { element in
          try !searched.contains { try $0.equals(element, &call) }
        }
      }
    },
    // The array comes last.
    ScalarFunction(.arrayPrepend) { arguments in
      guard let array = arguments.last else { return .null }
      try ValueBudget.check(sumOf: arguments, .arrayPrepend)
      return edit(array, arguments.dropLast()) { elements, values in values + elements }
    },
    ScalarFunction(.arrayInsert) { arguments in
      guard !arguments[1].isMissing else { return .missing }
      guard case .array(let elements) = arguments[0] else { return QueryValue.wrongType(arguments[0]) }
      guard let position = arguments[1].integer else { return .null }
      // The position after the last element is valid.
      let index = position < 0 ? position + Int64(elements.count) : position
      guard index >= 0, index <= elements.count else { return .null }
      try ValueBudget.check(sumOf: arguments, .arrayInsert)
      return edit(arguments[0], arguments.dropFirst(2)) { elements, values in
        Array(elements[..<Int(index)]) + values + elements[Int(index)...]
      }
    },
    ScalarFunction(.arrayReplace) { arguments in
      guard case .array(var elements) = arguments[0], let old = arguments[1].json, let new = arguments[2].json else {
        return QueryValue.wrongType(arguments)
      }
      var remaining = Int64.max
      if arguments.count == 4 {
        guard let limit = arguments[3].integer else { return QueryValue.wrongType(arguments[3]) }
        // As on the server, a negative limit means no limit.
        if limit >= 0 { remaining = limit }
      }
      let searched = SearchedValue(old)
      // The elements share the new value, so the array takes little memory until it is written as JSON.
      let newSize = ValueBudget.elementSize + ValueBudget.size(of: new)
      var size = 0
      var call = LongCall()
      for index in elements.indices where remaining > 0 {
        guard try searched.equals(elements[index], &call) else { continue }
        size += newSize
        try ValueBudget.check(size, QueryFunction.arrayReplace.rawValue)
        elements[index] = new
        remaining -= 1
      }
      return .array(elements)
    },
    // Replaces inner arrays with their elements, down to a depth; a negative depth means all levels.
    ScalarFunction(.arrayFlatten) { arguments in
      guard case .array(let elements) = arguments[0], let depth = arguments[1].integer else {
        return QueryValue.wrongType(arguments)
      }
      var call = LongCall()
      var result: [JSONValue] = []
      try flatten(elements, depth < 0 ? .max : depth, into: &result, &call)
      return .array(result)
    },
    ScalarFunction(.arrayRepeat) { arguments in
      guard let value = arguments[0].json else { return .missing }
      guard let count = arguments[1].integer, count >= 0 else { return QueryValue.wrongType(arguments[1]) }
      try ValueBudget.check(ValueBudget.elementSize + ValueBudget.size(of: value), times: count, .arrayRepeat)
      return .array(Array(repeating: value, count: Int(count)))
    },
    ScalarFunction(.arrayRange) { try range($0) },
  ]

  private static func edit(
    _ array: QueryValue, _ values: ArraySlice<QueryValue>, _ change: ([JSONValue], [JSONValue]) throws -> [JSONValue]
  ) rethrows -> QueryValue {
    let trees = values.compactMap(\.json)
    guard trees.count == values.count else { return .missing }
    guard case .array(let elements) = array else { return QueryValue.wrongType(array) }
    return .array(try change(elements, trees))
  }

  /// Appends the elements to one array, because an array for each level would copy the innermost elements that often.
  private static func flatten(
    _ elements: [JSONValue], _ depth: Int64, into result: inout [JSONValue], _ call: inout LongCall
  ) throws {
    for element in elements {
      try call.step()
      if depth > 0, case .array(let inner) = element {
        try flatten(inner, depth - 1, into: &result, &call)
      } else {
        result.append(element)
      }
    }
  }

  /// Returns the numbers from the first argument to the second, exclusive, in steps of the third argument or of 1.
  private static func range(_ arguments: [QueryValue]) throws -> QueryValue {
    let step = arguments.count == 3 ? arguments[2] : .integer(1)
    guard let start = arguments[0].number, let end = arguments[1].number, let width = step.number else {
      return QueryValue.wrongType(arguments)
    }
    if case .integer(let start) = arguments[0], case .integer(let end) = arguments[1], case .integer(let width) = step {
      return try range(from: start, to: end, by: width)
    }
    guard width > 0 ? start < end : width < 0 && start > end else { return .array([]) }
    // The difference of two doubles may be infinite, although few steps lie between them.
    let isWide = !(end - start).isFinite
    let count = (isWide ? end / width - start / width : (end - start) / width).rounded(.up)
    guard count <= Double(ValueBudget.maximumSize / ValueBudget.elementSize) else {
      throw QueryRuntimeError.tooLarge(QueryFunction.arrayRange.rawValue)
    }
    var call = LongCall()
    var elements: [JSONValue] = []
    for index in 0..<Int64(count) {
      try call.step()
      let value =
        isWide
        ? QueryValue.finite(start.addingProduct(Double(index), width))
        : Arithmetic.add(arguments[0], Arithmetic.multiply(.integer(index), step))
      elements.append(value.json ?? .null)
    }
    return .array(elements)
  }

  /// Returns a range of integers. It does not count with doubles, which are inexact above 2^53.
  private static func range(from start: Int64, to end: Int64, by width: Int64) throws -> QueryValue {
    guard width > 0 ? start < end : width < 0 && start > end else { return .array([]) }
    // The difference of two integers may need 64 bits without a sign.
    let distance = UInt64(bitPattern: width > 0 ? end &- start : start &- end)
    let count = distance / width.magnitude + (distance % width.magnitude == 0 ? 0 : 1)
    guard count <= UInt64(ValueBudget.maximumSize / ValueBudget.elementSize) else {
      throw QueryRuntimeError.tooLarge(QueryFunction.arrayRange.rawValue)
    }
    var call = LongCall()
    var elements: [JSONValue] = []
    var element = start
    for _ in 0..<Int(count) {
      try call.step()
      elements.append(.int64(element))
      // Only the sum after the last element may overflow.
      element &+= width
    }
    return .array(elements)
  }
}
