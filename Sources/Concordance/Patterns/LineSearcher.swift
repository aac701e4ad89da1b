import DocumentStore
public import LineSearch

/// Searches texts for the lines that a ``LineQuery`` asks for. It keeps the memory that matching needs, so one instance searches
/// many texts. It belongs to one thread.
///
/// ```swift
/// let searcher = try LineSearcher(LineQuery("colou?r"))
/// try searcher.forEachLine(of: bytes) { line in
///   print(line.number ?? 0, String(decoding: bytes[line.range], as: UTF8.self))
///   return true
/// }
/// ```
public final class LineSearcher {
  private let scanner: LineScanner

  /// Compiles the patterns of a query.
  ///
  /// - Throws: ``CBLError``: ``CBLError/invalidQuery`` for a pattern that cannot be read, with the reason and the position.
  public init(_ query: LineQuery) throws { scanner = try withPublicErrors { try LineScanner(query) } }

  /// Compiles the patterns of a request; what it says of documents is ignored.
  ///
  /// - Throws: ``CBLError``: ``CBLError/invalidQuery`` for a pattern that cannot be read, with the reason and the position.
  public convenience init(_ request: PatternSearchRequest) throws { try self.init(request.lines) }

  /// Calls `body` with each line to show, in the order of the text, until it returns false.
  ///
  /// After the last of ``LineQuery/maximumCount`` matching lines, the lines of its context are shown as what they are, matching
  /// ones too, as ripgrep does.
  ///
  /// - Parameter text: UTF-8.
  /// - Throws: ``CBLError`` if a match takes more work than the limits allow, and what `body` throws.
  /// - Complexity: O(n) for most patterns.
  public func forEachLine(of text: UnsafeRawBufferPointer, _ body: (SearchedLine) throws -> Bool) throws {
    try withPublicErrors {
      try scanner.forEachLine(of: scanner.prepare(text, remaining: Deadline.current?.remaining), body)
    }
  }

  /// Returns the matches in a line, in bytes of the text.
  ///
  /// They are not a part of the line because finding all of them costs more than finding the line.
  public func matches(in line: SearchedLine, of text: UnsafeRawBufferPointer) throws -> [Range<Int>] {
    try withPublicErrors { try scanner.matches(in: line, of: scanner.prepare(text, isNew: false)) }
  }

  /// Returns a line with its matches replaced.
  public func replacing(
    in line: SearchedLine, of text: UnsafeRawBufferPointer, with template: LineReplacement
  ) throws -> ReplacedLine {
    try withPublicErrors { try scanner.replacing(in: line, of: scanner.prepare(text, isNew: false), with: template) }
  }
}
