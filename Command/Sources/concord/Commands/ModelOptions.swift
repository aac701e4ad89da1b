public import ArgumentParser
public import Concordance

/// Options that select a ranking model and its parameters, for searches and for the definition of an index.
struct ModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The ranking model: bm25, dirichlet, jelinek-mercer, dph, pl2 or sdm; by default that of the index.",
      valueName: "name"))
  var model: RankingModel?

  @Option(help: ArgumentHelp("The prior of dirichlet and sdm, 0.001 to 1000000, by default 1000.", valueName: "number"))
  var mu: Double?

  @Option(
    help: ArgumentHelp(
      "The weight of the collection in jelinek-mercer, 0.001 to 0.999, by default 0.4.", valueName: "number"))
  var lambda: Double?

  @Option(
    name: .customLong("c"),
    help: ArgumentHelp(
      "The length normalization of pl2: the higher, the less a document's length lowers its score; 0.001 to 1000, by "
        + "default 1.",
      valueName: "number"))
  var c: Double?

  func validate() throws {
    let given: [(option: String, value: Double?, parameter: RankingModel.Parameter)] = [
      ("--mu", mu, .mu), ("--lambda", lambda, .lambda), ("--c", c, .c),
    ]
    for (option, value, parameter) in given {
      guard let value else { continue }
      guard let model, model.with(parameter, value) != nil else {
        throw ValidationError("\(option) requires --model \(parameter.models.joined(separator: " or ")).")
      }
    }
  }

  /// The model with its parameters; nil if none was given.
  var rankingModel: RankingModel? {
    let given: [(RankingModel.Parameter, Double?)] = [(.mu, mu), (.lambda, lambda), (.c, c)]
    return model.map { model in
      given.reduce(model) { model, given in given.1.flatMap { model.with(given.0, $0) } ?? model }
    }
  }
}

extension RankingModel {
  /// The parameters of the model that options set, as a sentence.
  var parametersText: String {
    var names = ["mu", "lambda", "c"].filter { name in
      Parameter(rawValue: name).map { with($0, 1) != nil } ?? false
    }
    if self == .bm25 { names = ["k1", "b"] }
    return names.isEmpty
      ? "The model \(name) has no parameters." : "The parameters of \(name): \(names.joined(separator: ", "))."
  }
}

extension RankingModel: @retroactive ExpressibleByArgument {
  public init?(argument: String) { self.init(name: argument) }

  public static var allValueStrings: [String] { all.map(\.name) }
}
