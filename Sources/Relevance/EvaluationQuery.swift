/// A query of an evaluation: what TREC calls a topic.
public struct EvaluationQuery: Hashable, Sendable {
  /// The id by which judgements name it.
  public let id: String
  /// What is typed into the search box.
  public let text: String

  /// Makes a query.
  public init(id: String, text: String) {
    self.id = id
    self.text = text
  }

  /// Reads queries, a line each: the id, a tab, the text.
  ///
  /// - Throws: ``EvaluationFileError``.
  package static func queries(inLines text: String, name: String) throws -> [EvaluationQuery] {
    var firstLines: [String: Int] = [:]
    return try EvaluationLine.lines(of: text, name: name).map { line in
      guard let tab = line.text.firstIndex(of: "\t") else {
        throw line.error("a query is an id, a tab and a text; this line has no tab")
      }
      let id = String(line.text[..<tab])
      let query = String(line.text[line.text.index(after: tab)...])
      guard !id.isEmpty, !id.contains(where: \.isWhitespace) else {
        throw line.error("the id of a query is not empty and holds no white space")
      }
      guard !query.allSatisfy(\.isWhitespace) else { throw line.error("the query \"\(id)\" has no text") }
      if let first = firstLines.updateValue(line.number, forKey: id) {
        throw line.error("the query \"\(id)\" stands in line \(first) already")
      }
      return EvaluationQuery(id: id, text: query)
    }
  }
}
