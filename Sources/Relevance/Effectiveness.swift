import JSONText

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
  /// measure is 0, as in trec_eval. If a document occurs twice in the hits, only its first position counts.
  ///
  /// - Parameters:
  ///   - found: the ids of the documents, best first.
  ///   - grades: the grades of the judged documents.
  public init?(of found: [String], grades: [String: Int]) {
    self.init(DocumentKey.ranking(found), DocumentKey.grades(grades))
  }

  /// Measures the hits of a query, which contain no duplicates; returns nil if no document was judged.
  init?(_ found: [DocumentKey], _ grades: [DocumentKey: Int]) {
    guard !grades.isEmpty else { return nil }
    let ranking = JudgedRanking(found, grades)
    averagePrecision = ranking.averagePrecision(1, nil)
    normalizedDiscountedCumulativeGain10 = ranking.normalizedGain(10) { Double(max(0, $0)) }
    precision10 = ranking.precision(1, 10)
    precision30 = ranking.precision(1, 30)
    recall100 = ranking.recall(1, 100)
    reciprocalRank = ranking.reciprocalRank(1, nil)
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
