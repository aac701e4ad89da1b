public import Foundation
import QueryModel

/// Makes the expressions that others are put together from: properties, values and parameters.
public enum Expression {
  // MARK: Properties

  /// The property at a path: `name`, `geo.alt`, `reviews[0].author`. A key with other characters is put in backticks.
  ///
  /// Where the path begins with the name of a source, it is a property of that source: `hotel.name` is `name` of
  /// `hotel`, as with ``PropertyExpressionProtocol/from(_:)``. Without a source, a name that was given to a result with
  /// ``SelectResultAs/as(_:)`` comes before a property of that name.
  public static func property(_ property: String) -> any PropertyExpressionProtocol { PropertyExpression(property) }

  /// The whole document.
  public static func all() -> any PropertyExpressionProtocol {
    PropertyExpression(built: BuiltExpression(.everything(source: nil)))
  }

  // MARK: Values

  /// A value of any type that a document can hold, which means what it means there: a date is a string, see
  /// ``date(_:)``, a blob its metadata. Arrays and dictionaries may hold expressions.
  public static func value(_ value: Any?) -> any ExpressionProtocol { BuiltExpression(value: value) }

  /// A string; null for nil.
  public static func string(_ value: String?) -> any ExpressionProtocol { self.value(value) }

  /// A number or a boolean; null for nil.
  public static func number(_ value: NSNumber?) -> any ExpressionProtocol { self.value(value) }

  /// An integer.
  public static func int(_ value: Int) -> any ExpressionProtocol { self.value(value) }

  /// An integer.
  public static func int64(_ value: Int64) -> any ExpressionProtocol { self.value(value) }

  /// A number.
  public static func float(_ value: Float) -> any ExpressionProtocol { self.value(value) }

  /// A number.
  public static func double(_ value: Double) -> any ExpressionProtocol { self.value(value) }

  /// A boolean.
  public static func boolean(_ value: Bool) -> any ExpressionProtocol { self.value(value) }

  /// A date as documents hold it, an ISO 8601 string in UTC with milliseconds; null for nil.
  public static func date(_ value: Date?) -> any ExpressionProtocol { self.value(value) }

  /// A dictionary, which may hold expressions: `Expression.dictionary(["photo": Expression.property("photo")])`; null for
  /// nil.
  public static func dictionary(_ value: [String: Any]?) -> any ExpressionProtocol { self.value(value) }

  /// An array, which may hold expressions; null for nil.
  public static func array(_ value: [Any]?) -> any ExpressionProtocol { self.value(value) }

  /// A value that is set before the query is run, see ``Parameters``.
  public static func parameter(_ name: String) -> any ExpressionProtocol { BuiltExpression(.parameter(name)) }

  // MARK: Operators

  /// `-x`, which for a condition is ``not(_:)``, as in Couchbase Lite.
  public static func negated(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { not(expression) }

  /// `NOT x`
  public static func not(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    expression.changed { .not($0) }
  }

  /// The full-text index with this name, for ``FullTextFunction``.
  public static func fullTextIndex(_ name: String) -> any FullTextIndexExpressionProtocol {
    BuiltFullTextIndex(FullTextIndexName(name))
  }
}
