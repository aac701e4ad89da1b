import Foundation
import JSONText

extension EvaluationQuery {
  /// The parts of a TREC topic that form the text of a query.
  public struct TopicFields: RawRepresentable, Hashable, Sendable {
    /// A part of a topic.
    public enum Part: String, Hashable, Sendable, CaseIterable {
      /// The title, usually a few words: `<title>`, or `<query>` in XML.
      case title
      /// The same as ``title``.
      case query
      /// The description, usually a sentence: `<desc>`, or `<description>` in XML, or `<question>` if the topic has no
      /// description.
      case description
      /// In XML the element `<question>`, or `<description>` if the topic has no question; the same as ``description``
      /// in other topics.
      case question
      /// The explanation of what is relevant: `<narr>`, or `<narrative>` in XML.
      case narrative

      /// The names of the elements that contain the part; the first one that a topic has is used.
      var elements: [String] {
        switch self {
        case .title: ["title", "query"]
        case .query: ["query", "title"]
        case .description: ["description", "desc", "question"]
        case .question: ["question", "description", "desc"]
        case .narrative: ["narrative", "narr"]
        }
      }
    }

    /// The parts, in the order of the text of the query.
    public let parts: [Part]

    /// The title, usually a few words.
    public static let title = TopicFields([.title])
    /// The description, usually a sentence.
    public static let description = TopicFields([.description])
    /// The title and the description.
    public static let titleAndDescription = TopicFields([.title, .description])
    /// The title, the description and the narrative.
    public static let all = TopicFields([.title, .description, .narrative])

    /// Creates fields from their parts.
    public init(_ parts: [Part]) { self.parts = parts }

    /// Creates fields from the names of parts, joined by `+` (`title+description`), or `all`; nil for other names and
    /// repeated ones.
    public init?(rawValue: String) {
      if rawValue == "all" {
        self = .all
        return
      }
      let names = rawValue.split(separator: "+", omittingEmptySubsequences: false)
      let parts = names.compactMap { Part(rawValue: String($0)) }
      guard parts.count == names.count, Set(parts).count == parts.count else { return nil }
      self.parts = parts
    }

    /// The names of the parts, joined by `+`.
    public var rawValue: String { parts.map(\.rawValue).joined(separator: "+") }

    /// Returns the text of a query.
    ///
    /// - Parameter text: returns the text of an element; empty if the topic does not have it.
    func text(_ text: (_ element: String) -> String) -> String {
      parts.map { part in part.elements.lazy.map(text).first { !$0.isEmpty } ?? "" }
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Parses queries. The format depends on the text: TREC topics if it begins with `<` and contains `<top>`, TREC
  /// topics in XML if it begins with `<` and contains `<topic`, JSON Lines if it begins with `{`, and otherwise lines
  /// with an id, a tab and the text of the query.
  ///
  /// - Throws: ``EvaluationFileError`` for a malformed topic or line.
  package static func queries(in text: String, name: String, fields: TopicFields = .title) throws -> [EvaluationQuery] {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.range(of: "<top>", options: .caseInsensitive) != nil, start.hasPrefix("<") {
      return try TopicParser(text, name: name, fields: fields).queries()
    }
    if start.hasPrefix("<?xml") || start.hasPrefix("<") && start.range(of: "<topic", options: .caseInsensitive) != nil {
      return try XMLTopicParser(text, name: name, fields: fields).queries()
    }
    return start.hasPrefix("{") ? try queries(inJSONLines: text, name: name) : try queries(inLines: text, name: name)
  }

  /// Parses JSON Lines as in BEIR: `{"_id": "1", "text": "…"}`. `id`, `qid` or `query_id` and `query` or `title` are
  /// also accepted, and so are integers.
  private static func queries(inJSONLines text: String, name: String) throws -> [EvaluationQuery] {
    var firstLines: [String: Int] = [:]
    let parser = try JSONParser()
    return try EvaluationLine.lines(of: text, name: name).map { line in
      // Every error of the parser means that the line is not an object.
      guard let object = try? parser.parse(utf8: String(line.text)), object.kind == .object else {
        throw line.error("this line is not a JSON object")
      }
      func value(_ keys: [String]) -> String? {
        for key in keys {
          guard let value = object[key] else { continue }
          if let text = value.string { return text }
          if let number = value.int64 { return "\(number)" }
          if let number = value.uint64 { return "\(number)" }
        }
        return nil
      }
      guard let id = value(["_id", "id", "qid", "query_id"]), let query = value(["text", "query", "title"]) else {
        throw line.error("the query needs the properties _id and text, which are strings or integers")
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
    guard EvaluationRun.isColumn(id) else {
      throw error("the id of a query must not be empty or contain white space")
    }
    guard !text.allSatisfy(\.isWhitespace) else { throw error("the query \"\(id)\" has no text") }
    if let first = firstLines.updateValue(number, forKey: id) {
      throw error("the query \"\(id)\" was already defined in line \(first)")
    }
    return EvaluationQuery(id: id, text: text)
  }
}
