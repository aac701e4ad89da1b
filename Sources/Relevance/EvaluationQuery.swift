/// An evaluation query, which TREC calls a topic.
public struct EvaluationQuery: Hashable, Sendable {
  /// The id by which judgements refer to the query.
  public let id: String
  /// The text of the query.
  public let text: String

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - id: the id by which judgements refer to the query.
  ///   - text: the text of the query.
  public init(id: String, text: String) {
    self.id = id
    self.text = text
  }

  /// Parses queries, one per line: the id, a tab, the text.
  ///
  /// - Throws: ``EvaluationFileError`` for a malformed line.
  package static func queries(inLines text: String, name: String) throws -> [EvaluationQuery] {
    var firstLines: [String: Int] = [:]
    return try EvaluationLine.lines(of: text, name: name).map { line in
      guard let tab = line.text.firstIndex(of: "\t") else {
        throw line.error("this line has no tab; write the id of the query, a tab and its text")
      }
      let id = String(line.text[..<tab])
      let query = String(line.text[line.text.index(after: tab)...])
      return try line.query(id, query, &firstLines)
    }
  }
}
