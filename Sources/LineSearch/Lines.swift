import Foundation

/// Finds and counts the lines of a text. A line ends after U+000A, or with the text; an empty text has no lines.
enum Lines {
  /// Returns the start of the line that contains the byte at `offset`, or `limit` if that is larger. `limit` must be
  /// the start of a line.
  static func start(of offset: Int, in text: UnsafeRawBufferPointer, notBefore limit: Int = 0) -> Int {
    var start = offset
    // A loop is fast enough because lines are short. memrchr is a GNU extension.
    while start > limit, text[start - 1] != 0x0A { start -= 1 }
    return start
  }

  /// Returns the end of the line that contains the byte at `offset`, after its line break.
  static func end(of offset: Int, in text: UnsafeRawBufferPointer) -> Int {
    guard offset < text.count, let base = text.baseAddress, let hit = memchr(base + offset, 0x0A, text.count - offset)
    else { return text.count }
    return UnsafeRawPointer(hit) - base + 1
  }

  /// Returns a line without its line break.
  static func content(of line: Range<Int>, in text: UnsafeRawBufferPointer) -> Range<Int> {
    !line.isEmpty && text[line.upperBound - 1] == 0x0A ? line.lowerBound..<(line.upperBound - 1) : line
  }

  /// Returns the number of line breaks in a part of a text.
  ///
  /// - Complexity: O(n), eight bytes at a time.
  static func breakCount(in range: Range<Int>, of text: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
      let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
      // Sets the high bit of exactly the zero bytes: unlike in the usual test, no borrow propagates.
      let low = (word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F
      count += (~(low | word | 0x7F7F_7F7F_7F7F_7F7F)).nonzeroBitCount
      index += 8
    }
    while index < range.upperBound {
      if text[index] == 0x0A { count += 1 }
      index += 1
    }
    return count
  }
}
