import JSONText
public import TextIndex

/// A document that a search found.
///
/// ```swift
/// for hit in try notes.search("steeping").hits {
///   print(hit.rank, hit.id, hit.title ?? "", hit.snippets.first?.html() ?? "")
/// }
/// ```
public struct SearchHit: Sendable, Identifiable {
  /// The position in the order of the hits, starting at 1.
  public let rank: Int
  /// The score in the ranking model; higher is better. Scores of different queries cannot be compared.
  public let score: Double
  /// The document, as it was when the search ran.
  public let document: Document
  /// Whether ``document`` contains the properties of the document. False if it would exceed
  /// ``SearchRequest/documentBudget``.
  @_spi(Command) public internal(set) var hasDocument = true
  let text: HitText
  /// The best extracts of the document around matches, in the order of the text. See ``SearchRequest/snippetCount``.
  public let snippets: [SearchSnippet]
  /// The score term by term; nil if ``SearchRequest/explains`` is not set, or if FTS5 ranked the document.
  public let explanation: ScoreExplanation?
  /// The ids of documents with the same or nearly the same text that match less well, best first; empty unless
  /// ``SearchRequest/groupsDuplicates`` is set.
  public let duplicates: [String]
  /// How the score was combined from several searches; nil for hits of other searches, and if
  /// ``SearchRequest/explains`` is not set in any of the requests.
  public internal(set) var fusion: FusionExplanation?

  /// The id of the document.
  public var id: String { document.id }

  /// The `title` of the document, or its `name` if the title is not a string or only white space; nil if neither is
  /// one.
  public var title: String? { text.title }

  /// The positions of the matches, in the order of the fields of the index and of the text, at most 10,000.
  ///
  /// - Complexity: O(1) if the search has created snippets (``SearchRequest/snippetCount``); otherwise, the first
  ///   access takes O(n) in the length of the document's text.
  public var matches: [SearchMatch] { text.matches }

  /// Returns the ``title`` of a document.
  static func title(of root: JSONElement) -> String? {
    ["title", "name"].lazy.compactMap { root[$0]?.string }.first { !$0.allSatisfy(\.isWhitespace) }
  }
}

/// An occurrence of the query's words in a document.
public struct SearchMatch: Hashable, Sendable {
  /// The path of the matching string: the name of the field if the field is one string, otherwise a path below it
  /// (`reviews[2].content`).
  public let field: String
  /// The range of the match in the UTF-8 of that string, in bytes.
  public let range: Range<Int>
  /// The line of that string on which the match begins, starting at 1.
  public let line: Int

  init(_ match: FieldMatch) {
    field = match.path
    range = match.range
    line = match.line
  }
}

/// An extract of a document around matches.
public struct SearchSnippet: Hashable, Sendable {
  /// The path of the string that the snippet is taken from.
  public let field: String
  /// The text. Each run of white space is replaced by one space.
  public let text: String
  /// The ranges of the matches in the UTF-8 of ``text``, in bytes.
  public let matches: [Range<Int>]
  /// The line of the string on which the first match begins, starting at 1. Without a match, the line on which the
  /// snippet begins.
  public let line: Int
  /// Whether the string contains text before the snippet.
  public let continuesBefore: Bool
  /// Whether the string contains text after the snippet.
  public let continuesAfter: Bool

  init(_ snippet: Snippet) {
    field = snippet.path
    text = snippet.text
    matches = snippet.matches
    line = snippet.line
    continuesBefore = snippet.continuesBefore
    continuesAfter = snippet.continuesAfter
  }

  /// Returns the text with each match marked, and `…` at each end where the string continues.
  ///
  /// ```swift
  /// snippet.highlighted { "*\($0)*" }   // … the *memory* *barrier* …
  /// ```
  ///
  /// The text is not escaped; for HTML, use ``html(tag:)``.
  ///
  /// - Parameter mark: returns the replacement of a match.
  public func highlighted(_ mark: (Substring) -> String) -> String { render(escape: { String($0) }, mark: mark) }

  /// Returns the text as HTML with each match in an element. Everything else is escaped.
  ///
  /// - Parameter tag: the name of the element, letters only; `mark` is used for any other name.
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

/// The number of documents that a search matches, exact or a lower bound.
public enum SearchTotal: Hashable, Sendable, CustomStringConvertible {
  /// The number of matches.
  case exact(Int)
  /// A lower bound: not all matches were counted.
  case atLeast(Int)

  /// The number, or its lower bound.
  public var value: Int {
    switch self {
    case .exact(let count), .atLeast(let count): count
    }
  }

  /// The number as text: `12`, or `12+` for a lower bound.
  public var description: String {
    switch self {
    case .exact(let count): "\(count)"
    case .atLeast(let count): "\(count)+"
    }
  }
}
