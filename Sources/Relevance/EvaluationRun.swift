/// The hits of a search engine for a set of queries, a run in TREC's terms.
///
/// Each line of a run file is a hit with six columns separated by white space: the query's id, `Q0`, the document's id,
/// the rank, the score, and a name of the run.
///
/// ```
/// 1 Q0 184 1 1000 concord
/// 1 Q0 29 2 999 concord
/// ```
public struct EvaluationRun: Sendable {
  /// The ids of the documents for each query, best first.
  public private(set) var documents: [String: [String]] = [:]
  /// The ids of the queries, in order.
  public private(set) var queries: [String] = []

  /// Creates an empty run.
  public init() {}

  /// Appends the hits of a query.
  public mutating func add(_ found: [String], for query: String) {
    if documents.updateValue(found, forKey: query) == nil { queries.append(query) }
  }

  /// Parses a run and orders it by score, as trec_eval does.
  ///
  /// - Throws: ``EvaluationFileError`` for a malformed line.
  package init(trecRun text: String, name: String) throws {
    var hits: [String: [(document: String, score: Double)]] = [:]
    var seen = Set<[String]>()
    for line in EvaluationLine.lines(of: text, name: name) {
      let columns = line.columns
      guard columns.count == 6 else {
        throw line.error(
          "a hit has six columns (query, Q0, document, rank, score, name); this line has \(columns.count)")
      }
      guard let score = Double(columns[4]), !score.isNaN else {
        throw line.error("the score \"\(columns[4])\" is not a number")
      }
      let (query, document) = (String(columns[0]), String(columns[2]))
      guard seen.insert([query, document]).inserted else {
        throw line.error("the document \"\(document)\" is listed twice for the query \"\(query)\"")
      }
      if hits[query] == nil { queries.append(query) }
      hits[query, default: []].append((document, score))
    }
    documents = hits.mapValues { list in
      // `sort` is not documented to be stable, so the position breaks ties.
      list.enumerated().sorted { ($0.element.score, -$0.offset) > ($1.element.score, -$1.offset) }
        .map(\.element.document)
    }
  }

  /// Returns the run as text.
  ///
  /// - Parameter name: The name of the run, written in the last column.
  /// - Throws: ``EvaluationFileError`` for an id that contains white space.
  package func trecText(name: String) throws -> String {
    var text = ""
    for query in queries {
      let found = documents[query] ?? []
      for (number, document) in found.enumerated() {
        guard !document.isEmpty, !document.contains(where: \.isWhitespace) else {
          throw EvaluationFileError(
            location: nil, reason: "a TREC run cannot hold the id \"\(document)\", which has white space in it")
        }
        text += "\(query) Q0 \(document) \(number + 1) \(found.count - number) \(name)\n"
      }
    }
    return text
  }
}
