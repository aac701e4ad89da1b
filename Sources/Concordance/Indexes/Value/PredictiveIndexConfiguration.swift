import QueryCompiler
import QueryModel

/// The definition of a predictive index in SQL++. See ``IndexBuilder/predictiveIndex(model:input:properties:)``.
///
/// ```swift
/// let config = PredictiveIndexConfiguration(
///   model: "ImageClassifier", input: "{'photo': photo}", properties: ["label"])
/// try photos.createIndex(withName: "labels", config: config)
/// ```
///
/// Not in Couchbase Lite, where only `IndexBuilder` creates such indexes.
public struct PredictiveIndexConfiguration: IndexConfiguration, Hashable, Codable {
  /// The name of the model.
  public let model: String
  /// The input of the model, an SQL++ expression that evaluates to an object.
  public let input: String
  /// The properties of the output that are also indexed by value.
  public let properties: [String]

  /// Creates the definition of a predictive index.
  ///
  /// - Parameters:
  ///   - model: the name of the model.
  ///   - input: the input of the model, an SQL++ expression that evaluates to an object.
  ///   - properties: paths of properties of the output, for conditions and sorting.
  public init(model: String, input: String, properties: [String] = []) {
    self.model = model
    self.input = input
    self.properties = properties
  }

  func definition() throws -> ValueIndexDefinition {
    let expression = try withPublicErrors { try SQLParser().parseExpression(input) }
    return try ValueIndexDefinition(model: model, input: expression, properties: properties)
  }

  /// Creates the configuration of a stored index; nil for an index of another kind.
  init?(_ definition: ValueIndexDefinition) {
    guard case .function(.prediction, let arguments, _)? = definition.prediction, arguments.count == 2,
      case .string(let model) = arguments[0]
    else { return nil }
    var properties: [String] = []
    for case .function(.prediction, let arguments, _) in definition.expressions {
      if case .string(let property)? = arguments.last { properties.append(property) }
    }
    self.init(model: model, input: SQLPrinter().text(of: arguments[1]), properties: properties)
  }
}
