import Concordance

/// The parameters of a search request that select the matches, a ranking model and its numbers.
struct RankingParameters {
  private static let numbers: KeyValuePairs<String, String> = [
    "k1": "BM25's k1, by default that of the index.", "b": "BM25's b, by default that of the index.",
    "mu": "The prior of dirichlet and sdm.", "lambda": "The weight of the collection in jelinek-mercer.",
    "c": "The length normalization of pl2.",
  ]
  private static let modelSchema = JSONSchema.choice(RankingModel.all.map(\.name))

  private static let matchSchema = JSONSchema.choice(SearchRequest.Matching.allCases.map(\.rawValue))

  static let parameters: [Endpoint.Parameter] =
    [
      .init(
        name: "match", schema: matchSchema,
        summary: "Whether hits contain all words of the query, or any of them; all by default."),
      .init(name: "model", schema: modelSchema, summary: "The ranking model, by default that of the index."),
    ] + numbers.map { .init(name: $0.key, schema: .number, summary: $0.value) }

  static let bodyMembers: [(key: String, value: JSONSchema)] =
    [("match", matchSchema), ("model", modelSchema)] + numbers.map { ($0.key, .number) }

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
    if let model = request.model { try refuseMissingParameters(of: request, in: model) }
  }

  /// Sets which documents match the words of a request.
  ///
  /// - Throws: ``Problem`` for an unknown name, or for `any` with a query in FTS5's syntax, which has operators for
  ///   this.
  static func apply(to request: inout SearchRequest, match name: String?) throws {
    guard let name else { return }
    guard let matching = SearchRequest.Matching(rawValue: name) else {
      throw Problem.invalidParameter("match", "expected all or any, not \"\(name.prefix(40))\"")
    }
    guard matching == .all || request.syntax == .box else {
      throw Problem.invalidParameter("match", "in FTS5 syntax, write OR between the words")
    }
    request.matching = matching
  }

  /// Throws if a request without a model sets a parameter of BM25, and the index has another model.
  static func check(_ request: SearchRequest, in collection: Collection) throws {
    guard request.model == nil, request.k1 != nil || request.b != nil else { return }
    let index = try collection.searchedIndexDescription(named: request.index)
    try refuseMissingParameters(of: request, in: index.configuration.model)
  }

  private static func refuseMissingParameters(of request: SearchRequest, in model: RankingModel) throws {
    for (name, value) in [("k1", request.k1), ("b", request.b)] where value != nil && model != .bm25 {
      throw Problem.invalidParameter(name, "requires the model bm25, not \(model.name)")
    }
  }
}
