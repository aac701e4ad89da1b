import TextIndex

/// Pseudo-relevance feedback: the search is run again with terms added that are typical of its best hits.
///
/// It finds documents that express the same in other words, and helps most with queries that describe a subject. If the
/// best hits are not relevant, it may lead away from the subject. It implements RM3, see Lavrenko and Croft,
/// "Relevance-Based Language Models" (2001), and Abdul-Jaleel et al., "UMass at TREC 2004" (2004), with the usual
/// parameters.
///
/// ```swift
/// var request = SearchRequest("heat transfer at high speed")
/// request.feedback = RelevanceFeedback()
/// ```
public struct RelevanceFeedback: Hashable, Sendable {
  /// The number of best hits that are assumed to be relevant, from 1 to 100.
  public var documentCount = 10
  /// The number of terms that are added, from 0 to 100.
  public var termCount = 10
  /// The weight of the terms of the query, from 0 to 1; the added terms have the rest.
  public var originalWeight = 0.5

  /// Creates the usual parameters: ten documents, ten terms, weight 0.5.
  public init() {}

  /// The settings of the model.
  ///
  /// - Throws: ``CBLError/invalidParameter`` for a number out of its range.
  func settings() throws -> RelevanceModel.Settings {
    guard (1...100).contains(documentCount), (0...100).contains(termCount), (0...1).contains(originalWeight) else {
      throw CBLError(
        CBLError.invalidParameter,
        "feedback takes 1 to 100 documents, 0 to 100 words and a weight from 0 to 1, not \(documentCount), \(termCount) "
          + "and \(originalWeight)")
    }
    var settings = RelevanceModel.Settings()
    settings.documentCount = documentCount
    settings.termCount = termCount
    settings.originalWeight = originalWeight
    return settings
  }
}
