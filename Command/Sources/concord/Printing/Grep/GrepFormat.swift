import Concordance

/// How lines are printed: ripgrep's choices.
struct GrepFormat: Sendable {
  var hasHeading = false
  var showsID = true
  var showsNumbers = false
  var showsColumn = false
  var showsOffset = false
  var onlyMatching = false
  /// Whether each match has a line of its own, which shows all of the line.
  var isPerMatch = false
  var replacement: LineReplacement?
  /// The longest line that is printed, in bytes, its line break included.
  var maximumColumns: Int?
  var showsPreview = false
  var trims = false
  var endsIDsWithNUL = false
  /// What stands between lines that are not neighbours; nil for nothing.
  var contextSeparator: [UInt8]?
  /// What stands behind the id and the numbers in front of a matching line.
  var matchSeparator = Array(":".utf8)
  /// What stands there in front of a line of the context.
  var fieldContextSeparator = Array("-".utf8)
  var isColored = false
  /// Whether characters that would command a terminal are replaced.
  var isForTerminal = false
  /// Whether matches are counted for statistics.
  var countsMatches = false

  /// Whether the places of matches are needed.
  var needsMatches: Bool {
    isColored || showsColumn || onlyMatching || isPerMatch || replacement != nil || countsMatches
  }
}

/// What was printed of a document, and what was found in it.
struct GrepOutput: Sendable {
  let id: String
  var bytes: [UInt8] = []
  /// How many of them ripgrep would count as printed: none of a summary, and not the last message of JSON.
  var printedCount = 0
  /// Matching lines.
  var lineCount = 0
  var matchCount = 0
  /// Whether the document is one of those that were looked for.
  var isFound = false
  /// Why the search of the document ended early.
  var problem: String?
  /// The bytes of its text.
  var textSize = 0
  var seconds = 0.0
}

/// The parts of a printed line: what is written around them, and their colours, which are ripgrep's.
enum GrepPart {
  case id, lineNumber, column, match

  /// The escape sequence in front; the same resets all behind.
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
