import Foundation

/// Computes the scores of postings in a state of an index with a ``Ranking``.
///
/// `@unchecked Sendable`: no lock is needed because the object is immutable.
package final class Scorer: @unchecked Sendable {
  package let ranking: ResolvedRanking
  private let k1: Double
  private let columnCount: Int
  /// The number of documents.
  let documentCount: Int
  /// The mean length of all fields together, for FTS5's formula.
  private let averageTotal: Double
  private let averages: [Double]
  /// The sum of the weighted lengths of all documents, and their mean; see ``RankingModel``.
  let collectionLength: Double
  let averageLength: Double
  /// The parameter mu of Dirichlet smoothing; nil if a score has no summand for the length of the document.
  private let prior: Double?
  // Copies in flat memory: array accesses would check bounds and update reference counts for every hit.
  private let columns: UnsafeMutablePointer<LengthColumn>
  private let factors: UnsafeMutablePointer<Double>
  private let owner: any DocumentLengthSource

  /// The number of lengths whose factors are precomputed.
  private static let factorCount = 1024

  package init(_ lengths: any DocumentLengthSource, _ totals: IndexTotals, _ ranking: ResolvedRanking) {
    self.ranking = ranking
    owner = lengths
    k1 = ranking.k1
    columnCount = ranking.weights.count
    documentCount = Int(totals.rowCount)
    let count = max(1, Double(documentCount))
    averages = totals.tokenCounts.map { Double(max(1, $0)) / count }
    averageTotal = Double(max(1, totals.tokenCounts.reduce(0, &+))) / count
    collectionLength = zip(ranking.weights, totals.tokenCounts).reduce(0) { $0 + $1.0 * Double(max(1, $1.1)) }
    averageLength = collectionLength / count
    prior = ranking.model.mu
    columns = .allocate(capacity: columnCount)
    for column in 0..<columnCount { (columns + column).initialize(to: lengths.column(column)) }
    factors = .allocate(capacity: columnCount * Scorer.factorCount)
    for column in 0..<columnCount {
      for length in 0..<Scorer.factorCount {
        factors[column * Scorer.factorCount + length] = computedFactor(column, UInt32(length))
      }
    }
  }

  deinit {
    columns.deallocate()
    factors.deallocate()
  }

  /// Returns the idf of a term with this document frequency, the factor of a score that is the same for all documents.
  func idf(documentFrequency: Int) -> Double {
    switch ranking.formula {
    case .bm25f: return Scorer.idf(documentFrequency: documentFrequency, documentCount: documentCount)
    case .fts5:
      let idf = log(Scorer.odds(documentFrequency: documentFrequency, documentCount: documentCount))
      return idf > 0 ? idf : 1e-6
    }
  }

  /// The supremum of the saturation, which no frequency reaches.
  var maximumSaturation: Double { k1 + 1 }

  /// Returns the idf by the formula ``Ranking/Formula/bm25f``, regardless of the ranking.
  static func idf(documentFrequency: Int, documentCount: Int) -> Double {
    log(1 + max(0, odds(documentFrequency: documentFrequency, documentCount: documentCount)))
  }

  /// Returns the number of documents without the term divided by the number of documents with it.
  private static func odds(documentFrequency: Int, documentCount: Int) -> Double {
    let frequency = Double(documentFrequency)
    return (Double(documentCount) - frequency + 0.5) / (frequency + 0.5)
  }

  /// Returns the factor of a score that depends on the document, from 0 to k1 + 1. The score is its product with the
  /// idf.
  @inline(__always)
  func saturation(_ row: UInt32, _ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    guard ranking.formula == .bm25f else { return totalSaturation(row, code, overflow) }
    return saturation(ofFrequency: frequency(row, code, overflow))
  }

  /// Returns the saturation of a frequency f (see ``Ranking``); it increases with f.
  @inline(__always)
  func saturation(ofFrequency frequency: Double) -> Double { frequency * (k1 + 1) / (k1 + frequency) }

  /// Returns the frequency f of a posting, weighted and normalized; see ``Ranking``.
  @inline(__always)
  package func frequency(_ row: UInt32, _ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    if code & Frequencies.overflowFlag == 0 { return Double(code & 0xFFFF) * factor(Int(code >> 16), row) }
    var frequency = 0.0
    Frequencies.forEach(code, overflow) { column, count in frequency += Double(count) * factor(column, row) }
    return frequency
  }

  /// The parameters on which frequencies depend.
  package var normalization: LengthNormalization {
    LengthNormalization(b: ranking.b, weights: ranking.weights, averages: averages)
  }

  /// Returns the saturation by FTS5's formula, with the total length of the document.
  @inline(never)
  private func totalSaturation(_ row: UInt32, _ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    let frequency = weightedFrequency(code, overflow)
    var length = 0.0
    for column in 0..<columnCount { length += Double(columns[column](row)) }
    return frequency * (k1 + 1) / (frequency + k1 * (1 - ranking.b + ranking.b * length / averageTotal))
  }

  /// Returns the sum of the frequencies of a posting, multiplied by the weights of their fields.
  @inline(__always)
  func weightedFrequency(_ code: UInt32, _ overflow: UnsafePointer<UInt32>) -> Double {
    var frequency = 0.0
    Frequencies.forEach(code, overflow) { column, count in frequency += Double(count) * ranking.weights[column] }
    return frequency
  }

  /// Returns the sum of the lengths of a document's fields, multiplied by their weights.
  @inline(__always)
  func weightedLength(_ row: UInt32) -> Double {
    var length = 0.0
    for column in 0..<columnCount { length += Double(columns[column](row)) * ranking.weights[column] }
    return length
  }

  /// Returns the frequency of a term in all documents, weighted like ``weightedFrequency(_:_:)``.
  ///
  /// - Complexity: O(n) in the number of postings the first time.
  func collectionFrequency(_ postings: Postings) -> Double {
    zip(ranking.weights, postings.collectionFrequencies(columnCount: columnCount))
      .reduce(0) { $0 + $1.0 * Double($1.1) }
  }

  /// Whether the scores of documents contain a multiple of ``lengthPart(_:)``.
  var hasLengthPart: Bool { prior != nil }

  /// Returns the summand of a score for the length of a document, for a query whose terms have the weight 1 in total:
  /// ln(mu / (mu + length)), or 0 if the model has none. It is never positive.
  func lengthPart(_ row: UInt32) -> Double {
    guard let prior else { return 0 }
    return log(prior / (prior + weightedLength(row)))
  }

  /// Returns whether a document has any term; a document that is not in the index has none.
  @inline(__always)
  func hasLength(_ row: UInt32) -> Bool {
    for column in 0..<columnCount where columns[column](row) != 0 { return true }
    return false
  }

  /// Returns the length of a column of a document, the mean length of the column, and the factor of frequencies in it.
  func norm(_ column: Int, _ row: UInt32) -> (length: UInt32, average: Double, factor: Double) {
    (columns[column](row), averages[column], factor(column, row))
  }

  @inline(__always)
  private func factor(_ column: Int, _ row: UInt32) -> Double {
    let length = columns[column](row)
    return length < Scorer.factorCount
      ? factors[column * Scorer.factorCount + Int(length)] : computedFactor(column, length)
  }

  private func computedFactor(_ column: Int, _ length: UInt32) -> Double {
    ranking.weights[column] / max(1e-9, 1 - ranking.b + ranking.b * Double(length) / averages[column])
  }
}
