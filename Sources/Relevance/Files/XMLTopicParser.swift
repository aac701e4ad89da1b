/// Parses TREC topics in XML, as in the Web and COVID tracks:
///
/// ```xml
/// <topics>
///   <topic number="1">
///     <query>coronavirus origin</query>
///     <question>what is the origin of COVID-19</question>
///     <narrative>seeking information about …</narrative>
///   </topic>
/// </topics>
/// ```
///
/// Elements of other names are read and ignored. The text of a topic without such elements, as in the clinical trials
/// tracks, is the query:
///
/// ```xml
/// <topics><topic number="1">Patient is a 45-year-old man with …</topic></topics>
/// ```
struct XMLTopicParser {
  private struct Topic {
    /// The line of the start tag.
    let line: Int
    var id: String
    var elements: [String: String] = [:]
    /// The text that is in no other element.
    var text = ""
  }

  private let text: String
  private let name: String
  private let fields: EvaluationQuery.TopicFields

  init(_ text: String, name: String, fields: EvaluationQuery.TopicFields) {
    self.text = text
    self.name = name
    self.fields = fields
  }

  /// - Throws: ``EvaluationFileError`` for text that is not well-formed, and for a topic without a number or text.
  /// - Complexity: O(n) in the length of the text.
  func queries() throws -> [EvaluationQuery] {
    var queries: [EvaluationQuery] = []
    var firstLines: [String: Int] = [:]
    var open: [(name: String, line: Int)] = []
    var topic: Topic?
    var tokens = XMLTokens(text)
    while let token = tokens.next() {
      switch token.kind {
      case .start(let element, let attributes, let isClosed):
        if element == "topic" {
          if let topic { throw error(topic.line, "the topic has no </topic>") }
          topic = Topic(line: token.line, id: attributes["number"] ?? attributes["id"] ?? "")
        }
        if !isClosed {
          open.append((element, token.line))
        } else if element == "topic" {
          throw error(token.line, "the topic is empty")
        }
      case .end(let element):
        guard let last = open.popLast() else { throw error(token.line, "</\(element)> without <\(element)>") }
        guard last.name == element else {
          throw error(token.line, "</\(element)> where </\(last.name)> of line \(last.line) is expected")
        }
        guard element == "topic", let finished = topic else { continue }
        queries.append(try query(finished, &firstLines))
        topic = nil
      case .text(let text):
        if open.last?.name == "topic" { topic?.text += text }
        // Only children of the topic, not those of its subtopics.
        guard open.count >= 2, open[open.count - 2].name == "topic", let element = open.last?.name else { continue }
        topic?.elements[element, default: ""] += text
      case .malformed(let reason): throw error(token.line, reason)
      }
    }
    if let last = open.last { throw error(last.line, "the element <\(last.name)> has no </\(last.name)>") }
    if queries.isEmpty { throw error(tokens.line, "the file contains no topics") }
    return queries
  }

  private func query(_ topic: Topic, _ firstLines: inout [String: Int]) throws -> EvaluationQuery {
    func normalized(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    func text(_ element: String) -> String { normalized(topic.elements[element] ?? "") }
    let id = topic.id.isEmpty ? ["num", "number"].lazy.map(text).first { !$0.isEmpty } ?? "" : topic.id
    guard !id.isEmpty else { throw error(topic.line, "the topic has no number, as in <topic number=\"1\">") }
    let parts = EvaluationQuery.TopicFields.Part.allCases.flatMap(\.elements)
    let wanted = parts.contains { !text($0).isEmpty } ? fields.text(text) : normalized(topic.text)
    guard !wanted.isEmpty else {
      let missing = fields.parts.compactMap { $0.elements.first.map { "<\($0)>" } }.joined(separator: ", ")
      let present = topic.elements.keys.filter { !text($0).isEmpty }.sorted().map { "<\($0)>" }
      let hint = present.isEmpty ? "" : "; it has \(present.joined(separator: ", "))"
      throw error(topic.line, "the topic \"\(id)\" has no \(missing)\(hint)")
    }
    return try EvaluationLine(number: topic.line, name: name).query(id, wanted, &firstLines)
  }

  private func error(_ line: Int, _ reason: String) -> EvaluationFileError {
    EvaluationLine(number: line, name: name).error(reason)
  }
}
