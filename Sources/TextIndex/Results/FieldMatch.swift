/// A match in a document.
public struct FieldMatch: Hashable, Sendable {
  /// The path of the matching string: the field's name where the field is one string, a path below it otherwise
  /// (`reviews[2].content`).
  public let path: String
  /// The bytes of the match in the UTF-8 of that string.
  public let range: Range<Int>
  /// The line of that string on which the match begins, counted from 1.
  public let line: Int

  /// Makes a match.
  public init(path: String, range: Range<Int>, line: Int) {
    self.path = path
    self.range = range
    self.line = line
  }
}

/// A part of a document's text around matches.
public struct Snippet: Hashable, Sendable {
  /// The path of the string that it was taken from.
  public let path: String
  /// The text, each run of white space folded into one space.
  public let text: String
  /// The bytes of the matches in ``text``.
  public let matches: [Range<Int>]
  /// The line of that string on which the first match begins, or else the snippet, counted from 1.
  public let line: Int
  /// Whether text precedes it.
  public let continuesBefore: Bool
  /// Whether text follows it.
  public let continuesAfter: Bool
}

/// Counts the lines of a text, for offsets in increasing order.
struct LineCounter {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The line that a byte is on, counted from 1. Lines end with a line feed.
  ///
  /// - Parameter offset: not below that of the call before.
  /// - Complexity: O(n) in the number of bytes since the call before.
  mutating func line(at offset: Int) -> Int {
    let end = min(offset, bytes.count)
    while position < end {
      if bytes[position] == 0x0A { line += 1 }
      position += 1
    }
    return line
  }
}
