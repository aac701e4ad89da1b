import PatternMatching

/// A search for lines that match regular expressions, in the text of documents.
///
/// ```swift
/// var request = PatternSearchRequest(#"EXPORT_SYMBOL_GPL\(usb_\w+\)"#)
/// request.idPrefixes = ["drivers/usb"]
/// request.linesAfter = 2
/// ```
///
/// The expressions are those of PCRE2, with Unicode. Each line is a text of its own, as in grep: `^` and `$` match at its ends,
/// and no match reaches across a line break unless ``isMultiline`` is set. A line ends with U+000A; a carriage return in front
/// of it belongs to the line.
public struct PatternSearchRequest: Hashable, Sendable {
  /// When letters match in either case.
  public enum LetterCase: Hashable, Sendable {
    /// Never.
    case sensitive
    /// Always.
    case insensitive
    /// When a character is written in the patterns and none of them is upper case. What stands for others, such as `\W` or
    /// `[[:upper:]]`, does not count.
    case smart
  }

  /// The expressions; a line matches when one of them does. Groups are numbered through all of them. None matches no line.
  public var patterns: [String]
  /// Whether the patterns are text to be found as it stands.
  public var isLiteral = false
  /// When letters match in either case.
  public var letterCase = LetterCase.sensitive
  /// Whether a match must not have a letter, digit or `_` on either side.
  public var matchesWords = false
  /// Whether a match must be the whole line. Beats ``matchesWords``.
  public var matchesWholeLines = false
  /// Whether the lines without a match are wanted.
  public var isInverted = false
  /// Whether matches may reach across line breaks. `^` and `$` match at the ends of lines all the same.
  public var isMultiline = false
  /// Whether `.` matches a line break; only with ``isMultiline``.
  public var dotMatchesNewlines = false

  /// Whether a carriage return in front of a line break belongs to the break: `$` matches before it. Not across lines.
  public var ignoresCarriageReturns = false

  /// The property to search in. A string there is the text; of an array or object, every string in it. Nil is `text`, where
  /// the documents of files have theirs; a document without such a string is searched in every string that it holds.
  public var field: String?
  /// Only documents with one of these ids, or below one of them, are searched; none for all. `docs` is a prefix of `docs/a.md`
  /// and of `docs:12`, and not of `docs2`; one that ends with anything but a letter or digit is a prefix of what goes on.
  public var idPrefixes: [String] = []
  /// Absolute paths, without symbolic links, of files and folders: only documents that were read from one of these files, or from a file
  /// below one of these folders, are searched, and documents of ``idPrefixes``. None of both is for all documents.
  public var sourcePaths: [String] = []
  /// The order in which documents are searched.
  public var order = Order.stored
  /// Whether the order is reversed, unless it is ``Order/stored``.
  public var reversesOrder = false

  /// How many matching lines of a document are wanted at most; nil for all.
  public var maximumCount: Int?
  /// How many lines in front of a matching one are shown.
  public var linesBefore = 0
  /// How many lines behind a matching one are shown.
  public var linesAfter = 0
  /// Whether all lines are shown, be there a match or not. Beats ``linesBefore`` and ``linesAfter``.
  public var showsAllLines = false
  /// Whether lines are numbered. Counting them takes time.
  public var numbersLines = true
  /// Whether documents without a matching line are visited, too.
  public var visitsAllDocuments = false
  /// Whether an index may choose the documents that are read.
  public var usesIndex = true
  /// How long matching may keep a processor for a document, and once more for each 8 MiB of its text. What takes longer is an
  /// error of the document.
  public var timeLimit = Duration.seconds(1)
  /// How long the whole search may take; nil for no limit. A search that takes longer throws ``CBLError/timeout``, after what was
  /// found until then was delivered. ``LineSearcher`` does not look at it.
  public var timeout: Duration?

  /// Orders of documents.
  public enum Order: Hashable, Sendable {
    /// The order in which they were saved first. The fastest.
    case stored
    /// By the ids, part by part between slashes, each by its bytes.
    case id
    /// By the time when the document's file, or else the document, was changed.
    case modified
  }

  /// The first of the patterns that asks for a line break, such as `a\nb`: without ``isMultiline`` it cannot match, and searching for
  /// it is an error.
  public var patternAskingForLineBreak: String? {
    var options = PatternOptions()
    options.isLiteral = isLiteral
    return patterns.first { LinePatternText($0, options).asksForNewline }
  }

  /// A search for lines that match one of these patterns, with the defaults.
  public init(_ patterns: String...) { self.patterns = patterns }
}
