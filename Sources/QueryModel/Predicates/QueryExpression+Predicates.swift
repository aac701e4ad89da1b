/// Expressions for operations that predicates and the query builder share.
extension QueryExpression {
  /// Returns the condition that this string begins with another: `LIKE 'part%'` for a constant, so that an index can
  /// answer it.
  public func begins(with part: QueryExpression) -> QueryExpression {
    PredicatePattern.begins(self, with: part, isCollated: false)
  }

  /// Returns a condition on the number of matching elements: this condition, its negation or a constant; nil if the
  /// elements must be counted. This condition must be true if and only if there is at least one matching element.
  ///
  /// ```swift
  /// any.counted(.greater, 0)   // any
  /// any.counted(.equal, 0)     // NOT any
  /// any.counted(.greater, 1)   // nil: requires counting
  /// ```
  public func counted(_ symbol: ComparisonOperator, _ number: Int64) -> QueryExpression? {
    switch symbol.answers(for: number) {
    case (false, true)?: self
    case (true, false)?: .not(self)
    case (let answer, _)?: .boolean(answer)
    case nil: nil
    }
  }
}

extension ComparisonOperator {
  /// The operator for swapped operands.
  public var flipped: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Returns the results of `count op number` for no elements and for at least one; nil if the result depends on the
  /// exact count.
  fileprivate func answers(for number: Int64) -> (none: Bool, some: Bool)? {
    switch self {
    case .equal: number < 0 ? (false, false) : number == 0 ? (true, false) : nil
    case .notEqual: number < 0 ? (true, true) : number == 0 ? (false, true) : nil
    case .less: number <= 0 ? (false, false) : number == 1 ? (true, false) : nil
    case .lessOrEqual: number < 0 ? (false, false) : number == 0 ? (true, false) : nil
    case .greater: number < 0 ? (true, true) : number == 0 ? (false, true) : nil
    case .greaterOrEqual: number <= 0 ? (true, true) : number == 1 ? (false, true) : nil
    }
  }
}
