import QueryModel

/// The output of a model, created by ``Function/prediction(model:input:)``.
public protocol PredictionFunction: ExpressionProtocol {
  /// Returns the property of the output at a path: `label`, `boxes[0].label`.
  ///
  /// - Parameter property: the path.
  func property(_ property: String) -> any ExpressionProtocol
}

extension Function {
  /// `PREDICTION(model, input)`: the output of a model for a dictionary. See ``PredictiveModel``.
  ///
  /// ```swift
  /// let input = Expression.dictionary(["photo": Expression.property("photo")])
  /// let label = Function.prediction(model: "ImageClassifier", input: input).property("label")
  /// // PREDICTION('ImageClassifier', {'photo': photo}, 'label')
  /// ```
  ///
  /// It is MISSING if the model returns nil, or if the input is MISSING or null. Running the query throws
  /// ``CBLError/invalidQuery`` if a row needs a model that is not registered, or if the input is not a dictionary.
  ///
  /// - Parameters:
  ///   - model: the name of the model.
  ///   - input: the dictionary that the model receives.
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
