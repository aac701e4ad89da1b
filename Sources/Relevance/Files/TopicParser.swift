import Foundation

/// Parses TREC topics, whose elements need not be closed:
///
/// ```
/// <top>
/// <num> Number: 301
/// <title> International Organized Crime
/// <desc> Description:
/// Identify organizations that participate in international criminal activity.
/// <narr> Narrative: …
/// </top>
/// ```
struct TopicParser {
  private let fields: EvaluationQuery.TopicFields
  private let lines: [EvaluationLine]

  /// The labels at the beginning of elements.
  private static let labels = ["num": "Number:", "title": "Topic:", "desc": "Description:", "narr": "Narrative:"]

  init(_ text: String, name: String, fields: EvaluationQuery.TopicFields) {
    self.fields = fields
    lines = EvaluationLine.lines(of: text, name: name)
  }

  func queries() throws -> [EvaluationQuery] {
    var queries: [EvaluationQuery] = []
    var firstLines: [String: Int] = [:]
    var topic: (start: EvaluationLine, elements: [String: String])?
    var element: String?
    for line in lines {
      var rest = line.text
      while let (before, tag, after) = TopicParser.tag(in: rest) {
        if let element, topic != nil { topic?.elements[element, default: ""] += before + " " }
        rest = after
        switch tag {
        case "top":
          if let open = topic { throw open.start.error("the topic has no </top>") }
          (topic, element) = ((line, [:]), nil)
        case "/top":
          guard let open = topic else { throw line.error("</top> without <top>") }
          queries.append(try query(open.elements, open.start, &firstLines))
          (topic, element) = (nil, nil)
        default: element = tag.hasPrefix("/") ? nil : tag
        }
      }
      if let element, topic != nil { topic?.elements[element, default: ""] += rest + " " }
    }
    if let open = topic { throw open.start.error("the topic has no </top>") }
    return queries
  }

  private func query(
    _ elements: [String: String], _ line: EvaluationLine, _ firstLines: inout [String: Int]
  ) throws -> EvaluationQuery {
    func text(_ element: String) -> String {
      let words = (elements[element] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      // The label may be joined to the text, as in "Number:301".
      guard let label = TopicParser.labels[element],
        let range = words.range(of: label, options: [.anchored, .caseInsensitive])
      else { return words }
      return String(words[range.upperBound...].drop(while: \.isWhitespace))
    }
    let id = text("num")
    guard !id.isEmpty else { throw line.error("the topic has no <num>") }
    return try line.query(id, fields.text(text), &firstLines)
  }

  /// The names of the elements. Other names in angle brackets are part of the text.
  private static let elements: Set = ["top", "num", "title", "desc", "narr", "dom", "smry", "con", "fac", "def"]
  /// The length of the longest tag in bytes, `/title`.
  private static let longestTag = 6

  /// Returns the first tag in the text, in lower case, and the text before and after it.
  ///
  /// - Complexity: O(n) in the length of the text before the tag: only a few bytes are read after each `<`.
  private static func tag(in text: Substring) -> (before: Substring, tag: String, after: Substring)? {
    let bytes = text.utf8
    var start = bytes.startIndex
    while let open = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
      start = bytes.index(after: open)
      guard let close = bytes[start...].prefix(longestTag + 1).firstIndex(of: UInt8(ascii: ">")) else { continue }
      let tag = text[start..<close].lowercased()
      if elements.contains(tag.hasPrefix("/") ? String(tag.dropFirst()) : tag) {
        return (text[..<open], tag, text[bytes.index(after: close)...])
      }
    }
    return nil
  }
}
