/// Which documents people found relevant for which queries: qrels, as TREC has them.
///
/// A line is a judgement of four columns with white space between them: the query's id, an iteration, which nobody reads,
/// the document's id, and a grade. A grade of 1 and more means relevant, the more the better; 0 and less means judged and found not
/// relevant. See <https://trec.nist.gov/data/qrels_eng/>.
///
/// ```
/// 1 0 184 1
/// 1 0 1012 0
/// ```
public struct RelevanceJudgements: Sendable {
  /// For each query the grade of each document that was judged.
  public private(set) var grades: [String: [String: Int]] = [:]

  /// No judgement.
  public init() {}

  /// Reads judgements.
  ///
  /// - Throws: ``EvaluationFileError``.
  package init(qrels text: String, name: String) throws {
    for line in EvaluationLine.lines(of: text, name: name) {
      let columns = line.columns
      guard columns.count == 4 else {
        throw line.error(
          "a judgement has four columns (query, 0, document, grade); this line has \(columns.count)")
      }
      guard let grade = Int(columns[3]) else { throw line.error("the grade \"\(columns[3])\" is no whole number") }
      let (query, document) = (String(columns[0]), String(columns[2]))
      if let known = grades[query]?[document], known != grade {
        throw line.error("the document \"\(document)\" was judged \(known) for the query \"\(query)\" before")
      }
      grades[query, default: [:]][document] = grade
    }
  }

  /// How many relevant documents a query has.
  public func relevantCount(of query: String) -> Int { grades[query]?.values.count { $0 > 0 } ?? 0 }
}
