import Foundation

/// Hands out the lines of a file, which may be of any size: memory is used for the longest line that is kept.
struct LineReader {
  /// A line, or how long it was when it was longer than the limit.
  enum Line {
    /// The bytes without the line feed, valid until the next line is asked for.
    case text(UnsafeRawBufferPointer)
    case tooLong(Int64)
  }

  private let source: ByteSource
  private let buffer: ByteBuffer
  private let limit: Int
  private var start = 0
  /// The number of the line that was handed out last, counted from 1.
  private(set) var number = 0

  /// Begins at the start of a source. The buffer is emptied and used for the lines.
  init(_ source: ByteSource, buffer: ByteBuffer, limit: Int) {
    self.source = source
    self.buffer = buffer
    self.limit = limit
    buffer.removeAll()
  }

  /// The next line; nil at the end. A last line without a line feed is one, unless it is empty.
  mutating func next() throws -> Line? {
    var searched = start
    var skipped: Int64 = 0
    while true {
      if let end = buffer.bytes.firstIndex(of: UInt8(ascii: "\n"), from: searched) {
        return take(upTo: end, next: end + 1, skipped: skipped)
      }
      if buffer.count - start > limit {
        // Too long already: nothing of it is kept, but its end is still looked for.
        skipped += Int64(buffer.count - start)
        buffer.removeAll()
      } else {
        buffer.removeFirst(start)
      }
      start = 0
      searched = buffer.count
      if try !source.read(into: buffer) {
        if buffer.count == 0, skipped == 0 { return nil }
        return take(upTo: buffer.count, next: buffer.count, skipped: skipped)
      }
    }
  }

  private mutating func take(upTo end: Int, next: Int, skipped: Int64) -> Line {
    let line = UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<end])
    start = next
    number += 1
    let length = skipped + Int64(line.count)
    return length > Int64(limit) ? .tooLong(length) : .text(line)
  }
}

extension UnsafeRawBufferPointer {
  /// Where a byte stands next, by memchr(3).
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  var hasNUL: Bool { firstIndex(of: 0, from: 0) != nil }
}
