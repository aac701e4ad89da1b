public import ArgumentParser
public import Concordance

/// Options that determine the matches of a search and their scores.
struct RankingOptions: ParsableArguments {
  @OptionGroup
  var model: ModelOptions

  @Option(
    help: ArgumentHelp(
      "BM25's k1, how quickly repeated occurrences of a term stop raising the score: 0 to 1000, by default that of the "
        + "index.", valueName: "number"))
  var k1: Double?

  @Option(
    help: ArgumentHelp(
      "BM25's b, how much the length of a field lowers the score: 0 to 1, by default that of the index.",
      valueName: "number"))
  var b: Double?

  @Option(
    help: ArgumentHelp(
      "Find documents with all words of the query (all), or with any of them (any).", valueName: "all|any"))
  var match = SearchRequest.Matching.all

  @Flag(help: "Expand the query with typical words of its best hits.")
  var feedback = false

  @Option(help: ArgumentHelp("The model of --feedback: rm3 (default), bo1 or rocchio.", valueName: "name"))
  var feedbackModel: RelevanceFeedback.Model?

  @Option(
    help: ArgumentHelp(
      "The number of hits that --feedback assumes to be relevant, from 1 to 100. (default: 10)", valueName: "count"))
  var feedbackDocuments: Int?

  @Option(
    help: ArgumentHelp("The number of words that --feedback adds, from 0 to 100. (default: 30)", valueName: "count"))
  var feedbackTerms: Int?

  @Option(
    help: ArgumentHelp(
      "The weight of the query's words with --feedback, from 0 to 1. (default: 0.5)", valueName: "number"))
  var feedbackWeight: Double?

  func validate() throws {
    if let chosen = model.model { try refuseMissingParameters(of: [chosen]) }
    guard !feedback else { return }
    let given: [(name: String, isGiven: Bool)] = [
      ("--feedback-model", feedbackModel != nil), ("--feedback-documents", feedbackDocuments != nil),
      ("--feedback-terms", feedbackTerms != nil), ("--feedback-weight", feedbackWeight != nil),
    ]
    for option in given where option.isGiven { throw ValidationError("\(option.name) requires --feedback.") }
  }

  /// Rejects parameters that none of the models has.
  ///
  /// - Parameter models: the models of the search.
  /// - Throws: `ValidationError`.
  func refuseMissingParameters(of models: [RankingModel]) throws {
    for (name, value) in [("k1", k1), ("b", b)] where value != nil && !models.contains(.bm25) {
      throw ValidationError.missing(name, of: ["bm25"], in: models)
    }
    try model.refuseMissingParameters(of: models)
  }

  /// Rejects `--match any` for queries in FTS5's syntax, which has operators for this.
  func refuseMatch(in syntax: QuerySyntax) throws {
    guard syntax == .fts5, match == .any else { return }
    throw ValidationError("--match applies to search-box syntax; in FTS5 syntax, write OR between the words.")
  }

  /// Returns the model of a search, with its parameters; nil for that of the index without changes.
  ///
  /// - Parameters:
  ///   - index: the name of the index; nil for the only one.
  ///   - isNeeded: whether the model of the index is returned even if no parameter was given.
  /// - Throws: `ValidationError` for a parameter that the model does not have.
  func model(in collection: Collection, index: String?, isNeeded: Bool = false) throws -> RankingModel? {
    if let chosen = model.rankingModel { return chosen }
    guard isNeeded || k1 != nil || b != nil || !model.parameters.isEmpty else { return nil }
    guard let searched = try collection.searchedIndex(named: index) else { return nil }
    let own = searched.configuration.model
    try refuseMissingParameters(of: [own])
    return model.applied(to: own)
  }

  /// Applies the options to a request, except for the model.
  func apply(to request: inout SearchRequest) {
    request.matching = match
    request.k1 = k1
    request.b = b
    guard feedback else { return }
    var settings = RelevanceFeedback(feedbackModel ?? .rm3)
    settings.documentCount = feedbackDocuments ?? settings.documentCount
    settings.termCount = feedbackTerms ?? settings.termCount
    settings.originalWeight = feedbackWeight ?? settings.originalWeight
    request.feedback = settings
  }
}

extension SearchRequest.Matching: @retroactive ExpressibleByArgument {}

extension RelevanceFeedback.Model: @retroactive ExpressibleByArgument {}
