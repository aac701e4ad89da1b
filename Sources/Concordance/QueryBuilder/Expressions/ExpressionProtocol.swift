import QueryModel

/// An expression of a query, created by ``Expression``, ``Meta``, ``Function``, ``ArrayFunction``, ``ArrayExpression``
/// or ``FullTextFunction``, and combined with the methods below.
///
/// ```swift
/// Expression.property("type").equalTo(Expression.string("hotel"))
///   .and(Expression.property("stars").between(Expression.int(3), and: Expression.int(5)))
/// // type = 'hotel' AND stars BETWEEN 3 AND 5
/// ```
///
/// Expressions are immutable and can be used in any number of queries. Do not conform your own types to this protocol:
/// a query that contains one of them throws when it is run.
public protocol ExpressionProtocol: Sendable, CustomStringConvertible {}

// MARK: Arithmetic

extension ExpressionProtocol {
  /// `x * y`.
  ///
  /// - Parameter expression: the second factor.
  public func multiply(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    arithmetic(.multiply, expression)
  }

  /// `x / y`. The quotient of two integers is an integer.
  ///
  /// - Parameter expression: the divisor.
  public func divide(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    arithmetic(.divide, expression)
  }

  /// `x % y`: the remainder of a division.
  ///
  /// - Parameter expression: the divisor.
  public func modulo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    arithmetic(.remainder, expression)
  }

  /// `x + y`.
  ///
  /// - Parameter expression: the second summand.
  public func add(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { arithmetic(.add, expression) }

  /// `x - y`.
  ///
  /// - Parameter expression: the number to subtract.
  public func subtract(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    arithmetic(.subtract, expression)
  }

  private func arithmetic(_ symbol: ArithmeticOperator, _ other: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: other) { .arithmetic(symbol, $0, $1) }
  }
}

// MARK: Comparisons

extension ExpressionProtocol {
  /// `x < y`.
  ///
  /// - Parameter expression: the other value.
  public func lessThan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    comparison(.less, expression)
  }

  /// `x <= y`.
  ///
  /// - Parameter expression: the other value.
  public func lessThanOrEqualTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    comparison(.lessOrEqual, expression)
  }

  /// `x > y`.
  ///
  /// - Parameter expression: the other value.
  public func greaterThan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    comparison(.greater, expression)
  }

  /// `x >= y`.
  ///
  /// - Parameter expression: the other value.
  public func greaterThanOrEqualTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    comparison(.greaterOrEqual, expression)
  }

  /// `x = y`. Not true if either value is null or missing; see ``is(_:)-(ExpressionProtocol)``.
  ///
  /// - Parameter expression: the other value.
  public func equalTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    comparison(.equal, expression)
  }

  /// `x != y`. Not true if either value is null or missing; see ``isNot(_:)-(ExpressionProtocol)``.
  ///
  /// - Parameter expression: the other value.
  public func notEqualTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    comparison(.notEqual, expression)
  }

  /// `x = y`; with `Expression.value(nil)`, `x IS NULL`.
  ///
  /// - Parameter expression: the other value.
  public func `is`(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: expression) { $1 == .null ? .is($0, .null) : .comparison(.equal, $0, $1) }
  }

  /// `x != y`; with `Expression.value(nil)`, `x IS NOT NULL`.
  ///
  /// - Parameter expression: the other value.
  public func isNot(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: expression) { $1 == .null ? .not(.is($0, .null)) : .comparison(.notEqual, $0, $1) }
  }

  /// `x IS VALUED`: true if the value is neither null nor missing.
  public func isValued() -> any ExpressionProtocol { changed { .isValued($0) } }

  /// `x IS NOT VALUED`: true if the value is null or missing.
  public func isNotValued() -> any ExpressionProtocol { changed { .not(.isValued($0)) } }

  /// `x BETWEEN low AND high`. Both bounds are inclusive.
  ///
  /// - Parameters:
  ///   - expression1: the lower bound.
  ///   - expression2: the upper bound.
  public func between(
    _ expression1: any ExpressionProtocol, and expression2: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(over: [self, expression1, expression2].map { BuiltExpression($0) }) {
      .between($0[0], low: $0[1], high: $0[2])
    }
  }

  private func comparison(_ symbol: ComparisonOperator, _ other: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: other) { .comparison(symbol, $0, $1) }
  }
}

