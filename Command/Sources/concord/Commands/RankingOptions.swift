public import ArgumentParser
public import Concordance

/// Options that determine the scores of a search.
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

  @Flag(help: "Expand the query with typical words of its best hits.")
  var feedback = false

  @Option(help: ArgumentHelp("The model of --feedback: rm3 (default), bo1 or rocchio.", valueName: "name"))
  var feedbackModel: RelevanceFeedback.Model?

  @Option(help: ArgumentHelp("The number of hits that --feedback assumes to be relevant.", valueName: "count"))
  var feedbackDocuments: Int?

  @Option(help: ArgumentHelp("The number of words that --feedback adds.", valueName: "count"))
  var feedbackTerms: Int?

  @Option(help: ArgumentHelp("The weight of the query's words with --feedback, from 0 to 1.", valueName: "number"))
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
      throw ValidationError(
        "--\(name) is a parameter of bm25. " + models.map(\.parametersText).joined(separator: " "))
    }
  }

  /// Applies the options to a request.
  func apply(to request: inout SearchRequest) {
    request.model = model.rankingModel
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

extension RelevanceFeedback.Model: @retroactive ExpressibleByArgument {}
