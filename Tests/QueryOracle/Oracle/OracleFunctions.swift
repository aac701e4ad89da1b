import Foundation
import QueryModel

/// The functions that random queries call.
struct OracleFunctions {
  /// The collation of functions that compare strings, except for GREATEST and LEAST, which compare bytes.
  let collation: QueryCollation

  /// The implemented functions. Functions that are tested only by tables are left out, such as
  /// dates, regular expressions, trigonometry and some string functions.
  static let all: [QueryFunction] =
    [
      .abs, .ceil, .floor, .round, .sign, .truncate, .divide, .integerDivide, .length, .lower, .upper, .trim, .trimLeft,
      .trimRight, .contains, .concatenate, .arrayLength, .arrayCount, .arrayContains, .arrayPosition, .arrayMaximum,
      .arrayMinimum, .arraySum, .arrayFirstValued, .arrayOf, .ifMissing, .ifNull, .ifMissingOrNull, .nullIf, .missingIf,
      .greatest, .least, .type, .isString, .isNumber, .isArray, .isObject, .isBoolean, .isAtom, .toString, .toNumber,
      .toBoolean,
    ]

  /// Returns the result for these arguments.
  ///
  /// The result is MISSING if an argument is MISSING, otherwise null if an argument has the wrong type.
  func call(_ function: QueryFunction, _ arguments: [OracleValue]) throws -> OracleValue {
    guard function.argumentCount.minimum <= arguments.count, arguments.count <= function.argumentCount.maximum ?? .max
    else { throw OracleError.invalid("\(function.rawValue) of \(arguments.count) arguments") }
    switch function {
    case .concatenate: return try OracleFunctions.joined(arguments)
    case .arrayOf: return .array(arguments.map { $0.isMissing ? .null : $0 })
    case .ifMissing: return arguments.first { !$0.isMissing } ?? .null
    case .ifNull: return arguments.first { $0.isMissing || $0.isValued } ?? .null
    case .ifMissingOrNull: return arguments.first { $0.isValued } ?? .null
    case .nullIf: return try unlessEqual(arguments, .null)
    case .missingIf: return try unlessEqual(arguments, .missing)
    case .greatest: return OracleFunctions.best(arguments, sign: 1)
    case .least: return OracleFunctions.best(arguments, sign: -1)
    case .type: return .string(OracleFunctions.typeName(arguments[0]))
    default: break
    }
    // The other functions return MISSING if an argument is.
    if arguments.contains(where: { $0.isMissing }) { return .missing }
    if arguments.count == 1 { return try ofOne(function, arguments[0]) }
    switch (function, arguments[0], arguments[1]) {
    case (.contains, .string(let text), .string(let part)):
      return .boolean(OracleFunctions.contains(text, part, collation))
    case (.arrayContains, .array(let elements), let wanted):
      return .boolean(elements.contains { $0.order(wanted, collation) == 0 })
    case (.arrayPosition, .array(let elements), let wanted):
      return .integer(Int64(elements.firstIndex { $0.order(wanted, collation) == 0 } ?? -1))
    case (.divide, let one, let two):
      guard let left = OracleArithmetic.number(one), let right = OracleArithmetic.number(two) else { return .null }
      return right == 0 ? .missing : OracleArithmetic.finite(left / right)
    case (.integerDivide, let one, let two):
      guard OracleArithmetic.number(one) != nil, OracleArithmetic.number(two) != nil else { return .null }
      guard let left = OracleArithmetic.whole(one), let right = OracleArithmetic.whole(two) else {
        throw OracleError.undefined("IDIV of a number above 2^63")
      }
      return try OracleArithmetic.apply(.divide, .integer(left), .integer(right))
    case (.contains, _, _), (.arrayContains, _, _), (.arrayPosition, _, _): return .null
    default: throw OracleError.undefined("\(function.rawValue) of \(arguments.count) arguments")
    }
  }

  private func ofOne(_ function: QueryFunction, _ argument: OracleValue) throws -> OracleValue {
    switch function {
    case .isString, .isNumber, .isArray, .isObject, .isBoolean, .isAtom:
      return argument.isValued ? .boolean(OracleFunctions.isOfType(function, argument)) : .null
    case .toString, .toNumber, .toBoolean: return try OracleFunctions.converted(function, argument)
    default: break
    }
    switch argument {
    case .integer, .double: return try OracleFunctions.ofNumber(function, argument)
    case .string(let text): return try OracleFunctions.ofString(function, text)
    case .array(let elements): return try OracleFunctions.ofArray(function, elements, collation)
    default: return try OracleFunctions.null(function)
    }
  }

  /// Returns the first argument, or `otherwise` if both are equal; null if one is null.
  private func unlessEqual(_ arguments: [OracleValue], _ otherwise: OracleValue) throws -> OracleValue {
    if arguments.contains(where: { $0.isMissing }) { return .missing }
    if arguments.contains(where: { !$0.isValued }) { return .null }
    return arguments[0].order(arguments[1], collation) == 0 ? otherwise : arguments[0]
  }

  /// Returns the concatenation of the strings.
  static func joined(_ values: [OracleValue]) throws -> OracleValue {
    if values.contains(where: { $0.isMissing }) { return .missing }
    return .string(try values.map { try $0.joinedText() }.joined())
  }

  /// Returns the first of the largest or smallest values; null if there is none.
  static func best(_ values: [OracleValue], sign: Int, _ collation: QueryCollation = .binary) -> OracleValue {
    let valued = values.filter { $0.isValued }
    return valued.first { one in valued.allSatisfy { one.order($0, collation) * sign >= 0 } } ?? .null
  }

  /// Returns null for an implemented function whose argument has a wrong type.
  static func null(_ function: QueryFunction) throws -> OracleValue {
    guard all.contains(function) else { throw OracleError.undefined(function.rawValue) }
    return .null
  }

  private static func contains(_ text: String, _ part: String, _ collation: QueryCollation) -> Bool {
    let (text, part) = (OracleValue.key(of: text, collation), OracleValue.key(of: part, collation))
    return (0...text.count).contains { text.dropFirst($0).starts(with: part) }
  }
}
