import Foundation

/// The formulas of pseudo-relevance feedback, which measure how typical a word is of the top hits.
public enum FeedbackModel: String, Hashable, Sendable, CaseIterable {
  /// RM3, the relevance model of Lavrenko and Croft, "Relevance-Based Language Models" (2001), mixed with the query as
  /// in Abdul-Jaleel et al., "UMass at TREC 2004: Novelty and HARD" (2004):
  ///
  /// ```
  /// m(w) = Σ_D  P(w|D) · P(Q|D) / Σ P(Q|D')        P(w|D) = frequency(w, D) / length(D)
  /// ```
  ///
  /// P(Q|D) is exp(score(D)): a BM25 score is a sum of log odds, just as the logarithm of a query likelihood is a sum
  /// of log probabilities. Therefore one document with a much higher score than the others determines most of the
  /// model. The norm is the sum of the weights.
  case rm3
  /// Bo1 (Bose-Einstein statistics) of Amati, "Probability Models for Information Retrieval Based on Divergence from
  /// Randomness" (2003):
  ///
  /// ```
  /// m(w) = f · log₂((1 + P) / P) + log₂(1 + P)      P = collection frequency / number of documents
  /// ```
  ///
  /// where f is the total frequency in the top hits. The norm is the maximum weight.
  case bo1
  /// Rocchio, "Relevance Feedback in Information Retrieval" (1971), without nonrelevant documents: the mean of the
  /// documents' term frequency vectors, each scaled to length 1. The norm is the Euclidean length.
  case rocchio

  /// The number of words for which Bo1 reads collection frequencies: the most frequent words of the top hits. If the
  /// documents are very long, reading the collection frequencies of all words would take longer than the search.
  private static let bo1CandidateCount = 500

  /// Returns the norm of the words' weights, or 1 if the norm is 0.
  func norm(_ weights: [Double]) -> Double {
    let norm =
      switch self {
      case .rm3: weights.reduce(0, +)
      case .bo1: weights.max() ?? 0
      case .rocchio: weights.reduce(0) { $0 + $1 * $1 }.squareRoot()
      }
    return norm > 0 ? norm : 1
  }

  /// Returns the best words with normalized weights, best first.
  func bestTerms(
    of documents: [FeedbackDocument], count: Int, _ statistics: TermStatistics
  ) throws -> [(term: QueriedTerm, weight: Double)] {
    var best: [(term: QueriedTerm, weight: Double)] = []
    for (term, weight) in try candidates(documents, statistics) {
      if best.count == count { break }
      let frequency = try statistics.documentFrequency(of: term.match)
      if 2 * frequency <= statistics.documentCount, statistics.isDiscriminative(documentFrequency: frequency) {
        best.append((term, weight))
      }
    }
    let norm = norm(best.map(\.weight))
    return best.map { ($0.term, $0.weight / norm) }
  }

  /// Returns the words of the documents with their weights, best first.
  private func candidates(
    _ documents: [FeedbackDocument], _ statistics: TermStatistics
  ) throws -> [(term: QueriedTerm, weight: Double)] {
    switch self {
    case .rm3:
      // The common factor exp(highest) is omitted because it can overflow, or underflow if all scores are negative.
      let highest = documents.map(\.score).max() ?? 0
      let likelihoods = documents.map { exp($0.score - highest) }
      let sum = likelihoods.reduce(0, +)
      return zip(documents, likelihoods).weights { document, likelihood in
        likelihood / sum / Double(document.terms.length)
      }
    case .rocchio:
      return zip(documents, documents).weights { document, _ in
        1 / document.terms.counts.values.reduce(0) { $0 + Double($1 * $1) }.squareRoot()
      }
    case .bo1:
      let frequent = zip(documents, documents).weights { _, _ in 1 }.prefix(FeedbackModel.bo1CandidateCount)
      let weighted = try frequent.map { term, frequency in
        let expected = try Double(max(1, statistics.collectionFrequency(of: term))) / Double(statistics.documentCount)
        return (term: term, weight: frequency * log2((1 + expected) / expected) + log2(1 + expected))
      }
      return weighted.sorted { ($0.weight, $1.term.text) > ($1.weight, $0.term.text) }
    }
  }
}

/// A document that is assumed to be relevant.
struct FeedbackDocument {
  let terms: TermCounts
  /// Its score for the original query.
  let score: Double
}

extension Sequence {
  /// Returns the sums of the documents' term frequencies, multiplied by a factor for each document, highest first.
  fileprivate func weights<Second>(
    _ factor: (FeedbackDocument, Second) -> Double
  ) -> [(term: QueriedTerm, weight: Double)] where Element == (FeedbackDocument, Second) {
    var weights: [QueriedTerm: Double] = [:]
    for (document, second) in self {
      let factor = factor(document, second)
      for (term, count) in document.terms.counts { weights[term, default: 0] += Double(count) * factor }
    }
    return weights.sorted { ($0.value, $1.key.text) > ($1.value, $0.key.text) }.map { ($0.key, $0.value) }
  }
}
