import Foundation

/// The effectiveness measures of a query's hits, or their means over many queries. The definitions are those of
/// trec_eval 9, <https://github.com/usnistgov/trec_eval>, whose names are given in parentheses.
///
/// A document is relevant if its grade is at least 1 (trec_eval's `-l 1`). Unjudged documents count as nonrelevant.
public struct Effectiveness: Hashable, Sendable {
  /// AP (`map`): the sum of the precisions at the ranks of the relevant documents found, divided by the number of
  /// relevant documents. See Buckley and Voorhees, "Evaluating Evaluation Measure Stability" (2000).
  public var averagePrecision = 0.0
  /// nDCG@10 (`ndcg_cut_10`): Σ grade(i) / log2(i + 1) over the ranks i from 1 to 10, divided by the same sum for the
  /// best possible order of all judged documents. The gain is the grade; negative grades have no gain. See Järvelin and
  /// Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques" (2002).
  public var normalizedDiscountedCumulativeGain10 = 0.0
  /// P@10 (`P_10`): the number of relevant documents among the first 10, divided by 10, even if fewer were found.
  public var precision10 = 0.0
  /// P@30 (`P_30`).
  public var precision30 = 0.0
  /// R@100 (`recall_100`): the fraction of the relevant documents that are among the first 100.
  public var recall100 = 0.0
  /// RR (`recip_rank`): 1 divided by the rank of the first relevant document; 0 if there is none.
  public var reciprocalRank = 0.0

  /// The measures with their printed names, in printing order.
  public static let measures: [(name: String, value: any WritableKeyPath<Effectiveness, Double> & Sendable)] = [
    ("AP", \.averagePrecision), ("nDCG@10", \.normalizedDiscountedCumulativeGain10), ("P@10", \.precision10),
    ("P@30", \.precision30), ("R@100", \.recall100), ("RR", \.reciprocalRank),
  ]

  /// Creates a value with all measures set to 0.
  public init() {}

  /// Measures the hits of a query; returns nil if no document was judged. If no document was judged relevant, every
  /// measure is 0, as in trec_eval.
  ///
  /// - Parameters:
  ///   - found: the ids of the documents, best first.
  ///   - grades: the grades of the judged documents.
  public init?(of found: [String], grades: [String: Int]) {
    guard !grades.isEmpty else { return nil }
    let ideal = grades.values.filter { $0 > 0 }.sorted(by: >)
    guard !ideal.isEmpty else { return }
    let gains = found.map { max(0, grades[$0] ?? 0) }
    var relevant = 0
    for (index, gain) in gains.enumerated() where gain > 0 {
      relevant += 1
      averagePrecision += Double(relevant) / Double(index + 1)
      if relevant == 1 { reciprocalRank = 1 / Double(index + 1) }
    }
    averagePrecision /= Double(ideal.count)
    normalizedDiscountedCumulativeGain10 =
      Effectiveness.discountedGain(gains.prefix(10)) / Effectiveness.discountedGain(ideal.prefix(10))
    precision10 = Double(gains.prefix(10).count { $0 > 0 }) / 10
    precision30 = Double(gains.prefix(30).count { $0 > 0 }) / 30
    recall100 = Double(gains.prefix(100).count { $0 > 0 }) / Double(ideal.count)
  }

  private static func discountedGain(_ gains: ArraySlice<Int>) -> Double {
    gains.enumerated().reduce(0) { $0 + Double($1.element) / log2(Double($1.offset + 2)) }
  }

  /// Returns the mean of each measure; all 0 for an empty array.
  ///
  /// - Parameter all: the measures of each query.
  public static func mean(of all: [Effectiveness]) -> Effectiveness {
    var mean = Effectiveness()
    guard !all.isEmpty else { return mean }
    for measure in measures {
      mean[keyPath: measure.value] = all.reduce(0) { $0 + $1[keyPath: measure.value] } / Double(all.count)
    }
    return mean
  }
}
