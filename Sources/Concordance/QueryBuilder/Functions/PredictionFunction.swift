import QueryModel

/// The output of a model, made by ``Function/prediction(model:input:)``.
public protocol PredictionFunction: ExpressionProtocol {
  /// A property of the output.
  func property(_ property: String) -> any ExpressionProtocol
}

extension Function {
  /// `PREDICTION(model, input)`: what a model that is registered with the database makes of a dictionary.
  ///
  /// ```swift
  /// let input = Expression.dictionary(["photo": Expression.property("photo")])
  /// let label = Function.prediction(model: "ImageClassifier", input: input).property("label")
  /// // PREDICTION('ImageClassifier', {'photo': photo}, 'label')
  /// ```
  public static func prediction(model: String, input: any ExpressionProtocol) -> any PredictionFunction {
    BuiltPrediction(model: Expression.string(model), input: input)
  }
}

private struct BuiltPrediction: PredictionFunction, BuilderExpression {
  let model: any ExpressionProtocol
  let input: any ExpressionProtocol

  var built: BuiltExpression { BuiltExpression(.prediction, model, input) }

  func property(_ property: String) -> any ExpressionProtocol {
    BuiltExpression(.prediction, model, input, Expression.string(property))
  }
}
