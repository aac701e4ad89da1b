/// What predicates ask for in words of their own, whoever writes them.
extension QueryExpression {
  /// The condition that this string begins with another: `LIKE 'part%'` for a constant, so that an index can serve it.
  public func begins(with part: QueryExpression) -> QueryExpression {
    PredicatePattern.begins(self, with: part, isCollated: false)
  }

  /// The condition that as many elements as said satisfy what at least one must satisfy for this to be true.
  ///
  /// ```swift
  /// any.counted(.greater, 0)   // any
  /// any.counted(.equal, 0)     // NOT any
  /// any.counted(.greater, 1)   // nil: that takes counting
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
  /// The operator for the operands the other way round.
  public var flipped: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// The answers of `count op number` for no elements and for some; nil where it takes more to know.
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
