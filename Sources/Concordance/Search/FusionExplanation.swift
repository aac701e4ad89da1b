public import Relevance
public import TextIndex

/// How the score of a hit was combined from several searches; see
/// ``Collection/search(fusing:by:weights:limit:depth:)``.
///
/// ```swift
/// for part in hit.fusion?.parts ?? [] {
///   print(part.search, part.rank, part.normalizedScore, part.weight)
/// }
/// ```
public struct FusionExplanation: Sendable {
  /// The contribution of a search that found the document.
  public struct Part: Sendable {
    /// The index of the search in the array of requests.
    public let search: Int
    /// The position of the document among the hits of the search, from 1.
    public let rank: Int
    /// The score of the document in the search.
    public let score: Double
    /// The reciprocal rank, 1 / (k + rank), or the normalized score, from 0 to 1.
    public let normalizedScore: Double
    /// The factor of the search.
    public let weight: Double
    /// The score of the search term by term; nil if ``SearchRequest/explains`` is not set in its request, or if FTS5
    /// ranked the document.
    public let explanation: ScoreExplanation?

    /// The summand of the combined score: ``normalizedScore`` times ``weight``.
    public var summand: Double { weight * normalizedScore }
  }

  /// The method of the combination.
  public let method: RunFusion
  /// The combined score: the sum of the summands of ``parts``, with ``RunFusion/scoreSumTimesCount`` multiplied by
  /// their number.
  public let score: Double
  /// The contributions of the searches that found the document, in the order of the requests.
  public let parts: [Part]
}
