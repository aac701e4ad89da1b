/// A query of an evaluation, a topic in TREC's terms.
public struct EvaluationQuery: Hashable, Sendable {
  /// The id by which judgements refer to it.
  public let id: String
  /// The text for the search box.
  public let text: String

  /// Creates a query.
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
      guard !id.isEmpty, !id.contains(where: \.isWhitespace) else {
        throw line.error("the id of a query must not be empty or contain white space")
      }
      guard !query.allSatisfy(\.isWhitespace) else { throw line.error("the query \"\(id)\" has no text") }
      if let first = firstLines.updateValue(line.number, forKey: id) {
        throw line.error("the query \"\(id)\" is already in line \(first)")
      }
      return EvaluationQuery(id: id, text: query)
    }
  }
}
