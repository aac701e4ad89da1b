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
    help: ArgumentHelp("Combine these ranking models, separated by commas, for one query.", valueName: "names"))
  var models: ModelList?

  @Option(
    name: .customLong("fuse-weights"),
    help: ArgumentHelp("The factors of the searches, separated by commas.", valueName: "numbers"))
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
  func requests(_ request: SearchRequest, queries: [String]) -> [SearchRequest] {
    guard let models else {
      return queries.map { query in
        var request = request
        request.query = query
        return request
      }
    }
    return models.models.map { model in
      var request = request
      request.model = model
      return request
    }
  }
}

/// Ranking models as an argument: `bm25,dph`.
struct ModelList: ExpressibleByArgument {
  let models: [RankingModel]

  init?(argument: String) {
    let names = argument.split(separator: ",").map(String.init)
    models = names.compactMap { RankingModel(name: $0) }
    if models.count != names.count || names.isEmpty { return nil }
  }
}
