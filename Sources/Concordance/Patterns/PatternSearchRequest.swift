public import LineSearch

/// A search for lines that match regular expressions, in the text of documents.
///
/// ```swift
/// var request = PatternSearchRequest(#"EXPORT_SYMBOL_GPL\(usb_\w+\)"#)
/// request.idPrefixes = ["drivers/usb"]
/// request.linesAfter = 2
/// ```
///
/// A request consists of a ``LineQuery``, whose properties are also properties of the request, and of the documents to search.
@dynamicMemberLookup
public struct PatternSearchRequest: Hashable, Sendable {
  /// When letters match in either case.
  public typealias LetterCase = LineQuery.LetterCase

  /// The lines to find in each document, and the lines around them to show.
  public var lines: LineQuery

  /// The property to search in. If it is a string, its text is searched; of an array or object, every string in it. Nil is
  /// `text`, which contains the text of documents that are files; a document without such a string is searched in all its strings.
  public var field: String?
  /// Only documents with one of these ids, or below one of them, are searched; empty for all. `docs` is a prefix of `docs/a.md`
  /// and of `docs:12`, but not of `docs2`. A prefix that does not end with a letter or digit matches every id that starts with it.
  public var idPrefixes: [String] = []
  /// Absolute paths, without symbolic links, of files and folders: only documents that were read from one of these files, or
  /// from a file below one of these folders, are searched, and documents of ``idPrefixes``. If both are empty, all documents are.
  public var sourcePaths: [String] = []
  /// The order in which documents are searched.
  public var order = Order.stored
  /// Whether the order is reversed, unless it is ``Order/stored``.
  public var reversesOrder = false

  /// Whether documents without a matching line are visited, too.
  public var visitsAllDocuments = false
  /// Whether an index may choose the documents that are read.
  public var usesIndex = true
  /// How long the whole search may take; nil for no limit. A search that takes longer throws ``CBLError/timeout``, after what was
  /// found until then was delivered. ``LineSearcher`` ignores it.
  public var timeout: Duration?

  /// Orders of documents.
  public enum Order: Hashable, Sendable {
    /// The order in which they were first saved. The fastest.
    case stored
    /// By the ids, part by part between slashes, each by its bytes.
    case id
    /// By the time when the document's file, or else the document, was changed.
    case modified
  }

  /// A search for lines that match one of these patterns, with the defaults.
  public init(_ patterns: String...) { lines = LineQuery(patterns: patterns) }

  /// A search for the lines of a query, with the defaults.
  public init(_ lines: LineQuery) { self.lines = lines }

  /// A property of ``lines``, such as ``LineQuery/isMultiline``.
  public subscript<Value>(dynamicMember property: WritableKeyPath<LineQuery, Value>) -> Value {
    get { lines[keyPath: property] }
    set { lines[keyPath: property] = newValue }
  }

  /// A property of ``lines`` that cannot be set.
  public subscript<Value>(dynamicMember property: KeyPath<LineQuery, Value>) -> Value { lines[keyPath: property] }
}
