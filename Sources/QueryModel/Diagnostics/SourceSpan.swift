/// A half-open range of UTF-8 bytes in the text of a query.
///
/// Spans count bytes because the parsers do, and because an editor or a browser can convert bytes to its own unit
/// without knowing how Swift divides text into characters.
///
/// ```swift
/// let span = SourceSpan(2..<5)
/// span.text(in: "a AND b")   // "AND"
/// ```
public struct SourceSpan: Hashable, Sendable {
  /// Offset of the first byte.
  public let start: Int
  /// Offset of the byte after the last; equal to ``start`` for a position between two bytes.
  public let end: Int

  public init(_ range: Range<Int>) {
    start = range.lowerBound
    end = range.upperBound
  }

  /// Creates an empty span at a position, such as the end of the text.
  public init(at offset: Int) {
    self.init(offset..<offset)
  }

  public var range: Range<Int> { start..<end }

  public var isEmpty: Bool { start == end }

  /// Returns the smallest span that contains this one and another.
  public func union(_ other: SourceSpan) -> SourceSpan {
    SourceSpan(min(start, other.start)..<max(end, other.end))
  }

  /// Returns the text in the span. Any part of the span outside `source` is ignored, so a span of a different text
  /// yields a shorter string instead of a trap.
  public func text(in source: String) -> String {
    QueryText(source).text(self)
  }
}

/// A location in a text as editors show it: lines and columns are counted from 1, and columns are counted in
/// characters.
public struct SourceLocation: Hashable, Sendable {
  public let line: Int
  public let column: Int

  /// Creates the location of a byte offset; an offset past the end gives the location after the last character.
  ///
  /// Lines end at LF, CR or CR LF.
  ///
  /// - Complexity: O(*n*) in the offset.
  public init(offset: Int, in source: String) {
    let text = QueryText(source)
    let offset = text.clamp(offset)
    line = text.lineNumber(at: offset)
    column = text.text(SourceSpan(text.lineStart(before: offset)..<offset)).count + 1
  }
}
