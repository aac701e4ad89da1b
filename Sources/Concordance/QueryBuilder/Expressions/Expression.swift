public import Foundation
import QueryModel

/// Creates the basic expressions: properties, values and parameters.
///
/// ```swift
/// Expression.property("stars").greaterThan(Expression.int(3))  // stars > 3
/// ```
public enum Expression {
  // MARK: Properties

  /// Creates an expression for the property at a path: `name`, `geo.alt`, `reviews[0].author`.
  ///
  /// A key that contains a dot, a bracket or a backtick is put in backticks, in which a backtick is doubled. As in
  /// Couchbase Lite, a backslash before `.`, `[` or `\` also makes this character part of a key: `odd\.key.x` is the
  /// property `x` of the property `odd.key`.
  ///
  /// If the path begins with the name of a source, the expression is a property of that source: `hotel.name` is `name`
  /// of `hotel`, as with ``PropertyExpressionProtocol/from(_:)``. In a path without a source, an alias of a result (see
  /// ``SelectResultAs/as(_:)``) takes precedence over a property with the same name.
  ///
  /// - Parameter property: the path. Running the query throws ``CBLError/invalidQuery`` if it cannot be parsed.
  public static func property(_ property: String) -> any PropertyExpressionProtocol { PropertyExpression(property) }

  /// Creates an expression for the whole document.
  public static func all() -> any PropertyExpressionProtocol {
    PropertyExpression(built: BuiltExpression(.everything(source: nil)))
  }

  // MARK: Values

  /// Creates a value of any type that a document can contain, with the same representation: a date is a string (see
  /// ``date(_:)``), and a blob is its metadata. Arrays and dictionaries can contain expressions.
  ///
  /// - Parameter value: the value; nil for null.
  public static func value(_ value: Any?) -> any ExpressionProtocol { BuiltExpression(value: value) }

  /// Creates a string.
  ///
  /// - Parameter value: the string; nil for null.
  public static func string(_ value: String?) -> any ExpressionProtocol { self.value(value) }

  /// Creates a number or a boolean.
  ///
  /// - Parameter value: the number; nil for null.
  public static func number(_ value: NSNumber?) -> any ExpressionProtocol { self.value(value) }

  /// Creates an integer.
  ///
  /// - Parameter value: the integer.
  public static func int(_ value: Int) -> any ExpressionProtocol { self.value(value) }

  /// Creates an integer.
  ///
  /// - Parameter value: the integer.
  public static func int64(_ value: Int64) -> any ExpressionProtocol { self.value(value) }

  /// Creates a floating-point number.
  ///
  /// - Parameter value: the number.
  public static func float(_ value: Float) -> any ExpressionProtocol { self.value(value) }

  /// Creates a floating-point number.
  ///
  /// - Parameter value: the number.
  public static func double(_ value: Double) -> any ExpressionProtocol { self.value(value) }

  /// Creates a boolean.
  ///
  /// - Parameter value: the boolean.
  public static func boolean(_ value: Bool) -> any ExpressionProtocol { self.value(value) }

  /// Creates a date, as an ISO 8601 string in UTC with milliseconds.
  ///
  /// - Parameter value: the date; nil for null.
  public static func date(_ value: Date?) -> any ExpressionProtocol { self.value(value) }

  /// Creates a dictionary, which can contain expressions: `Expression.dictionary(["photo":
  /// Expression.property("photo")])`.
  ///
  /// - Parameter value: the dictionary; nil for null.
  public static func dictionary(_ value: [String: Any]?) -> any ExpressionProtocol { self.value(value) }

  /// Creates an array, which can contain expressions.
  ///
  /// - Parameter value: the array; nil for null.
  public static func array(_ value: [Any]?) -> any ExpressionProtocol { self.value(value) }

  /// Creates a parameter, whose value is set before the query runs; see ``Parameters``.
  ///
  /// - Parameter name: the name of the parameter, without `$`.
  public static func parameter(_ name: String) -> any ExpressionProtocol { BuiltExpression(.parameter(name)) }

  // MARK: Operators

  /// Creates `NOT x` for a condition, as in Couchbase Lite. See ``not(_:)``.
  ///
  /// - Parameter expression: the condition.
  public static func negated(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { not(expression) }

  /// Creates `NOT x`.
  ///
  /// - Parameter expression: the condition.
  public static func not(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    expression.changed { .not($0) }
  }

  /// Creates a reference to a full-text index, for ``FullTextFunction``.
  ///
  /// - Parameter name: the name of the index.
  public static func fullTextIndex(_ name: String) -> any FullTextIndexExpressionProtocol {
    BuiltFullTextIndex(FullTextIndexName(name))
  }
}
