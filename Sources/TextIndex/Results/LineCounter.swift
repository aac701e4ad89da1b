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
