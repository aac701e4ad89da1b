import JSONText
public import TextIndex

/// A document that a search found.
public struct SearchHit: Sendable {
  /// The place in the order of scores: 1 for the best.
  public let rank: Int
  /// BM25; larger is better. Scores of different queries cannot be compared.
  public let score: Double
  /// The document, as it was when the search ran.
  public let document: Document
  /// Where it matches, in the order of the index's fields and of the text.
  public let matches: [SearchMatch]
  /// Parts of the document that show why it matches, the best ones, in the order of the text.
  public let snippets: [SearchSnippet]
  /// How the score came about, term by term; nil where ``SearchRequest/explains`` is not set, and for a file whose index
  /// FTS5 itself has to rank.
  public let explanation: ScoreExplanation?

  /// The document's id.
  public var id: String { document.id }

  /// The document's `title`, or else its `name`, where that is a string.
  public var title: String? {
    [document.string(forKey: "title"), document.string(forKey: "name")].compactMap { $0 }.first { !$0.isEmpty }
  }
}

/// A place in a document that a search matches.
public struct SearchMatch: Hashable, Sendable {
  /// The path of the matching string: the field's name where the field is one string, and a path below it otherwise
  /// (`reviews[2].content`).
  public let field: String
  /// The bytes of the match in the UTF-8 of that string.
  public let range: Range<Int>
  /// The line of that string on which the match begins, counted from 1.
  public let line: Int

  init(_ match: FieldMatch) {
    field = match.path
    range = match.range
    line = match.line
  }
}

/// A part of a document around matches.
public struct SearchSnippet: Hashable, Sendable {
  /// The path of the string that it was taken from.
  public let field: String
  /// The text, each run of white space folded into one space.
  public let text: String
  /// The bytes of the matches in the UTF-8 of ``text``.
  public let matches: [Range<Int>]
  /// The line of that string on which the first match begins, or else the snippet, counted from 1.
  public let line: Int
  /// Whether text stands before it in its string.
  public let continuesBefore: Bool
  /// Whether text stands behind it in its string.
  public let continuesAfter: Bool

  init(_ snippet: Snippet) {
    field = snippet.path
    text = snippet.text
    matches = snippet.matches
    line = snippet.line
    continuesBefore = snippet.continuesBefore
    continuesAfter = snippet.continuesAfter
  }

  /// The text with something around each match, and `…` where it was cut.
  ///
  /// ```swift
  /// snippet.highlighted { "*\($0)*" }   // … the *memory* *barrier* …
  /// ```
  ///
  /// The text is not escaped: for HTML use ``html(tag:)``.
  public func highlighted(_ mark: (Substring) -> String) -> String { render(escape: { String($0) }, mark: mark) }

  /// The text as HTML, each match in an element; everything else is escaped first.
  ///
  /// - Parameter tag: the name of the element, letters only; `mark` for any other.
  public func html(tag: String = "mark") -> String {
    let tag = !tag.isEmpty && tag.allSatisfy { $0.isASCII && $0.isLetter } ? tag : "mark"
    return render(escape: SearchSnippet.escapeHTML) { "<\(tag)>\(SearchSnippet.escapeHTML($0))</\(tag)>" }
  }

  private func render(escape: (Substring) -> String, mark: (Substring) -> String) -> String {
    let bytes = text.utf8
    func part(_ range: Range<Int>) -> Substring {
      text[
        bytes.index(
          text.startIndex, offsetBy: range.lowerBound)..<bytes.index(text.startIndex, offsetBy: range.upperBound)]
    }
    var result = continuesBefore ? "… " : ""
    var position = 0
    for match in matches {
      result += escape(part(position..<match.lowerBound)) + mark(part(match))
      position = match.upperBound
    }
    return result + escape(part(position..<bytes.count)) + (continuesAfter ? " …" : "")
  }

  private static func escapeHTML(_ text: Substring) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

/// How many documents a search matches, as far as it is known.
public enum SearchTotal: Hashable, Sendable, CustomStringConvertible {
  /// So many.
  case exact(Int)
  /// So many, or more.
  case atLeast(Int)

  /// The number, or the least that it can be.
  public var value: Int {
    switch self {
    case .exact(let count), .atLeast(let count): count
    }
  }

  /// `12`, or `12+`.
  public var description: String {
    switch self {
    case .exact(let count): "\(count)"
    case .atLeast(let count): "\(count)+"
    }
  }
}
