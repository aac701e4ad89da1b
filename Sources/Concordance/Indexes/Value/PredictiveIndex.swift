import QueryCompiler
import QueryModel

/// The definition of an index on the outputs of a model, created by
/// ``IndexBuilder/predictiveIndex(model:input:properties:)``.
///
/// `@unchecked Sendable`: its properties are immutable, so it needs no lock.
public final class PredictiveIndex: Index, @unchecked Sendable {
  /// The name of the model.
  let model: String
  /// The input of the model.
  let input: QueryExpression
  /// The indexed properties of the output.
  let properties: [String]
  /// The error in the input. Creating the index throws it.
  let fault: CBLError?

  init(model: String, input: any ExpressionProtocol, properties: [String]) {
    let built = BuiltExpression(input)
    self.model = model
    self.input = built.model
    self.properties = properties
    fault = built.fault
  }

  override func storedDefinition() throws -> any StoredIndexDefinition {
    if let fault { throw fault }
    return try ValueIndexDefinition(model: model, input: input, properties: properties)
  }
}

extension IndexBuilder {
  /// Creates an index that stores the output of a model for each document, so that queries do not call the model.
  ///
  /// ```swift
  /// let input = Expression.dictionary(["photo": Expression.property("photo")])
  /// let index = IndexBuilder.predictiveIndex(model: "ImageClassifier", input: input, properties: ["label"])
  /// try photos.createIndex(index, name: "labels")
  /// ```
  ///
  /// Queries use the index for every ``Function/prediction(model:input:)`` with the same model and input. The model is
  /// called when a document is saved. If the model is not registered in the process, the document is saved anyway, and
  /// the index is not used until it is complete again; see ``Prediction/registerModel(_:withName:)``.
  ///
  /// - Parameters:
  ///   - model: the name of the model.
  ///   - input: the input of the model, the same as in queries.
  ///   - properties: paths of properties of the output. The index is also a value index on them, in this order:
  ///     conditions on them, and grouping and sorting by them, are evaluated without reading documents. If nil or
  ///     empty, the index only stores the outputs.
  public static func predictiveIndex(
    model: String, input: any ExpressionProtocol, properties: [String]? = nil
  ) -> PredictiveIndex {
    PredictiveIndex(model: model, input: input, properties: properties ?? [])
  }
}
