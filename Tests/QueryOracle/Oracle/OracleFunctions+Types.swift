import Foundation
import QueryModel

/// Functions with one argument, by the type of the argument.
extension OracleFunctions {
  static func typeName(_ value: OracleValue) -> String {
    switch value {
    case .missing: "missing"
    case .null: "null"
    case .boolean: "boolean"
    case .integer, .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  static func isOfType(_ function: QueryFunction, _ value: OracleValue) -> Bool {
    let type = typeName(value)
    switch function {
    case .isString: return type == "string"
    case .isNumber: return type == "number"
    case .isArray: return type == "array"
    case .isObject: return type == "object"
    case .isBoolean: return type == "boolean"
    default: return ["boolean", "number", "string"].contains(type)
    }
  }

  static func ofNumber(_ function: QueryFunction, _ value: OracleValue) throws -> OracleValue {
    switch (function, value) {
    case (.abs, .integer(let number)): return number < 0 ? OracleArithmetic.negate(value) : value
    case (.abs, .double(let number)): return .double(number.magnitude)
    case (.sign, .integer(let number)): return .integer(number.signum())
    case (.sign, .double(let number)): return .integer(number > 0 ? 1 : number < 0 ? -1 : 0)
    case (.floor, .integer), (.ceil, .integer), (.round, .integer), (.truncate, .integer): return value
    case (.floor, .double(let number)): return .double(number.rounded(.down))
    case (.ceil, .double(let number)): return .double(number.rounded(.up))
    case (.round, .double(let number)): return .double(number.rounded(.toNearestOrAwayFromZero))
    case (.truncate, .double(let number)): return .double(number.rounded(.towardZero))
    default: return try null(function)
    }
  }

  static func ofString(_ function: QueryFunction, _ text: String) throws -> OracleValue {
    switch function {
    case .length: return .integer(Int64(text.unicodeScalars.count))
    case .lower: return .string(text.lowercased())
    case .upper: return .string(text.uppercased())
    case .trim: return .string(trimmed(text, left: true, right: true))
    case .trimLeft: return .string(trimmed(text, left: true, right: false))
    case .trimRight: return .string(trimmed(text, left: false, right: true))
    default: return try null(function)
    }
  }

  static func ofArray(
    _ function: QueryFunction, _ elements: [OracleValue], _ collation: QueryCollation
  ) throws -> OracleValue {
    switch function {
    case .arrayLength: return .integer(Int64(elements.count))
    case .arrayCount: return .integer(Int64(elements.filter { $0.isValued }.count))
    case .arrayMaximum: return best(elements, sign: 1, collation)
    case .arrayMinimum: return best(elements, sign: -1, collation)
    case .arrayFirstValued: return elements.first { $0.isValued } ?? .null
    case .arraySum:
      // Unlike SUM, the sum of no numbers is 0.
      let sum = OracleAggregates.sum(elements.filter { OracleArithmetic.number($0) != nil })
      return sum.isValued ? sum : .integer(0)
    default: return try null(function)
    }
  }

  static func converted(_ function: QueryFunction, _ value: OracleValue) throws -> OracleValue {
    switch (function, value) {
    case (_, .null): return .null
    case (.toString, .array), (.toString, .object): return .null
    case (.toString, _): return .string(try value.joinedText())
    case (.toNumber, .boolean(let flag)): return .integer(flag ? 1 : 0)
    case (.toNumber, .integer), (.toNumber, .double): return value
    case (.toNumber, .string(let text)): return try number(in: text)
    case (.toBoolean, .boolean): return value
    case (.toBoolean, .integer(let number)): return .boolean(number != 0)
    case (.toBoolean, .double(let number)): return .boolean(number != 0)
    case (.toBoolean, .string(let text)): return .boolean(!text.utf8.isEmpty)
    case (.toBoolean, .array(let elements)): return .boolean(!elements.isEmpty)
    case (.toBoolean, .object(let members)): return .boolean(!members.isEmpty)
    default: return .null
    }
  }

  /// Returns the number that a whole text represents. Only JSON's notation is supported.
  private static func number(in text: String) throws -> OracleValue {
    let text = trimmed(text, left: true, right: true)
    if text.wholeMatch(of: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/) != nil {
      return Int64(text).map { .integer($0) } ?? OracleArithmetic.finite(Double(text) ?? .infinity)
    }
    if text.contains(/[0-9]/), !text.contains(/[^0-9+.eE-]/) {
      throw OracleError.undefined("the text \(text) as a number")
    }
    return .null
  }

  private static func trimmed(_ text: String, left: Bool, right: Bool) -> String {
    var scalars = Array(text.unicodeScalars)
    while left, let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while right, let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }
}
