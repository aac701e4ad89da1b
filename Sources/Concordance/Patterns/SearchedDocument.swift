import DocumentStore
public import LineSearch

/// A document that is being searched. Its text is valid only inside the closure that receives it.
public struct SearchedDocument {
  /// The id of the document.
  public let id: String
  /// The text as UTF-8: the string that is searched, or all strings, each followed by a line break.
  public let text: UnsafeRawBufferPointer
  private let prepared: LineText
  private let scanner: LineScanner

  init(id: String, text: UnsafeRawBufferPointer, parts: [Range<Int>], isValidUTF8: Bool, scanner: LineScanner) {
    self.id = id
    self.text = text
    prepared = scanner.prepare(text, parts: parts, isValidUTF8: isValidUTF8, remaining: Deadline.current?.remaining)
    self.scanner = scanner
  }

  /// Whether matches may cross line breaks: ``LineQuery/isMultiline`` is set, and the patterns can match a line break.
  public var matchesSpanLines: Bool { scanner.spansLines }

  /// Calls a closure with each line to show. See ``LineSearcher/forEachLine(of:_:)``.
  ///
  /// - Parameter body: receives a line and returns whether to continue.
  /// - Throws: ``CBLError/timeout`` if a match takes more time or steps than the limits allow, or
  ///   ``CBLError/unexpectedError`` if it takes more memory; the errors of `body`.
  public func forEachLine(_ body: (SearchedLine) throws -> Bool) throws {
    try withPublicErrors { try scanner.forEachLine(of: prepared, body) }
  }

  /// Returns the number of lines that a ``SearchedLine`` covers: more than one only if ``matchesSpanLines`` is true.
  ///
  /// - Parameter line: a line of this document. A line of a longer document counts as 1.
  public func lineCount(of line: SearchedLine) -> Int {
    line.range.upperBound <= text.count ? scanner.lineCount(of: line, in: prepared) : 1
  }

  /// Returns the ranges of the matches in a line, in bytes of ``text``.
  ///
  /// - Parameter line: a line of this document.
  /// - Throws: ``CBLError/timeout`` if a match takes more time or steps than the limits allow, or
  ///   ``CBLError/unexpectedError`` if it takes more memory; ``CBLError/invalidParameter`` if the line is not in the
  ///   text, because it is a line of a longer text.
  public func matches(in line: SearchedLine) throws -> [Range<Int>] {
    try withPublicErrors {
      try line.requireInside(text)
      return try scanner.matches(in: line, of: prepared)
    }
  }

  /// Returns the ranges of the first matches in a line, in bytes of ``text``, and the number of all matches. A long
  /// line may have millions.
  ///
  /// - Parameters:
  ///   - line: a line of this document.
  ///   - limit: the maximum number of ranges to return.
  /// - Throws: ``CBLError/timeout`` if a match takes more time or steps than the limits allow, or
  ///   ``CBLError/unexpectedError`` if it takes more memory; ``CBLError/invalidParameter`` if the line is not in the
  ///   text, because it is a line of a longer text.
  public func matches(in line: SearchedLine, limit: Int) throws -> (ranges: [Range<Int>], count: Int) {
    try withPublicErrors {
      try line.requireInside(text)
      return try scanner.matches(in: line, of: prepared, limit: limit)
    }
  }

  /// Returns a line with its matches replaced.
  ///
  /// - Parameters:
  ///   - line: a line of this document.
  ///   - template: the replacement, which can refer to groups.
  /// - Throws: ``CBLError/timeout`` if a match takes more time or steps than the limits allow, or
  ///   ``CBLError/unexpectedError`` if it takes more memory; ``CBLError/invalidParameter`` if the line is not in the
  ///   text, because it is a line of a longer text.
  public func replacing(in line: SearchedLine, with template: LineReplacement) throws -> ReplacedLine {
    try withPublicErrors {
      try line.requireInside(text)
      return try scanner.replacing(in: line, of: prepared, with: template)
    }
  }
}

@available(*, unavailable)
extension SearchedDocument: Sendable {}
