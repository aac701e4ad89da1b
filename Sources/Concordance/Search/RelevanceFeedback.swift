import TextIndex

/// Pseudo-relevance feedback: the search is run again with words that are typical of its best hits added.
///
/// It finds documents that say the same in other words, and helps most with queries that describe a subject. It may lead away from
/// the subject where the best hits are no good. It is RM3, see Lavrenko and Croft, "Relevance-Based Language Models" (2001), and
/// Abdul-Jaleel et al., "UMass at TREC 2004" (2004), with the numbers that are usual for it.
///
/// ```swift
/// var request = SearchRequest("heat transfer at high speed")
/// request.feedback = RelevanceFeedback()
/// ```
public struct RelevanceFeedback: Hashable, Sendable {
  /// How many of the best hits are taken for relevant; from 1 to 100.
  public var documentCount = 10
  /// How many words are added; from 0 to 100.
  public var termCount = 10
  /// What the words of the query count together, from 0 to 1; those that are added count the rest.
  public var originalWeight = 0.5

  /// The usual numbers.
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
