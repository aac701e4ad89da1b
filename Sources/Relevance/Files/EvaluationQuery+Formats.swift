import Foundation

extension EvaluationQuery {
  /// The parts of a TREC topic that form the text of a query.
  public enum TopicFields: String, Hashable, Sendable, CaseIterable {
    /// The title, usually a few words.
    case title
    /// The description, usually a sentence.
    case description
    /// The title and the description.
    case titleAndDescription = "title+description"
    /// The title, the description and the narrative.
    case all
  }

  /// Parses queries. The format depends on the text: TREC topics if it begins with `<` and contains `<top>`, JSON Lines
  /// if it begins with `{`, and otherwise lines with an id, a tab and the text of the query.
  ///
  /// - Throws: ``EvaluationFileError`` for a malformed topic or line.
  package static func queries(in text: String, name: String, fields: TopicFields = .title) throws -> [EvaluationQuery] {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.range(of: "<top>", options: .caseInsensitive) != nil, start.hasPrefix("<") {
      return try TopicParser(text, name: name, fields: fields).queries()
    }
    return start.hasPrefix("{") ? try queries(inJSONLines: text, name: name) : try queries(inLines: text, name: name)
  }

  /// Parses JSON Lines as in BEIR: `{"_id": "1", "text": "…"}`. `id`, `qid` or `query_id` and `query` or `title` are
  /// also accepted.
  private static func queries(inJSONLines text: String, name: String) throws -> [EvaluationQuery] {
    var firstLines: [String: Int] = [:]
    return try EvaluationLine.lines(of: text, name: name).map { line in
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any] else {
        throw line.error("this line is not a JSON object")
      }
      func value(_ keys: [String]) -> String? {
        for key in keys {
          if let text = object[key] as? String { return text }
          if let number = object[key] as? Int { return String(number) }
        }
        return nil
      }
      guard let id = value(["_id", "id", "qid", "query_id"]), let query = value(["text", "query", "title"]) else {
        throw line.error("the query needs the properties _id and text")
      }
      return try line.query(id, query, &firstLines)
    }
  }
}

extension EvaluationLine {
  /// Returns the query of this line.
  ///
  /// - Parameter firstLines: the line numbers of the ids so far.
  func query(_ id: String, _ text: String, _ firstLines: inout [String: Int]) throws -> EvaluationQuery {
    guard !id.isEmpty, !id.contains(where: \.isWhitespace) else {
      throw error("the id of a query must not be empty or contain white space")
    }
    guard !text.allSatisfy(\.isWhitespace) else { throw error("the query \"\(id)\" has no text") }
    if let first = firstLines.updateValue(number, forKey: id) {
      throw error("the query \"\(id)\" was already defined in line \(first)")
    }
    return EvaluationQuery(id: id, text: text)
  }
}
