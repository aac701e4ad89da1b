import ArgumentParser
import Concordance

/// Options of `concord search` that combine several searches.
struct FusionOptions: ParsableArguments {
  @Option(
    name: .customLong("fuse"),
    help: ArgumentHelp(
      "Combine the hits of several searches: rrf, sum or mnz. Each argument is a query.", valueName: "method"))
  var method: FusionMethod?

  @Option(
    name: .customLong("fuse-models"),
    help: ArgumentHelp("Combine these ranking models, separated by commas, for one query.", valueName: "names"),
    transform: ModelList.init(parsing:))
  var models: ModelList?

  @Option(
    name: .customLong("fuse-weights"),
    help: ArgumentHelp("The weights of the searches, separated by commas.", valueName: "numbers"),
    transform: NumberList.init(parsing:))
  var weights: NumberList?

  func validate() throws {
    guard method == nil else { return }
    for (name, isGiven) in [("--fuse-models", models != nil), ("--fuse-weights", weights != nil)] where isGiven {
      throw ValidationError("\(name) requires --fuse.")
    }
  }

  /// Returns the searches to combine.
  ///
  /// - Parameters:
  ///   - request: the options of all searches.
  ///   - queries: the arguments of the command.
  ///   - parameters: the parameters of the models. Each applies to the models that have it.
  func requests(_ request: SearchRequest, queries: [String], _ parameters: ModelOptions) -> [SearchRequest] {
    guard let models else {
      return queries.map { query in
        var request = request
        request.query = query
        return request
      }
    }
    return models.models.map { model in
      var request = request
      request.model = parameters.applied(to: model)
      return request
    }
  }
}

/// Ranking models as an argument: `bm25,dph`.
struct ModelList {
  let models: [RankingModel]

  /// - Throws: `ValidationError` for an unknown name, or if there are none.
  init(parsing argument: String) throws {
    let known = RankingModel.all.map(\.name).joined(separator: ", ")
    models = try argument.split(separator: ",").map { name in
      guard let model = RankingModel(name: String(name)) else {
        throw ValidationError("\"\(name)\" is not a ranking model. The models are \(known).")
      }
      return model
    }
    if models.isEmpty { throw ValidationError("Name at least one ranking model: \(known).") }
  }
}
