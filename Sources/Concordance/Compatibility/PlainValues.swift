// Operators that accept plain values instead of expressions, as in the first developer builds of Couchbase Lite 2:
// `Expression.property("type").equalTo("user")`. The overloads are disfavored, so that an expression is never treated
// as a value.

extension ExpressionProtocol {
  /// `x = y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func equalTo(_ value: Any?) -> any ExpressionProtocol { equalTo(Expression.value(value)) }

  /// `x != y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func notEqualTo(_ value: Any?) -> any ExpressionProtocol { notEqualTo(Expression.value(value)) }

  /// `x < y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func lessThan(_ value: Any?) -> any ExpressionProtocol { lessThan(Expression.value(value)) }

  /// `x <= y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func lessThanOrEqualTo(_ value: Any?) -> any ExpressionProtocol { lessThanOrEqualTo(Expression.value(value)) }

  /// `x > y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func greaterThan(_ value: Any?) -> any ExpressionProtocol { greaterThan(Expression.value(value)) }

  /// `x >= y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func greaterThanOrEqualTo(_ value: Any?) -> any ExpressionProtocol {
    greaterThanOrEqualTo(Expression.value(value))
  }

  /// `x = y` with a plain value, or `x IS NULL` if the value is nil.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func `is`(_ value: Any?) -> any ExpressionProtocol { self.is(Expression.value(value)) }

  /// `x != y` with a plain value, or `x IS NOT NULL` if the value is nil.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func isNot(_ value: Any?) -> any ExpressionProtocol { isNot(Expression.value(value)) }

  /// `x LIKE pattern` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func like(_ value: Any?) -> any ExpressionProtocol { like(Expression.value(value)) }

  /// `x ILIKE pattern` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func ilike(_ value: Any?) -> any ExpressionProtocol { ilike(Expression.value(value)) }

  /// `REGEXP_CONTAINS(x, pattern)` with a plain value.
  ///
  /// - Parameter value: the pattern, a PCRE2 regular expression.
  @_disfavoredOverload
  public func regex(_ value: Any?) -> any ExpressionProtocol { regex(Expression.value(value)) }

  /// `REGEXP_CONTAINS(x, pattern, flags)` with a plain value.
  ///
  /// - Parameters:
  ///   - value: the pattern, a PCRE2 regular expression.
  ///   - flags: see ``regex(_:flags:)-(ExpressionProtocol,_)``.
  @_disfavoredOverload
  public func regex(_ value: Any?, flags: String) -> any ExpressionProtocol {
    regex(Expression.value(value), flags: flags)
  }

  /// `x * y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func multiply(_ value: Any?) -> any ExpressionProtocol { multiply(Expression.value(value)) }

  /// `x / y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func divide(_ value: Any?) -> any ExpressionProtocol { divide(Expression.value(value)) }

  /// `x % y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func modulo(_ value: Any?) -> any ExpressionProtocol { modulo(Expression.value(value)) }

  /// `x + y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func add(_ value: Any?) -> any ExpressionProtocol { add(Expression.value(value)) }

  /// `x - y` with a plain value.
  ///
  /// - Parameter value: the value; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func subtract(_ value: Any?) -> any ExpressionProtocol { subtract(Expression.value(value)) }

  /// `x BETWEEN low AND high` with plain values. Both bounds are inclusive.
  ///
  /// - Parameters:
  ///   - value1: the lower bound; see ``Expression/value(_:)``.
  ///   - value2: the upper bound.
  @_disfavoredOverload
  public func between(_ value1: Any?, and value2: Any?) -> any ExpressionProtocol {
    between(Expression.value(value1), and: Expression.value(value2))
  }

  /// `x IN (a, b)` with plain values.
  ///
  /// - Parameter values: the list; see ``Expression/value(_:)``.
  @_disfavoredOverload
  public func `in`(_ values: [Any?]) -> any ExpressionProtocol { self.in(values.map { Expression.value($0) }) }
}
