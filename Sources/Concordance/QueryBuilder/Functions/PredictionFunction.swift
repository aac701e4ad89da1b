import QueryModel

/// The output of a model, made by ``Function/prediction(model:input:)``.
public protocol PredictionFunction: ExpressionProtocol {
  /// A property of the output, as a path: `label`, `boxes[0].label`.
  func property(_ property: String) -> any ExpressionProtocol
}

extension Function {
  /// `PREDICTION(model, input)`: what a model makes of a dictionary. See ``PredictiveModel``.
  ///
  /// ```swift
  /// let input = Expression.dictionary(["photo": Expression.property("photo")])
  /// let label = Function.prediction(model: "ImageClassifier", input: input).property("label")
  /// // PREDICTION('ImageClassifier', {'photo': photo}, 'label')
  /// ```
  ///
  /// MISSING where the model returns nil, or the input is MISSING or null. The query fails with ``CBLError/invalidQuery`` where
  /// a row needs a model that is not registered, and for an input that is no dictionary.
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
