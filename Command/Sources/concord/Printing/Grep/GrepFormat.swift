import Concordance

/// The format of printed lines, with ripgrep's options.
struct GrepFormat: Sendable {
  var hasHeading = false
  var showsID = true
  var showsNumbers = false
  var showsColumn = false
  var showsOffset = false
  var onlyMatching = false
  /// Whether each match is printed on a separate line that shows the whole line.
  var isPerMatch = false
  var replacement: LineReplacement?
  /// The maximum length of a printed line in bytes, including its line break unless matches are replaced.
  var maximumColumns: Int?
  var showsPreview = false
  var trims = false
  var endsIDsWithNUL = false
  /// The separator between lines that are not adjacent; nil for none.
  var contextSeparator: [UInt8]?
  /// The separator after the id and the numbers before a matching line.
  var matchSeparator = Array(":".utf8)
  /// The separator after the id and the numbers before a context line.
  var fieldContextSeparator = Array("-".utf8)
  var isColored = false
  /// Whether terminal control characters are replaced.
  var isForTerminal = false
  /// Whether matches are counted for statistics.
  var countsMatches = false

  /// Whether the positions of matches are needed.
  var needsMatches: Bool {
    isColored || showsColumn || onlyMatching || isPerMatch || replacement != nil || countsMatches
  }
}

/// The printed output of a document and its match counts.
struct GrepOutput: Sendable {
  let id: String
  var bytes: [UInt8] = []
  /// The number of printed bytes, as ripgrep counts them: a summary and the last JSON message are not counted.
  var printedCount = 0
  /// The number of matching lines.
  var lineCount = 0
  var matchCount = 0
  /// Whether the document has a match or, with `--files-without-match`, no match.
  var isFound = false
  /// The reason if the search of the document ended early.
  var problem: String?
  /// The size of its text in bytes.
  var textSize = 0
  var seconds = 0.0
}

/// The parts of a printed line, with ripgrep's colours.
enum GrepPart {
  case id, lineNumber, column, match

  /// The escape sequence before the part; one reset sequence follows all parts.
  var start: String {
    switch self {
    case .id: "\u{1B}[0m\u{1B}[35m"
    case .lineNumber: "\u{1B}[0m\u{1B}[32m"
    case .column: "\u{1B}[0m"
    case .match: "\u{1B}[0m\u{1B}[1m\u{1B}[31m"
    }
  }

  static let end = "\u{1B}[0m"
}
