import Foundation

/// Reads the lines of a file of any size. Memory use is proportional to the longest line, up to the limit.
struct LineReader {
  /// A line, or its length if it exceeds the limit.
  enum Line {
    /// The bytes without the line feed, valid until the next line is read.
    case text(UnsafeRawBufferPointer)
    case tooLong(Int64)
  }

  private var buffer: PieceBuffer
  private var start = 0
  /// The number of the last returned line, counted from 1.
  private(set) var number = 0

  /// Starts at the beginning of a source. The buffer is cleared and then used for the lines.
  init(_ source: ByteSource, buffer: ByteBuffer, limit: Int) {
    self.buffer = PieceBuffer(source, buffer: buffer, limit: limit)
  }

  /// Returns the next line; nil at the end. A final line without a line feed is returned unless it is empty.
  mutating func next() throws -> Line? {
    var searched = start
    while true {
      if let end = buffer.bytes.firstIndex(of: UInt8(ascii: "\n"), from: searched) {
        return take(upTo: end, next: end + 1)
      }
      let added = try buffer.extend(from: start)
      start = 0
      guard let added else {
        return buffer.isEmpty ? nil : take(upTo: buffer.bytes.count, next: buffer.bytes.count)
      }
      searched = added
    }
  }

  private mutating func take(upTo end: Int, next: Int) -> Line {
    let (line, size) = buffer.end(start..<end)
    start = next
    number += 1
    return line.map { .text($0) } ?? .tooLong(size)
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
