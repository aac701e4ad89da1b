import JSONText

/// Relevance judgements of documents for queries, which TREC calls qrels.
///
/// Each line is a judgement with four columns separated by white space: the query's id, an iteration, which is ignored,
/// the document's id, and a grade. A grade of 1 or more means relevant, and higher grades mean more relevant; 0 or less
/// means judged not relevant. See <https://trec.nist.gov/data/qrels_eng/>.
///
/// ```
/// 1 0 184 1
/// 1 0 1012 0
/// ```
///
/// BEIR files have three columns separated by tabs, without the iteration, and begin with the names of the columns:
/// `query-id`, `corpus-id` and `score`.
public struct RelevanceJudgements: Sendable {
  /// The grades of the judged documents for each query. Ids that are canonically equivalent, which `String` compares as
  /// equal, share an entry here; the measures and ``grade(of:for:)`` distinguish them.
  public private(set) var grades: [String: [String: Int]] = [:]
  /// ``grades``, with ids that are compared by their bytes.
  private(set) var exactGrades: [String: [DocumentKey: Int]] = [:]
  /// The ids of the judged documents for each query, in the order of the judgements.
  private(set) var documents: [String: [String]] = [:]
  /// The ids of the queries, in order of first appearance.
  public private(set) var queries: [String] = []

  /// Creates an empty set of judgements.
  public init() {}

  /// Parses judgements in TREC's or BEIR's format.
  ///
  /// - Throws: ``EvaluationFileError`` for a malformed line.
  package init(qrels text: String, name: String) throws {
    let lines = EvaluationLine.lines(of: text, name: name)
    let header = lines.first?.columns ?? []
    let isBEIR = header.count == 3 && header[0].lowercased() == "query-id"
    for line in isBEIR ? lines[1...] : lines[...] {
      let columns = line.columns
      guard columns.count == (isBEIR ? 3 : 4) else {
        throw line.error(
          isBEIR
            ? "a judgement has three columns (query-id, corpus-id, score); this line has \(columns.count)"
            : "a judgement has four columns (query, 0, document, grade); this line has \(columns.count)")
      }
      guard let last = columns.last, let grade = Int(last) else {
        throw line.error("the grade \"\(columns.last ?? "")\" is not a whole number")
      }
      let (query, document) = (String(columns[0]), String(columns[columns.count - 2]))
      let key = DocumentKey(document)
      if let known = exactGrades[query]?[key], known != grade {
        throw line.error("the document \"\(document)\" was already judged \(known) for the query \"\(query)\"")
      }
      if grades[query] == nil { queries.append(query) }
      grades[query, default: [:]][document] = grade
      if exactGrades[query, default: [:]].updateValue(grade, forKey: key) == nil {
        documents[query, default: []].append(document)
      }
    }
  }

  /// Returns the number of relevant documents of a query.
  ///
  /// - Parameter query: the id of the query.
  public func relevantCount(of query: String) -> Int { exactGrades[query]?.values.count { $0 > 0 } ?? 0 }

  /// Returns the grade of a document for a query; nil if it was not judged.
  ///
  /// - Parameters:
  ///   - document: the id of the document.
  ///   - query: the id of the query.
  public func grade(of document: String, for query: String) -> Int? { exactGrades[query]?[DocumentKey(document)] }
}
