import Concordance
import Foundation

/// A line to print, or several lines if matches span lines. It is valid as long as its bytes are valid.
struct GrepDisplayLine {
  let line: SearchedLine
  /// The bytes, including the line break.
  let bytes: UnsafeRawBufferPointer
  /// The ranges of matches in ``bytes``, or of their replacements, in order.
  let matches: [Range<Int>]

  /// Calls `body` with each line in ``bytes``, including its line break, and its number from 0, until it returns false.
  func forEachLine(_ body: (Int, Range<Int>) -> Bool) {
    var start = 0
    var number = 0
    while start < bytes.count {
      let end = self.end(ofLineAt: start)
      guard body(number, start..<end) else { return }
      start = end
      number += 1
    }
  }

  /// Returns the end of the line that begins at `start`, after its line break.
  func end(ofLineAt start: Int) -> Int {
    guard let base = bytes.baseAddress, let hit = memchr(base + start, 0x0A, bytes.count - start) else {
      return bytes.count
    }
    return UnsafeRawPointer(hit) - base + 1
  }

  /// Returns the range of a line without its line break.
  func content(of range: Range<Int>) -> Range<Int> {
    !range.isEmpty && bytes[range.upperBound - 1] == 0x0A ? range.lowerBound..<(range.upperBound - 1) : range
  }
}
