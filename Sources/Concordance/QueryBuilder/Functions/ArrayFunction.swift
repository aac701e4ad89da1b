import QueryModel

/// Functions that take an array.
///
/// ```swift
/// ArrayFunction.contains(Expression.property("tags"), value: Expression.string("pool"))
/// // ARRAY_CONTAINS(tags, 'pool')
/// ```
public enum ArrayFunction {
  /// `ARRAY_CONTAINS(array, value)`: true if an element equals the value.
  ///
  /// - Parameters:
  ///   - expression: the array.
  ///   - value: the value.
  public static func contains(
    _ expression: any ExpressionProtocol, value: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(.arrayContains, expression, value)
  }

  /// `ARRAY_LENGTH(array)`: the number of elements.
  ///
  /// - Parameter expression: the array.
  public static func length(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.arrayLength, expression)
  }
}

extension BuiltExpression {
  /// Creates a function call.
  init(_ function: QueryFunction, _ arguments: any ExpressionProtocol...) {
    self.init(over: arguments.map { BuiltExpression($0) }) { .function(function, $0) }
  }
}
