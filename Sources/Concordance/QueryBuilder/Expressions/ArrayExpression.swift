import JSONText
import QueryModel

/// The variable of an ``ArrayExpression``, or a value inside it.
public protocol VariableExpressionProtocol: ExpressionProtocol {}

/// Conditions on the elements of an array, or the values of a dictionary.
///
/// ```swift
/// let review = ArrayExpression.variable("review")
/// let rating = ArrayExpression.variable("review.rating")
/// ArrayExpression.any(review).in(Expression.property("reviews"))
///   .satisfies(rating.greaterThan(Expression.int(4)))
/// // ANY review IN reviews SATISFIES review.rating > 4 END
/// ```
public enum ArrayExpression {
  /// The variable that stands for each element, or with a path a value inside the element: `review.rating`.
  public static func variable(_ name: String) -> any VariableExpressionProtocol {
    VariableExpression(
      built: BuiltExpression(path: name) { path in
        guard case .key(let variable)? = path.components.first else { return .null }
        return .variable(variable, PropertyPath(Array(path.components.dropFirst())))
      })
  }

  /// At least one element satisfies the condition.
  public static func any(_ variable: any VariableExpressionProtocol) -> ArrayExpressionIn {
    ArrayExpressionIn(quantifier: .any, variable: BuiltExpression(variable))
  }

  /// All elements satisfy the condition; true for an empty array.
  public static func every(_ variable: any VariableExpressionProtocol) -> ArrayExpressionIn {
    ArrayExpressionIn(quantifier: .every, variable: BuiltExpression(variable))
  }

  /// All elements satisfy the condition, and there is at least one.
  public static func anyAndEvery(_ variable: any VariableExpressionProtocol) -> ArrayExpressionIn {
    ArrayExpressionIn(quantifier: .anyAndEvery, variable: BuiltExpression(variable))
  }
}

/// An ``ArrayExpression`` that does not have its array yet.
public struct ArrayExpressionIn: Sendable {
  fileprivate let quantifier: Quantifier
  fileprivate let variable: BuiltExpression

  /// Says which array, or dictionary, has the elements.
  public func `in`(_ expression: any ExpressionProtocol) -> ArrayExpressionSatisfies {
    ArrayExpressionSatisfies(quantifier: quantifier, variable: variable, array: BuiltExpression(expression))
  }
}

/// An ``ArrayExpression`` that does not have its condition yet.
public struct ArrayExpressionSatisfies: Sendable {
  fileprivate let quantifier: Quantifier
  fileprivate let variable: BuiltExpression
  fileprivate let array: BuiltExpression

  /// Says what the elements must satisfy; the variable stands for each of them.
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
