import JSONText

/// The hits of a search engine for a set of queries, which TREC calls a run.
///
/// Each line of a run file is a hit with six columns separated by white space: the query's id, `Q0`, the document's id,
/// the rank, the score, and the name of the run (its tag).
///
/// ```
/// 1 Q0 184 1 12.25 concord
/// 1 Q0 29 2 11.5 concord
/// ```
public struct EvaluationRun: Sendable {
  /// A hit.
  public struct Hit: Hashable, Sendable {
    /// The id of the document.
    public let document: String
    /// The score.
    public let score: Double

    /// Creates a hit.
    ///
    /// - Parameters:
    ///   - document: the id of the document.
    ///   - score: the score.
    public init(_ document: String, score: Double) {
      self.document = document
      self.score = score
    }
  }

  /// The ids of the documents for each query, best first.
  public private(set) var documents: [String: [String]] = [:]
  /// The scores of ``documents``.
  public private(set) var scores: [String: [Double]] = [:]
  /// The ids of the queries, in order.
  public private(set) var queries: [String] = []

  /// Creates an empty run.
  public init() {}

  /// Sets the hits of a query, replacing earlier ones. Their scores are n, n − 1 … 1 for n hits. A document that occurs
  /// twice is added at its first position only.
  ///
  /// - Parameters:
  ///   - found: the ids of the documents, best first.
  ///   - query: the id of the query.
  public mutating func add(_ found: [String], for query: String) {
    let found = DocumentKey.ranking(found).map(\.text)
    append(found, found.indices.map { Double(found.count - $0) }, for: query)
  }

  /// Sets the hits of a query, replacing earlier ones.
  ///
  /// Programs that read runs sort by score, some of them in single precision. To preserve the order, a score that is
  /// not lower than the previous one is replaced by the next lower single-precision number. A document that occurs
  /// twice is added with its first hit only.
  ///
  /// - Parameters:
  ///   - hits: the hits, best first.
  ///   - query: the id of the query.
  public mutating func add(hits: [Hit], for query: String) {
    var seen = Set<DocumentKey>(minimumCapacity: hits.count)
    let hits = hits.filter { seen.insert(DocumentKey($0.document)).inserted }
    var last = Float.infinity
    let scores = hits.map { hit -> Double in
      let isLower = Float(hit.score) < last
      last = isLower ? Float(hit.score) : last.nextDown
      return isLower ? hit.score : Double(last)
    }
    append(hits.map(\.document), scores, for: query)
  }

  private mutating func append(_ found: [String], _ scores: [Double], for query: String) {
    if documents.updateValue(found, forKey: query) == nil { queries.append(query) }
    self.scores[query] = scores
  }

  /// Returns the scores of the hits of a query.
  func scoresByDocument(of query: String) -> [DocumentKey: Double] {
    Dictionary(uniqueKeysWithValues: zip((documents[query] ?? []).map { DocumentKey($0) }, scores[query] ?? []))
  }

  /// The order of hits with equal scores.
  enum TieOrder: Hashable {
    /// The order of the file.
    case file
    /// The highest id first, for scores compared in single precision: trec_eval.
    case descendingIDs
    /// The highest id first, for scores compared in double precision: gdeval.
    case descendingIDsInDoublePrecision
    /// The lowest id first.
    case ascendingIDs
  }

  /// Returns the ids of the documents of a query, best first.
  func ranking(of query: String, ties: TieOrder) -> [String] {
    guard let found = documents[query], let scores = scores[query], ties != .file else { return documents[query] ?? [] }
    let isSingle = ties == .descendingIDs
    let values = scores.map { isSingle ? Double(Float($0)) : $0 }
    let hasTies = zip(values, values.dropFirst()).contains { $0 <= $1 }
    guard hasTies else { return found }
    return found.indices.sorted { one, other in
      if values[one] != values[other] { return values[one] > values[other] }
      let (first, second) = ties == .ascendingIDs ? (one, other) : (other, one)
      return found[first].utf8.lexicographicallyPrecedes(found[second].utf8)
    }.map { found[$0] }
  }

  /// Parses a run and orders it by score. Hits with equal scores remain in the order of the file; measures order them
  /// themselves, see ``ranking(of:ties:)``.
  ///
  /// - Throws: ``EvaluationFileError`` for a malformed line.
  package init(trecRun text: String, name: String) throws {
    var hits: [String: [Hit]] = [:]
    var seen: [String: Set<DocumentKey>] = [:]
    for line in EvaluationLine.lines(of: text, name: name) {
      let columns = line.columns
      guard columns.count == 6 else {
        throw line.error(
          "a hit has six columns (query, Q0, document, rank, score, name); this line has \(columns.count)")
      }
      guard let score = Double(columns[4]), score.isFinite else {
        throw line.error("the score \"\(columns[4])\" is not a finite number")
      }
      let (query, document) = (String(columns[0]), String(columns[2]))
      guard seen[query, default: []].insert(DocumentKey(document)).inserted else {
        throw line.error("the document \"\(document)\" is listed twice for the query \"\(query)\"")
      }
      if hits[query] == nil { queries.append(query) }
      hits[query, default: []].append(Hit(document, score: score))
    }
    for (query, list) in hits {
      // `sort` is not documented as stable, so the position breaks ties.
      let sorted = list.enumerated().sorted { ($0.element.score, -$0.offset) > ($1.element.score, -$1.offset) }
      documents[query] = sorted.map(\.element.document)
      scores[query] = sorted.map(\.element.score)
    }
  }

  /// Returns the run as text.
  ///
  /// - Parameter name: the name of the run, written in the last column.
  /// - Throws: ``EvaluationFileError`` for a name or an id that is empty or contains white space.
  package func trecText(name: String) throws -> String {
    guard EvaluationRun.isColumn(name) else {
      throw EvaluationFileError(
        location: nil, reason: "the name of a TREC run must not be empty or contain white space: \"\(name)\"")
    }
    var text = ""
    for query in queries {
      guard EvaluationRun.isColumn(query) else {
        throw EvaluationFileError(
          location: nil,
          reason: "a TREC run cannot contain the query \"\(query)\": its id is empty or contains white space")
      }
      let scores = scores[query] ?? []
      for (number, (document, score)) in zip(documents[query] ?? [], scores).enumerated() {
        guard EvaluationRun.isColumn(document) else {
          throw EvaluationFileError(
            location: nil,
            reason: "a TREC run cannot contain the document \"\(document)\" of the query \"\(query)\": "
              + "its id is empty or contains white space")
        }
        text += "\(query) Q0 \(document) \(number + 1) \(EvaluationRun.text(of: score)) \(name)\n"
      }
    }
    return text
  }

  /// Returns whether a text can be a column of a line.
  static func isColumn(_ text: String) -> Bool { !text.isEmpty && !text.contains(where: \.isWhitespace) }

  private static func text(of score: Double) -> String {
    score == score.rounded() && abs(score) < 1e15 ? String(Int(score)) : String(score)
  }
}
