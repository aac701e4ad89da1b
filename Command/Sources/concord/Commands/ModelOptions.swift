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
    if let model { try refuseMissingParameters(of: [model]) }
  }

  /// The parameters that were given.
  var parameters: [(parameter: RankingModel.Parameter, value: Double)] {
    [(RankingModel.Parameter.mu, mu), (.lambda, lambda), (.c, c)].compactMap { parameter, value in
      value.map { (parameter, $0) }
    }
  }

  /// The model with its parameters; nil if none was given.
  var rankingModel: RankingModel? { model.map { applied(to: $0) } }

  /// Returns a model with those of the given parameters that it has.
  func applied(to model: RankingModel) -> RankingModel {
    parameters.reduce(model) { $0.with($1.parameter, $1.value) ?? $0 }
  }

  /// Rejects parameters that none of the models has.
  ///
  /// - Throws: `ValidationError`.
  func refuseMissingParameters(of models: [RankingModel]) throws {
    for (parameter, value) in parameters where models.allSatisfy({ $0.with(parameter, value) == nil }) {
      throw ValidationError.missing(parameter.rawValue, of: parameter.models, in: models)
    }
  }
}

extension ValidationError {
  /// An error for a parameter that none of the models of a search or an index has.
  ///
  /// - Parameters:
  ///   - parameter: the name of the parameter.
  ///   - owners: the names of the models that have it.
  ///   - models: the models.
  static func missing(_ parameter: String, of owners: [String], in models: [RankingModel]) -> ValidationError {
    var names = Set<String>()
    let texts = models.filter { names.insert($0.name).inserted }.map(\.parametersText)
    return ValidationError(
      "--\(parameter) is a parameter of \(owners.joined(separator: " and ")). " + texts.joined(separator: " "))
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
