import Foundation

/// Computes the scores of the postings of one term with a ``RankingModel``.
///
/// A score is the product of ``factor``, which is the same for all documents, and the posting's part. Loops call it for
/// every posting, so it refers to its scorer without updating reference counts: the owner of a term scorer must also
/// keep the ``Scorer`` alive. (An `unowned(unsafe)` reference does update them.) BM25 is inlined. The other models are
/// called without dynamic dispatch; the call takes less time than their logarithms.
struct TermScorer {
  /// The weight of the term in the query; with BM25, multiplied by the idf.
  let factor: Double
  private let scorer: Unmanaged<Scorer>
  private let formula: TermFormula

  /// - Parameters:
  ///   - statistics: the postings from which the document frequency and the collection frequency are computed.
  ///   - weight: the weight of the term in the query.
  init(_ scorer: Scorer, _ statistics: Postings, weight: Double) {
    self.scorer = .passUnretained(scorer)
    formula = TermFormula(scorer, statistics)
    if case .bm25 = formula {
      factor = weight * scorer.idf(documentFrequency: statistics.count)
    } else {
      factor = weight
    }
  }

  /// Returns the score of a posting. It is never negative zero, which would mean that the document does not match; see
  /// ``WindowedSearch/unmatched``.
  @inline(__always)
  func callAsFunction(_ row: UInt32, _ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    if case .bm25 = formula { return factor * scorer._withUnsafeGuaranteedRef { $0.saturation(row, code, overflow) } }
    // The product of a very small weight and a negative part may be rounded to negative zero; the sum with 0 is 0.
    return factor * modelPart(row, code, overflow) + 0.0
  }

  /// Returns the part of a posting's score that depends on the document.
  @inline(__always)
  func part(_ row: UInt32, _ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    if case .bm25 = formula { return scorer._withUnsafeGuaranteedRef { $0.saturation(row, code, overflow) } }
    return modelPart(row, code, overflow)
  }

  /// Returns a number that is not lower than the part plus the document's length part, of which a score contains at
  /// least one for each matching term; see ``Scorer/lengthPart(_:)``.
  @inline(__always)
  func bound(_ row: UInt32, _ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    if case .bm25 = formula { return scorer._withUnsafeGuaranteedRef { $0.saturation(row, code, overflow) } }
    return modelPart(row, code, overflow) + scorer._withUnsafeGuaranteedRef { $0.lengthPart(row) }
  }

  @inline(never)
  private func modelPart(_ row: UInt32, _ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    scorer._withUnsafeGuaranteedRef {
      formula.part(frequency: $0.weightedFrequency(code, overflow), length: $0.weightedLength(row))
    }
  }
}

/// The formula of a term's score as a function of the frequency and the length of a document, with constants computed
/// from the frequencies in the collection. See ``RankingModel``.
enum TermFormula {
  case bm25
  /// `scale` is 1 / (mu · P).
  case dirichlet(scale: Double)
  /// `scale` is (1 − lambda) / (lambda · P).
  case jelinekMercer(scale: Double)
  /// `scale` is a · N / F.
  case dph(scale: Double)
  /// `spread` is c · a, and `mean` is F / N.
  case pl2(spread: Double, mean: Double)

  init(_ scorer: Scorer, _ statistics: Postings) {
    let model = scorer.ranking.model
    if case .bm25 = model {
      self = .bm25
      return
    }
    let frequency = max(scorer.collectionFrequency(statistics), .leastNormalMagnitude)
    let count = Double(max(1, scorer.documentCount))
    switch model {
    case .bm25: self = .bm25
    case .dirichlet(let mu): self = .dirichlet(scale: scorer.collectionLength / (mu * frequency))
    case .sequentialDependence(let dependence):
      self = .dirichlet(scale: scorer.collectionLength / (dependence.mu * frequency))
    case .jelinekMercer(let lambda):
      self = .jelinekMercer(scale: (1 - lambda) * scorer.collectionLength / (lambda * frequency))
    case .dph: self = .dph(scale: scorer.averageLength * count / frequency)
    case .pl2(let c): self = .pl2(spread: c * scorer.averageLength, mean: frequency / count)
    }
  }

  /// Returns the score of a document for the term, for a weight of 1 in the query.
  func part(frequency: Double, length: Double) -> Double {
    switch self {
    case .bm25: return 0
    case .dirichlet(let scale): return log1p(frequency * scale)
    case .jelinekMercer(let scale): return log1p(frequency * scale / max(length, frequency))
    case .dph(let scale):
      let share = min(frequency / max(length, frequency), 1)
      // The limit for a document that consists of the term alone is 0, although the logarithm is infinite.
      guard share < 1 else { return 0 }
      let information = frequency * log2(share * scale) + 0.5 * log2(2 * .pi * frequency * (1 - share))
      return (1 - share) * (1 - share) / (frequency + 1) * information
    case .pl2(let spread, let mean):
      let normalized = frequency * log2(1 + spread / max(length, frequency))
      let information =
        normalized * log2(normalized / mean) + (mean - normalized) * TermFormula.log2e
        + 0.5 * log2(2 * .pi * normalized)
      return information / (normalized + 1)
    }
  }

  private static let log2e = log2(M_E)
}

extension TermScorer {
  /// Returns the lowest and the highest score of the postings.
  func range(_ postings: Postings) -> ClosedRange<Double> {
    var (lowest, highest) = (0.0, 0.0)
    for number in 0..<postings.count {
      let score = self(postings.rows[number], postings.frequencies[number], postings.overflow)
      (lowest, highest) = (min(lowest, score), max(highest, score))
    }
    return lowest...highest
  }
}
