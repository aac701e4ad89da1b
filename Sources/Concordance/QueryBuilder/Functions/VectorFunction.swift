import QueryModel

extension Function {
  /// `EUCLIDEAN_DISTANCE(x, y)`: the distance between two vectors, which are arrays of numbers with the same length;
  /// MISSING for anything else.
  ///
  /// - Parameters:
  ///   - expression1: a vector.
  ///   - expression2: the other vector.
  public static func euclideanDistance(
    between expression1: any ExpressionProtocol, and expression2: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(.euclideanDistance, expression1, expression2)
  }

  /// `EUCLIDEAN_DISTANCE(x, y, 2)`: the square of the distance, which sorts in the same order and is faster to compute.
  ///
  /// - Parameters:
  ///   - expression1: a vector.
  ///   - expression2: the other vector.
  public static func squaredEuclideanDistance(
    between expression1: any ExpressionProtocol, and expression2: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(.euclideanDistance, expression1, expression2, Expression.int(2))
  }

  /// `COSINE_DISTANCE(x, y)`: 1 minus the cosine of the angle between two vectors, from 0 for the same direction to 2
  /// for opposite ones; MISSING for values that are not vectors of the same length, and for a zero vector.
  ///
  /// - Parameters:
  ///   - expression1: a vector.
  ///   - expression2: the other vector.
  public static func cosineDistance(
    between expression1: any ExpressionProtocol, and expression2: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(.cosineDistance, expression1, expression2)
  }
}
