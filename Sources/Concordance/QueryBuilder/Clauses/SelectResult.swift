import QueryModel

/// A value in each row of a query's result, created by ``SelectResult``.
public protocol SelectResultProtocol: Sendable {}

/// A result that can be given a name.
public protocol SelectResultAs: SelectResultProtocol {
  /// Returns the result with an alias.
  ///
  /// - Parameter alias: the alias; nil for the default name (see ``SelectResult``).
  func `as`(_ alias: String?) -> any SelectResultProtocol
}

/// A result whose source can be chosen.
public protocol SelectResultFrom: SelectResultProtocol {
  /// Returns the result for the source with this name.
  ///
  /// - Parameter alias: the name of the source; nil if the query has only one source.
  func from(_ alias: String?) -> any SelectResultProtocol
}

/// Creates the columns of a query.
///
/// The name of a column is its alias; see ``SelectResultAs/as(_:)``. Without an alias, it is the last key of a
/// property, the name of a ``Meta`` value, the name of the source for ``all()``, or `$1`, `$2`, … for anything else.
public enum SelectResult {
  /// Creates a column with the property at a path: `name`, `geo.alt`, `reviews[0].author`.
  ///
  /// - Parameter property: the path; see ``Expression/property(_:)``.
  public static func property(_ property: String) -> any SelectResultAs { expression(Expression.property(property)) }

  /// Creates a column with the value of an expression.
  ///
  /// - Parameter expression: the expression.
  public static func expression(_ expression: any ExpressionProtocol) -> any SelectResultAs {
    BuiltColumn(expression: BuiltExpression(expression), alias: nil)
  }

  /// Creates a column with the whole document.
  public static func all() -> any SelectResultFrom {
    BuiltColumn(expression: BuiltExpression(.everything(source: nil)), alias: nil)
  }
}

/// A result converted to a column of the syntax tree.
struct BuiltColumn: SelectResultAs, SelectResultFrom {
  let expression: BuiltExpression
  let alias: String?

  func `as`(_ alias: String?) -> any SelectResultProtocol { BuiltColumn(expression: expression, alias: alias) }

  func from(_ alias: String?) -> any SelectResultProtocol {
    BuiltColumn(expression: expression.from(alias), alias: self.alias)
  }
}

extension BuiltColumn {
  init(_ result: any SelectResultProtocol) {
    self = result as? BuiltColumn ?? BuiltColumn(expression: .foreign(result, "SelectResult"), alias: nil)
  }
}
