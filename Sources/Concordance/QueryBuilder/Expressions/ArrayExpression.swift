import JSONText
import QueryModel

/// The variable of an ``ArrayExpression``, or a value in it.
public protocol VariableExpressionProtocol: ExpressionProtocol {}

/// Creates conditions on the elements of an array, or on the values of a dictionary.
///
/// ```swift
/// let review = ArrayExpression.variable("review")
/// let rating = ArrayExpression.variable("review.rating")
/// ArrayExpression.any(review).in(Expression.property("reviews"))
///   .satisfies(rating.greaterThan(Expression.int(4)))
/// // ANY review IN reviews SATISFIES review.rating > 4 END
/// ```
public enum ArrayExpression {
  /// Creates the variable that represents an element or, with a path such as `review.rating`, a value in the element.
  ///
  /// - Parameter name: the name of the variable, or a path that begins with it.
  public static func variable(_ name: String) -> any VariableExpressionProtocol {
    VariableExpression(
      built: BuiltExpression(path: name) { path in
        guard case .key(let variable)? = path.components.first else { return .null }
        return .variable(variable, PropertyPath(Array(path.components.dropFirst())))
      })
  }

  /// Begins an expression that is true if at least one element satisfies a condition.
  ///
  /// - Parameter variable: the variable for the elements.
  public static func any(_ variable: any VariableExpressionProtocol) -> ArrayExpressionIn {
    ArrayExpressionIn(quantifier: .any, variable: BuiltExpression(variable))
  }

  /// Begins an expression that is true if every element satisfies a condition; true for an empty array.
  ///
  /// - Parameter variable: the variable for the elements.
  public static func every(_ variable: any VariableExpressionProtocol) -> ArrayExpressionIn {
    ArrayExpressionIn(quantifier: .every, variable: BuiltExpression(variable))
  }

  /// Begins an expression that is true if there is at least one element and every element satisfies a condition.
  ///
  /// - Parameter variable: the variable for the elements.
  public static func anyAndEvery(_ variable: any VariableExpressionProtocol) -> ArrayExpressionIn {
    ArrayExpressionIn(quantifier: .anyAndEvery, variable: BuiltExpression(variable))
  }
}

/// An ``ArrayExpression`` that has no array yet.
public struct ArrayExpressionIn: Sendable {
  fileprivate let quantifier: Quantifier
  fileprivate let variable: BuiltExpression

  /// Sets the array, or the dictionary, that contains the elements.
  ///
  /// - Parameter expression: the array.
  public func `in`(_ expression: any ExpressionProtocol) -> ArrayExpressionSatisfies {
    ArrayExpressionSatisfies(quantifier: quantifier, variable: variable, array: BuiltExpression(expression))
  }
}

/// An ``ArrayExpression`` that has no condition yet.
public struct ArrayExpressionSatisfies: Sendable {
  fileprivate let quantifier: Quantifier
  fileprivate let variable: BuiltExpression
  fileprivate let array: BuiltExpression

  /// Sets the condition for the elements, which uses the variable.
  ///
  /// - Parameter expression: the condition.
  public func satisfies(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    if let fault = variable.fault { return BuiltExpression(fault: fault) }
    guard case .variable(let name, let path) = variable.model, path.components.isEmpty else {
      return BuiltExpression(
        fault: .invalidQuery(
          "\(quantifier.rawValue) takes a variable, ArrayExpression.variable(\"name\"), not \(variable.model)"))
    }
    return BuiltExpression(over: [array, BuiltExpression(expression)]) {
      .quantified(quantifier, variable: name, in: $0[0], satisfies: $0[1])
    }
  }
}

private struct VariableExpression: VariableExpressionProtocol, BuilderExpression {
  let built: BuiltExpression
}
