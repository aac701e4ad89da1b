import JSONText
import QueryModel
import TextIndex

/// Expressions as conditions.
extension SQLGenerator {
  /// Returns SQL for an expression as a condition: 1 if it is true, otherwise 0, or NULL for null and MISSING.
  ///
  /// - Parameter exactly: whether 0 and NULL must be distinguished, as inside NOT. The truth tables of SQL's AND and OR
  ///   differ from those of SQL++, in which null counts as false. If 0 and NULL have the same effect, SQL's operators
  ///   suffice and are faster.
  func condition(_ expression: QueryExpression, exactly: Bool = false) throws -> String {
    try countExpression()
    if let column = indexColumn(expression) { return column.key }
    if let (lifted, collation) = expression.liftingCollation {
      return try withCollation(collation) { try condition(lifted, exactly: exactly) }
    }
    switch expression {
    case .missing, .null: return "NULL"
    case .boolean(let boolean): return boolean ? "1" : "0"
    case .comparison(let symbol, let one, let other):
      let (left, right) = (try operand(one), try operand(other))
      return "\(try collated(left, with: right)) \(symbol.rawValue) \(right)"
    case .is(let value, .missing): return "\(try exact(value)) IS NULL"
    case .is(let value, .null): return "\(try exact(value)) = \(SQLText.null)"
    case .is(let one, let other): return try condition(.comparison(.equal, one, other))
    case .isValued(let value): return "\(try key(value)) IS NOT NULL"
    case .between(let value, let low, let high):
      guard !exactly else { return try operation("between", [value, low, high], isCondition: true) }
      let (least, most) = (try operand(low), try operand(high))
      return "\(try collated(operand(value), with: least + most)) BETWEEN \(least) AND \(most)"
    case .in(let value, let list): return try membership(value, list)
    case .like(let text, let pattern): return try operation("like", [text, pattern], isCondition: true)
    case .ilike(let text, let pattern):
      return "concordance_op_ilike_condition(\(try exact(text)), \(try exact(pattern)))"
    case .exists(let array): return "concordance_op_exists_condition(\(try exact(array)))"
    case .and(let operands):
      guard !exactly else { return try folded("concordance_op_and", operands, isCondition: true) }
      return SQLText.joined(try operands.map { try nested($0) }, by: "AND")
    case .or(let operands):
      guard !exactly else { return try folded("concordance_op_or", operands, isCondition: true) }
      return SQLText.joined(try operands.map { try nested($0) }, by: "OR")
    case .not(let operand):
      guard !exactly else { return "concordance_op_not_condition(\(try exact(operand)))" }
      return "NOT (\(try condition(operand, exactly: true)))"
    case .collated(let operand, let collation):
      return try withCollation(collation) { try condition(operand, exactly: exactly) }
    case .conditional(let subject, let branches, let otherwise):
      return try conditional(subject, branches, otherwise.map { try condition($0, exactly: exactly) } ?? "NULL") {
        try condition($0, exactly: exactly)
      }
    case .quantified(let quantifier, let variable, let array, let test):
      return try quantified(quantifier, variable, array, test)
    case .match(let index, let query): return try match(expression, index, query)
    case .property, .metadata(.some, _), .parameter:
      // SQLite and SQL++ convert strings and blobs to conditions in the same way: by the number that they begin with.
      return try key(expression)
    case .function(let function, let arguments, _):
      if QueryFunctions.implementation(of: function)?.isCondition == true {
        return try call(function, arguments, isDistinct: false, isCondition: true)
      }
      return "concordance_truth(\(try exact(expression)))"
    default: return "concordance_truth(\(try exact(expression)))"
    }
  }

  /// Returns a condition as an operand of AND or OR, in parentheses only if it needs them: the stack of SQLite's parser
  /// is small.
  private func nested(_ expression: QueryExpression) throws -> String {
    let sql = try condition(expression)
    switch expression {
    case .and(let operands) where operands.count > 1, .or(let operands) where operands.count > 1: return sql
    default: return "(\(sql))"
    }
  }

  /// `x IN list`
  private func membership(_ value: QueryExpression, _ list: QueryExpression) throws -> String {
    guard case .array(let elements) = list else {
      return try operation("in", [value, list], isCondition: true)
    }
    // With an empty list, SQLite returns 0 even if the value is missing.
    guard !elements.isEmpty else { return "CASE WHEN \(try key(value)) IS NOT NULL THEN 0 END" }
    // The collation of IN is that of its left side.
    let keys = try elements.map { try operand($0) }
    return "\(try collated(operand(value))) IN (\(keys.joined(separator: ", ")))"
  }

  private func quantified(
    _ quantifier: Quantifier, _ variable: String, _ array: QueryExpression, _ test: QueryExpression
  ) throws -> String {
    let values = try exact(array)
    return try withVariable(variable) { alias in
      let rows = "SELECT 1 FROM concordance_each(\(values)) AS \(alias)"
      let condition = try condition(test)
      switch quantifier {
      case .any: return "EXISTS (\(rows) WHERE \(condition))"
      case .every: return "NOT EXISTS (\(rows) WHERE (\(condition)) IS NOT TRUE)"
      case .anyAndEvery:
        // min() of no elements is NULL. The subquery is needed because SQLite would treat an aggregate over columns of
        // the outer query alone as an aggregate of that query.
        let tests = "SELECT (\(condition)) IS TRUE AS holds FROM concordance_each(\(values)) AS \(alias)"
        return "coalesce((SELECT min(holds) FROM (\(tests))), 0)"
      }
    }
  }

  private func match(
    _ expression: QueryExpression, _ index: FullTextIndexName, _ query: QueryExpression
  ) throws -> String {
    if indexedMatches.contains(expression) { return "1" }
    return "\(MatchFunction.name)(\(try matchBinding(index, query)), \(try document(index.source ?? "")).rowid)"
  }
}
