public import LineSearch

/// A search for lines that match regular expressions, in the text of documents.
///
/// ```swift
/// var request = PatternSearchRequest(#"EXPORT_SYMBOL_GPL\(usb_\w+\)"#)
/// request.idPrefixes = ["drivers/usb"]
/// request.linesAfter = 2
/// ```
///
/// A request consists of a ``LineQuery``, whose properties are also properties of the request, and of the documents to
/// search.
@dynamicMemberLookup
public struct PatternSearchRequest: Hashable, Sendable {
  /// When letters match regardless of case.
  public typealias LetterCase = LineQuery.LetterCase

  /// The lines to find in each document, and the lines around them to show.
  public var lines: LineQuery

  /// The property to search: a string, or all strings in an array or object. If it is nil, the property `text` is
  /// searched, which contains the text of indexed files; in documents without such a string, all strings are searched.
  public var field: String?
  /// Restricts the search to documents with one of these ids, or below one of them; empty for all. `docs` is a prefix
  /// of `docs/a.md` and of `docs:12`, but not of `docs2`. A prefix that does not end with a letter or digit matches
  /// every id that starts with it.
  public var idPrefixes: [String] = []
  /// Restricts the search to documents that were read from one of these files or folders, given as absolute paths
  /// without symbolic links. Documents that match ``idPrefixes`` are also searched. If both are empty, all documents
  /// are searched.
  public var sourcePaths: [String] = []
  /// The order in which documents are searched. ``Order/stored`` by default, which is the fastest.
  public var order = Order.stored
  /// Whether the order is reversed, unless it is ``Order/stored``. False by default.
  public var reversesOrder = false

  /// Whether documents without a matching line are also visited. False by default.
  public var visitsAllDocuments = false
  /// Whether a pattern index may choose the documents to read. True by default.
  public var usesIndex = true
  /// Whether servers of a database on several PostgreSQL servers are left out if they cannot be reached, instead of the
  /// search throwing an error. False by default. ``PatternSearchSummary/missingServers`` lists them.
  ///
  /// The first server is always needed, and in a batch all servers are. If the connection to a server is lost while its
  /// documents are read, the search throws ``CBLError/cantOpenFile``. A database in a file ignores this property, and
  /// so does ``LineSearcher``.
  public var allowsPartialResults = false
  /// How long the whole search may take; nil for no limit. A search that takes longer delivers the results found so far
  /// and throws ``CBLError/timeout``. ``LineSearcher`` ignores this property.
  public var timeout: Duration?

  /// The order of documents.
  public enum Order: Hashable, Sendable {
    /// By the time at which documents were first saved. The fastest order.
    case stored
    /// By id, component by component. Components are separated by slashes and compared by bytes.
    case id
    /// By the modification time of the document's file, or of the document if it was not read from a file.
    case modified
  }

  /// Creates a search for lines that match one of these patterns, with the default options.
  ///
  /// - Parameter patterns: PCRE2 regular expressions.
  public init(_ patterns: String...) { lines = LineQuery(patterns: patterns) }

  /// Creates a search for the lines of a query, with the default options.
  ///
  /// - Parameter lines: the lines to find.
  public init(_ lines: LineQuery) { self.lines = lines }

  /// Checks the patterns and the field without searching documents.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for a pattern that cannot be parsed; ``CBLError/invalidParameter`` for a field
  ///   that is not a property path.
  public func check() throws {
    try withPublicErrors {
      _ = try DocumentSearcher(self, LinePattern(lines))
    }
  }

  /// The properties of ``lines``, such as ``LineQuery/isMultiline``.
  ///
  /// - Parameter property: the property.
  public subscript<Value>(dynamicMember property: WritableKeyPath<LineQuery, Value>) -> Value {
    get { lines[keyPath: property] }
    set { lines[keyPath: property] = newValue }
  }

  /// The read-only properties of ``lines``.
  ///
  /// - Parameter property: the property.
  public subscript<Value>(dynamicMember property: KeyPath<LineQuery, Value>) -> Value { lines[keyPath: property] }
}
