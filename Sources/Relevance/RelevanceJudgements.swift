/// Relevance judgements of documents for queries, qrels in TREC's terms.
///
/// Each line is a judgement with four columns separated by white space: the query's id, an iteration, which is ignored,
/// the document's id, and a grade. A grade of 1 or more means relevant, higher is better; 0 or less means judged not
/// relevant. See <https://trec.nist.gov/data/qrels_eng/>.
///
/// ```
/// 1 0 184 1
/// 1 0 1012 0
/// ```
public struct RelevanceJudgements: Sendable {
  /// The grades of the judged documents for each query.
  public private(set) var grades: [String: [String: Int]] = [:]

  /// Creates an empty set of judgements.
  public init() {}

  /// Parses judgements.
  ///
  /// - Throws: ``EvaluationFileError`` for a malformed line.
  package init(qrels text: String, name: String) throws {
    for line in EvaluationLine.lines(of: text, name: name) {
      let columns = line.columns
      guard columns.count == 4 else {
        throw line.error(
          "a judgement has four columns (query, 0, document, grade); this line has \(columns.count)")
      }
      guard let grade = Int(columns[3]) else { throw line.error("the grade \"\(columns[3])\" is not a whole number") }
      let (query, document) = (String(columns[0]), String(columns[2]))
      if let known = grades[query]?[document], known != grade {
        throw line.error("the document \"\(document)\" was judged \(known) for the query \"\(query)\" before")
      }
      grades[query, default: [:]][document] = grade
    }
  }

  /// Returns the number of relevant documents of a query.
  public func relevantCount(of query: String) -> Int { grades[query]?.values.count { $0 > 0 } ?? 0 }
}
