import Concordance
import Foundation

/// A line to print; several where matches reach across lines. It is there as long as the bytes are.
struct GrepShownLine {
  let line: SearchedLine
  /// The bytes, line break included.
  let bytes: UnsafeRawBufferPointer
  /// Where matches stand in ``bytes``, or what took their places, in order.
  let matches: [Range<Int>]

  /// Calls `body` with each single line in ``bytes``, line breaks included, and its number from 0, until it returns false.
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

  /// Where the line ends that begins at a place: behind its line break.
  func end(ofLineAt start: Int) -> Int {
    guard let base = bytes.baseAddress, let hit = memchr(base + start, 0x0A, bytes.count - start) else {
      return bytes.count
    }
    return UnsafeRawPointer(hit) - base + 1
  }

  /// A line without its line break.
  func content(of range: Range<Int>) -> Range<Int> {
    !range.isEmpty && bytes[range.upperBound - 1] == 0x0A ? range.lowerBound..<(range.upperBound - 1) : range
  }
}
