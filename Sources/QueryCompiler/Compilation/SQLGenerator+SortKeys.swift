import JSONText
import QueryModel

/// Expressions as sort keys.
extension SQLGenerator {
  /// Returns SQL for the sort key of an expression.
  func key(_ expression: QueryExpression) throws -> String {
    try countExpression()
    if let column = indexColumn(expression) { return column.key }
    switch expression {
    case .missing, .null: return "NULL"
    case .boolean(let boolean): return boolean ? "1" : "0"
    case .integer, .double, .string: return try exact(expression)
    case .property(let path, let name?) where try source(name).isDocument:
      return "concordance_key(\(try document(name)).body, \(SQLText.literal(path.description)))"
    case .metadata(.deleted, let name?): return "\(try document(name)).deleted"
    case .metadata(.some, _), .rank: return try exact(expression)
    case .parameter(let name): return bind(.parameter(ExactString(name), .sortKey))
    case .conditional(let subject, let branches, let otherwise):
      return try conditional(subject, branches, otherwise.map { try key($0) } ?? "NULL", key)
    case .collated(let operand, let collation): return try withCollation(collation) { try key(operand) }
    case .comparison, .in, .between, .like, .ilike, .is, .isValued, .exists, .quantified, .match, .and, .or, .not:
      return "(\(try condition(expression, exactly: true)))"
    case .function(let function, _, _) where function.returnsText: return try exact(expression)
    default: return "concordance_sort(\(try exact(expression)))"
    }
  }

  /// Returns the sort key as an operand of a comparison. SQLite would apply the type affinity of a column to the other
  /// operand; the unary plus removes the affinity.
  func operand(_ expression: QueryExpression) throws -> String {
    let sql = try key(expression)
    switch expression.withoutCollations {
    case .metadata(.some, _), .rank: return "+\(sql)"
    default: return sql
    }
  }

  /// Returns SQL for an encoding that is identical for equal values, for GROUP BY and DISTINCT. Unlike `=`, it
  /// distinguishes TRUE from 1, because the value of a group is returned.
  func groupKey(_ expression: QueryExpression) throws -> String {
    let (inner, collation) = expression.splittingCollation
    return try withCollation(collation) {
      try collated("concordance_group(\(try exact(inner)))")
    }
  }

  // MARK: Indexes

  /// Returns the index column that stores an expression as it is evaluated here: a comparison inside it must not have a
  /// collation that the index does not have.
  func indexColumn(_ expression: QueryExpression) -> IndexColumn? {
    guard let column = indexColumn(expression, .binary) else { return nil }
    return expression.depends(on: collation) ? nil : column
  }

  /// Returns the index column that stores the sort keys of an expression under a collation. Its values are evaluated
  /// without the collation.
  func indexColumn(_ expression: QueryExpression, _ collation: QueryCollation) -> IndexColumn? {
    guard !expression.depends(on: collation) else { return nil }
    return indexColumns.first { $0.collation == collation && $0.expression.isIdentical(to: expression) }
  }
}

extension QueryExpression {
  /// Whether the value under a collation may differ from the one in an index, which is evaluated without it.
  func depends(on collation: QueryCollation) -> Bool { collation != .binary && comparesValues }

  /// Whether the value may depend on the collation of a COLLATE around the expression.
  var comparesValues: Bool {
    contains { part in
      switch part {
      case .comparison, .is, .in, .between, .like, .conditional, .quantified: true
      case .function(let function, _, _): QueryFunctions.implementation(of: function)?.takesCollation == true
      default: false
      }
    }
  }
}

extension QueryFunction {
  /// Whether the result is always a string or MISSING, never null, so that it is its own sort key.
  fileprivate var returnsText: Bool { self == .type }
}
