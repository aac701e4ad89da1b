import Concordance

/// The parameters of a search request that select a ranking model and its numbers.
struct RankingParameters {
  private static let numbers: KeyValuePairs<String, String> = [
    "k1": "BM25's k1, by default that of the index.", "b": "BM25's b, by default that of the index.",
    "mu": "The prior of dirichlet and sdm.", "lambda": "The weight of the collection in jelinek-mercer.",
    "c": "The length normalization of pl2.",
  ]
  private static let modelSchema = JSONSchema.choice(RankingModel.all.map(\.name))

  static let parameters: [Endpoint.Parameter] =
    [.init(name: "model", schema: modelSchema, summary: "The ranking model, by default that of the index.")]
    + numbers.map { .init(name: $0.key, schema: .number, summary: $0.value) }

  static let bodyMembers: [(key: String, value: JSONSchema)] =
    [("model", modelSchema)] + numbers.map { ($0.key, .number) }

  /// Sets the ranking of a request.
  ///
  /// - Parameters:
  ///   - name: the name of the model; nil if none was given.
  ///   - number: returns the number with a name; nil if it was not given.
  /// - Throws: ``Problem`` for an unknown model, or a number that the model does not have.
  static func apply(to request: inout SearchRequest, model name: String?, number: (String) throws -> Double?) throws {
    request.k1 = try number("k1")
    request.b = try number("b")
    if let name {
      guard let model = RankingModel(name: name) else {
        let names = RankingModel.all.map(\.name).joined(separator: ", ")
        throw Problem.invalidParameter("model", "expected one of \(names), not \"\(name.prefix(40))\"")
      }
      request.model = model
    }
    for parameter in RankingModel.Parameter.allCases {
      guard let value = try number(parameter.rawValue) else { continue }
      guard let model = request.model?.with(parameter, value) else {
        throw Problem.invalidParameter(
          parameter.rawValue, "requires the model \(parameter.models.joined(separator: " or "))")
      }
      request.model = model
    }
  }
}
