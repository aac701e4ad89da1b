/// The precedence of operators, the loosest first. Parser and printer both use this order.
enum SQLPrecedence: Int, Comparable {
  case collation, disjunction, conjunction, negation, equality, relation, addition, multiplication, concatenation,
    prefix
  case operand

  /// The next tighter precedence.
  var tighter: SQLPrecedence { SQLPrecedence(rawValue: rawValue + 1) ?? .operand }

  /// The next looser precedence.
  var looser: SQLPrecedence { SQLPrecedence(rawValue: rawValue - 1) ?? .collation }

  static func < (first: SQLPrecedence, second: SQLPrecedence) -> Bool { first.rawValue < second.rawValue }
}

extension ArithmeticOperator {
  var precedence: SQLPrecedence {
    switch self {
    case .add, .subtract: .addition
    case .multiply, .divide, .remainder: .multiplication
    }
  }
}

extension ComparisonOperator {
  var precedence: SQLPrecedence {
    switch self {
    case .equal, .notEqual: .equality
    case .less, .lessOrEqual, .greater, .greaterOrEqual: .relation
    }
  }
}
