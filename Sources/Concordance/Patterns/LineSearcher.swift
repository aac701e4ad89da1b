import DocumentStore
public import LineSearch

/// Searches text in memory for the lines that a ``LineQuery`` describes. It reuses the memory that matching needs, so
/// use one instance for many searches. Use an instance on one thread only.
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
  /// - Parameter query: the lines to find.
  /// - Throws: ``CBLError/invalidQuery`` for a pattern that cannot be parsed, with the reason and the position.
  public init(_ query: LineQuery) throws { scanner = try withPublicErrors { try LineScanner(query) } }

  /// Compiles the patterns of a request; its options for documents are ignored.
  ///
  /// - Parameter request: the request.
  /// - Throws: ``CBLError/invalidQuery`` for a pattern that cannot be parsed, with the reason and the position.
  public convenience init(_ request: PatternSearchRequest) throws { try self.init(request.lines) }

  /// Calls a closure with each line to show, in the order of the text.
  ///
  /// After the last of ``LineQuery/maximumCount`` matching lines, context lines are still reported; those that match
  /// are reported as matches, as in ripgrep.
  ///
  /// - Parameters:
  ///   - text: the bytes of the text, UTF-8.
  ///   - body: receives a line and returns whether to continue.
  /// - Throws: ``CBLError/timeout`` if a match takes more time or steps than the limits allow, or
  ///   ``CBLError/unexpectedError`` if it takes more memory; the errors of `body`.
  /// - Complexity: O(n) for most patterns.
  public func forEachLine(of text: UnsafeRawBufferPointer, _ body: (SearchedLine) throws -> Bool) throws {
    try withPublicErrors {
      try scanner.forEachLine(of: scanner.prepare(text, remaining: Deadline.current?.remaining), body)
    }
  }

  /// Returns the ranges of the matches in a line, in bytes of the text.
  ///
  /// A ``SearchedLine`` does not contain them, because finding all matches takes longer than finding the line.
  ///
  /// - Parameters:
  ///   - line: a line that ``forEachLine(of:_:)`` has reported.
  ///   - text: the same text.
  /// - Throws: ``CBLError/timeout`` if a match takes more time or steps than the limits allow, or
  ///   ``CBLError/unexpectedError`` if it takes more memory; ``CBLError/invalidParameter`` if the line is not in the
  ///   text, because it is a line of a longer text.
  /// - Complexity: O(n) in the length of the line for most patterns; in that of the text if matches may cross line
  ///   breaks.
  public func matches(in line: SearchedLine, of text: UnsafeRawBufferPointer) throws -> [Range<Int>] {
    try withPublicErrors {
      try line.requireInside(text)
      return try scanner.matches(in: line, of: scanner.prepareForMatches(text))
    }
  }

  /// Returns a line with its matches replaced.
  ///
  /// - Parameters:
  ///   - line: a line that ``forEachLine(of:_:)`` has reported.
  ///   - text: the same text.
  ///   - template: the replacement, which can refer to groups.
  /// - Throws: ``CBLError/timeout`` if a match takes more time or steps than the limits allow, or
  ///   ``CBLError/unexpectedError`` if it takes more memory; ``CBLError/invalidParameter`` if the line is not in the
  ///   text, because it is a line of a longer text.
  /// - Complexity: O(n) in the length of the line for most patterns; in that of the text if matches may cross line
  ///   breaks.
  public func replacing(
    in line: SearchedLine, of text: UnsafeRawBufferPointer, with template: LineReplacement
  ) throws -> ReplacedLine {
    try withPublicErrors {
      try line.requireInside(text)
      return try scanner.replacing(in: line, of: scanner.prepareForMatches(text), with: template)
    }
  }
}

extension SearchedLine {
  /// Throws if the line extends after the end of a text. The scanner would read memory after the text.
  func requireInside(_ text: UnsafeRawBufferPointer) throws {
    guard range.upperBound <= text.count else {
      throw CBLError(
        CBLError.invalidParameter,
        "the line at bytes \(range) is not in the text of \(text.count) bytes; pass the text in which it was found")
    }
  }
}
