import JSONText

/// Parsing of operations whose names are words or symbols.
extension JSONQueryReader {
  func wordOperation(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    switch operation.word {
    case "[]": return .array(try operands(operation))
    case "LITERAL":
      guard operation.operands.count == 1, case .string(let text) = operation.operands[0].value else {
        throw operation.value.error("LITERAL takes one string")
      }
      return .string(text)
    case "MISSING":
      _ = try operands(operation, 0)
      return .missing
    case "NULL":
      _ = try operands(operation, 0)
      return .null
    case "AND": return try joined(operation) { .and($0) }
    case "OR": return try joined(operation) { .or($0) }
    case "NOT": return .not(try operands(operation, 1)[0])
    case "EXISTS": return .exists(try operands(operation, 1)[0])
    case "CASE": return try conditional(operation)
    case "ANY", "SOME": return try quantified(operation, .any)
    case "EVERY": return try quantified(operation, .every)
    case "ANY AND EVERY": return try quantified(operation, .anyAndEvery)
    case "COLLATE": return try collated(operation)
    case "||": return try chain(operation) { .concatenation($0, $1) }
    case "-" where operation.operands.count == 1: return .negated(try operands(operation, 1)[0])
    case "==": return try comparison(operation, .equal)
    case "<>": return try comparison(operation, .notEqual)
    default: break
    }
    if let symbol = ComparisonOperator(rawValue: operation.word) { return try comparison(operation, symbol) }
    if let symbol = ArithmeticOperator(rawValue: operation.word) {
      guard symbol == .add || symbol == .multiply else {
        let operands = try operands(operation, 2)
        return .arithmetic(symbol, operands[0], operands[1])
      }
      return try chain(operation) { .arithmetic(symbol, $0, $1) }
    }
    if let test = try test(operation, operation.word) { return test }
    if let positive = JSONQueryReader.negations[operation.word], let test = try test(operation, positive) {
      return .not(test)
    }
    throw operation.value.error("there is no operation \"\(operation.name)\"; an array literal is [\"[]\", …]")
  }

  /// The operators that contain a NOT, each with the operator that it negates. As in Couchbase Lite, a name contains
  /// one NOT; further ones are operations of their own, which count as levels of nesting.
  private static let negations = [
    "IS NOT": "IS", "IS NOT NULL": "IS NULL", "IS NOT MISSING": "IS MISSING", "IS NOT VALUED": "IS VALUED",
    "NOT IN": "IN", "NOT LIKE": "LIKE", "NOT ILIKE": "ILIKE", "NOT BETWEEN": "BETWEEN",
  ]

  /// Parses the operators that the names in ``negations`` negate.
  private func test(_ operation: JSONOperation, _ word: String) throws(JSONQueryError) -> QueryExpression? {
    switch word {
    case "IS":
      let operands = try operands(operation, 2)
      return .is(operands[0], operands[1])
    case "IS NULL": return .is(try operands(operation, 1)[0], .null)
    case "IS MISSING": return .is(try operands(operation, 1)[0], .missing)
    case "IS VALUED": return .isValued(try operands(operation, 1)[0])
    case "IN":
      let operands = try operands(operation, 2)
      return .in(operands[0], operands[1])
    case "LIKE":
      let operands = try operands(operation, 2)
      return .like(operands[0], pattern: operands[1])
    case "ILIKE":
      let operands = try operands(operation, 2)
      return .ilike(operands[0], pattern: operands[1])
    case "BETWEEN":
      let operands = try operands(operation, 3)
      return .between(operands[0], low: operands[1], high: operands[2])
    default: return nil
    }
  }

  private func comparison(
    _ operation: JSONOperation, _ symbol: ComparisonOperator
  ) throws(JSONQueryError) -> QueryExpression {
    let operands = try operands(operation, 2)
    return .comparison(symbol, operands[0], operands[1])
  }

  private func joined(
    _ operation: JSONOperation, _ make: ([QueryExpression]) -> QueryExpression
  ) throws(JSONQueryError) -> QueryExpression {
    guard operation.operands.count >= 2 else {
      throw operation.value.error("\(operation.word) takes at least two operands, \(operation.operands.count) given")
    }
    return make(try operands(operation))
  }

  /// Groups operands from the left, so the nesting depth of the first operand is the number of operators.
  private func chain(
    _ operation: JSONOperation, _ make: (QueryExpression, QueryExpression) -> QueryExpression
  ) throws(JSONQueryError) -> QueryExpression {
    let count = operation.operands.count
    guard count >= 2 else {
      throw operation.value.error("\(operation.word) takes at least two operands, \(count) given")
    }
    var result = try expression(operation.operands[0], operation.depth + count - 2)
    for position in 1..<count {
      result = make(result, try expression(operation.operands[position], operation.depth + count - 1 - position))
    }
    return result
  }

  /// `["CASE", subject or null, when, then, …, else]`
  private func conditional(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    guard operation.operands.count >= 3 else {
      throw operation.value.error("CASE takes a subject or null, and pairs of a condition and a result")
    }
    let parts = try operands(operation)
    let subject: QueryExpression? = operation.operands[0].value == .null ? nil : parts[0]
    var branches: [ConditionalBranch] = []
    var position = 1
    while position + 1 < parts.count {
      branches.append(ConditionalBranch(when: parts[position], then: parts[position + 1]))
      position += 2
    }
    let otherwise = position < parts.count ? parts[position] : nil
    return .conditional(subject: subject, branches: branches, otherwise: otherwise)
  }

  /// `["ANY", "v", array, condition]`
  private func quantified(
    _ operation: JSONOperation, _ quantifier: Quantifier
  ) throws(JSONQueryError) -> QueryExpression {
    guard operation.operands.count == 3 else {
      throw operation.value.error("\(operation.word) takes the name of a variable, an array and a condition")
    }
    let variable = try operation.operands[0].string("the name of a variable")
    let array = try expression(operation.operands[1], operation.depth)
    let condition = try expression(operation.operands[2], operation.depth)
    return .quantified(quantifier, variable: variable, in: array, satisfies: condition)
  }

  private func collated(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    guard operation.operands.count == 2 else {
      throw operation.value.error("COLLATE takes an object of options and an expression")
    }
    var isUnicode = false
    var locale: String?
    var isCaseSensitive = true
    var isAccentSensitive = true
    for (key, option) in try operation.operands[0].object("the options of COLLATE") {
      switch key.uppercased() {
      case "UNICODE": isUnicode = try option.boolean("UNICODE")
      case "CASE": isCaseSensitive = try option.boolean("CASE")
      case "DIAC", "DIACRITIC", "DIACRITICS": isAccentSensitive = try option.boolean(key)
      case "LOCALE": locale = option.value == .null ? nil : try option.string("LOCALE")
      default: throw option.error("COLLATE has no option \"\(key)\"; the options are UNICODE, LOCALE, CASE and DIAC")
      }
    }
    let collation = QueryCollation(
      isUnicode: isUnicode, locale: locale, isCaseSensitive: isCaseSensitive, isAccentSensitive: isAccentSensitive)
    return .collated(try expression(operation.operands[1], operation.depth), collation)
  }
}