// MARK: Logic

extension ExpressionProtocol {
  /// `x AND y`.
  ///
  /// - Parameter expression: the other condition.
  public func and(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(self).and(BuiltExpression(expression))
  }

  /// `x OR y`.
  ///
  /// - Parameter expression: the other condition.
  public func or(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(self).or(BuiltExpression(expression))
  }
}

// MARK: Strings and arrays

extension ExpressionProtocol {
  /// `x LIKE pattern`: `%` matches any text, `_` one character, and `\` escapes either. Case-sensitive by default;
  /// ``collate(_:)`` can change this.
  ///
  /// - Parameter expression: the pattern.
  public func like(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: expression) { .like($0, pattern: $1) }
  }

  /// `x ILIKE pattern`: like ``like(_:)-(ExpressionProtocol)``, but case-insensitive. Not in Couchbase Lite.
  ///
  /// Letters are compared with Unicode simple case folding, which maps one character to one, regardless of the
  /// collation: `É` matches `é`; `ẞ` matches `ß`, but not `SS`.
  ///
  /// - Parameter expression: the pattern.
  public func ilike(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: expression) { .ilike($0, pattern: $1) }
  }

  /// `REGEXP_CONTAINS(x, pattern)`: true if the pattern matches anywhere in the string.
  ///
  /// - Parameter expression: the pattern, a PCRE2 regular expression.
  public func regex(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: expression) { .function(.regexContains, [$0, $1]) }
  }

  /// `REGEXP_CONTAINS(x, pattern, flags)`. Not in Couchbase Lite.
  ///
  /// ```swift
  /// Expression.property("name").regex(Expression.string("^hotel"), flags: "i")
  /// ```
  ///
  /// - Parameters:
  ///   - expression: the pattern, a PCRE2 regular expression.
  ///   - flags: letters: `i` ignores case, `m` makes `^` and `$` match at line breaks, `s` makes `.` match newlines,
  ///     `x` allows spaces and comments. Any other letter makes running the query throw ``CBLError/invalidQuery``.
  /// - Returns: a condition that is true if the pattern matches anywhere in the string.
  public func regex(_ expression: any ExpressionProtocol, flags: String) -> any ExpressionProtocol {
    combined(with: expression) { .function(.regexContains, [$0, $1, .string(flags)]) }
  }

  /// `x IN (a, b)`: true if the value equals one of a list.
  ///
  /// - Parameter expressions: the list.
  public func `in`(_ expressions: [any ExpressionProtocol]) -> any ExpressionProtocol {
    combined(with: BuiltExpression(over: expressions.map { BuiltExpression($0) }) { .array($0) }) { .in($0, $1) }
  }

  /// `x IN list`: true if an array contains the value. Not in Couchbase Lite.
  ///
  /// - Parameter expression: the array, such as a property or a parameter.
  public func `in`(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    combined(with: expression) { .in($0, $1) }
  }

  /// `x COLLATE …`: compares and sorts the strings of the expression with a collation.
  ///
  /// - Parameter collation: the collation; see ``Collation``.
  public func collate(_ collation: any CollationProtocol) -> any ExpressionProtocol {
    guard let collation = collation as? any BuilderCollation else {
      return BuiltExpression.foreign(collation, "Collation")
    }
    return changed { .collated($0, collation.model) }
  }
}

extension ExpressionProtocol {
  /// Returns an expression that has this one as its operand.
  func changed(_ make: (QueryExpression) -> QueryExpression) -> BuiltExpression {
    BuiltExpression(over: [BuiltExpression(self)]) { make($0[0]) }
  }

  /// Returns an expression that has this one and another as its operands.
  func combined(
    with other: any ExpressionProtocol, _ make: (QueryExpression, QueryExpression) -> QueryExpression
  ) -> BuiltExpression {
    BuiltExpression(over: [BuiltExpression(self), BuiltExpression(other)]) { make($0[0], $0[1]) }
  }
}
