import TextIndex

/// Pseudo-relevance feedback: the search runs again with additional terms that are typical of its best hits.
///
/// It finds documents that express the same idea in other words, and helps most with queries that describe a topic. If
/// the best hits are not relevant, the results may drift away from the topic.
///
/// ```swift
/// var request = SearchRequest("heat transfer at high speed")
/// request.feedback = RelevanceFeedback()
/// ```
///
/// The default model is RM3. The default parameters work well for it on several test collections.
public struct RelevanceFeedback: Hashable, Sendable {
  /// How the weights of the added terms are computed.
  public enum Model: String, Hashable, Sendable, CaseIterable {
    /// RM3: Lavrenko and Croft, "Relevance-Based Language Models" (2001), and Abdul-Jaleel et al., "UMass at TREC 2004"
    /// (2004). Terms are weighted by their probability in the best hits, and a hit by exp(score).
    case rm3
    /// Bo1: Amati, "Probability Models for Information Retrieval Based on Divergence from Randomness" (2003). Terms are
    /// weighted by how much more often they occur in the best hits than in all documents.
    case bo1
    /// Rocchio, "Relevance Feedback in Information Retrieval" (1971). Terms are weighted by the mean of the normalized
    /// term frequencies in the best hits.
    case rocchio
  }

  /// The model, RM3 by default.
  public var model = Model.rm3
  /// The number of best hits that are assumed to be relevant, from 1 to 100. 10 by default.
  public var documentCount = 10
  /// The number of terms that are added, from 0 to 100. 30 by default.
  public var termCount = 30
  /// The weight of the terms of the query, from 0 to 1; the added terms share the rest. 0.5 by default. The weights of
  /// each of the two groups are normalized first: by their sum for RM3, by their maximum for Bo1, by their Euclidean
  /// norm for Rocchio.
  public var originalWeight = 0.5

  /// Creates the default parameters: RM3, 10 documents, 30 terms, weight 0.5.
  public init() {}

  /// Creates the default parameters with a model: 10 documents, 30 terms, weight 0.5.
  ///
  /// - Parameter model: how the weights of the added terms are computed.
  public init(_ model: Model) { self.model = model }

  /// The settings of the model.
  ///
  /// - Throws: ``CBLError/invalidParameter`` for a number that is out of range.
  func settings() throws -> RelevanceModel.Settings {
    guard (1...100).contains(documentCount), (0...100).contains(termCount), (0...1).contains(originalWeight) else {
      throw CBLError(
        CBLError.invalidParameter,
        "feedback takes 1 to 100 documents, 0 to 100 words and a weight from 0 to 1, not \(documentCount), \(termCount) "
          + "and \(originalWeight)")
    }
    var settings = RelevanceModel.Settings()
    settings.model =
      switch model {
      case .rm3: .rm3
      case .bo1: .bo1
      case .rocchio: .rocchio
      }
    settings.documentCount = documentCount
    settings.termCount = termCount
    settings.originalWeight = originalWeight
    return settings
  }
}
