import Foundation

/// Returns the lines of a file of any size; memory is used only for the longest line that is kept.
struct LineReader {
  /// A line, or its length if it exceeds the limit.
  enum Line {
    /// The bytes without the line feed, valid until the next line is read.
    case text(UnsafeRawBufferPointer)
    case tooLong(Int64)
  }

  private let source: ByteSource
  private let buffer: ByteBuffer
  private let limit: Int
  private var start = 0
  /// The number of the last returned line, counted from 1.
  private(set) var number = 0

  /// Starts at the beginning of a source. The buffer is emptied and holds the lines.
  init(_ source: ByteSource, buffer: ByteBuffer, limit: Int) {
    self.source = source
    self.buffer = buffer
    self.limit = limit
    buffer.removeAll()
  }

  /// Returns the next line; nil at the end. A last line without a line feed counts unless it is empty.
  mutating func next() throws -> Line? {
    var searched = start
    var skipped: Int64 = 0
    while true {
      if let end = buffer.bytes.firstIndex(of: UInt8(ascii: "\n"), from: searched) {
        return take(upTo: end, next: end + 1, skipped: skipped)
      }
      if buffer.count - start > limit {
        // The line exceeds the limit: its bytes are discarded, but its end is still searched for.
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
  /// Returns the next index of a byte, found with memchr(3).
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  var hasNUL: Bool { firstIndex(of: 0, from: 0) != nil }
}
