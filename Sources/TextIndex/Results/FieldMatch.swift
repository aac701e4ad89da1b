/// A match in a document.
public struct FieldMatch: Hashable, Sendable {
  /// The path of the matching string: the name of the field if the field is one string, otherwise a path below it
  /// (`reviews[2].content`).
  public let path: String
  /// The range of the match in that string, in bytes of UTF-8.
  public let range: Range<Int>
  /// The line of that string on which the match begins, counted from 1.
  public let line: Int

  /// Creates a match.
  ///
  /// - Parameters:
  ///   - path: the path of the matching string.
  ///   - range: the range of the match in that string, in bytes of UTF-8.
  ///   - line: the line on which the match begins, counted from 1.
  public init(path: String, range: Range<Int>, line: Int) {
    self.path = path
    self.range = range
    self.line = line
  }
}

/// A part of a document's text around matches.
public struct Snippet: Hashable, Sendable {
  /// The path of the string from which the snippet was taken.
  public let path: String
  /// The text, with each run of white space replaced with one space.
  public let text: String
  /// The ranges of the matches in ``text``, in bytes of UTF-8.
  public let matches: [Range<Int>]
  /// The line of that string on which the first match begins or, if there is no match, the snippet begins, counted from
  /// 1.
  public let line: Int
  /// Whether text precedes the snippet in the string.
  public let continuesBefore: Bool
  /// Whether text follows the snippet in the string.
  public let continuesAfter: Bool
}

/// Computes the lines of byte offsets, which must be passed in ascending order.
struct LineCounter {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the line of a byte, counted from 1. Lines end with a line feed.
  ///
  /// - Parameter offset: not less than in the previous call.
  /// - Complexity: O(n) in the number of bytes since the previous call.
  mutating func line(at offset: Int) -> Int {
    let end = min(offset, bytes.count)
    guard position < end else { return line }
    line += bytes.withUnsafeBufferPointer { bytes in
      // A loop over the indexes is vectorized.
      var count = 0
      for index in position..<end where bytes[index] == 0x0A { count &+= 1 }
      return count
    }
    position = end
    return line
  }
}
