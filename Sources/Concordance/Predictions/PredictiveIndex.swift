import QueryCompiler
import QueryModel

/// An index over what a model says of documents, made by ``IndexBuilder/predictiveIndex(model:input:properties:)``.
///
/// `@unchecked Sendable`: it needs no lock, since its properties are constants.
public final class PredictiveIndex: Index, @unchecked Sendable {
  /// The name of the model.
  let model: String
  /// What the model is given.
  let input: QueryExpression
  /// The properties of the output that conditions are searched by.
  let properties: [String]
  /// What was wrong with the input. Creating the index throws it.
  let fault: CBLError?

  init(model: String, input: any ExpressionProtocol, properties: [String]) {
    let built = BuiltExpression(input)
    self.model = model
    self.input = built.model
    self.properties = properties
    fault = built.fault
  }

  func definition() throws -> ValueIndexDefinition {
    if let fault { throw fault }
    return try ValueIndexDefinition(model: model, input: input, properties: properties)
  }
}

extension IndexBuilder {
  /// An index that keeps what a model says of each document, so that queries do not ask it.
  ///
  /// ```swift
  /// let input = Expression.dictionary(["photo": Expression.property("photo")])
  /// let index = IndexBuilder.predictiveIndex(model: "ImageClassifier", input: input, properties: ["label"])
  /// try photos.createIndex(index, name: "labels")
  /// ```
  ///
  /// It serves every ``Function/prediction(model:input:)`` with the same model and the same input, wherever that stands in a
  /// query. The model is asked when a document is saved. Where that cannot be done, as in a process that does not have the
  /// model, the document is saved all the same, and the index is not used until it is complete again: see
  /// ``Prediction/registerModel(_:withName:)``.
  ///
  /// - Parameters:
  ///   - model: the name of the model.
  ///   - input: what the model is given, the same as in queries.
  ///   - properties: properties of the output, as paths. The index is also a value index over them, the first ones first:
  ///     conditions on them, groups and orders read no document. Nil or none: it only keeps the outputs.
  public static func predictiveIndex(
    model: String, input: any ExpressionProtocol, properties: [String]? = nil
  ) -> PredictiveIndex {
    PredictiveIndex(model: model, input: input, properties: properties ?? [])
  }
}
