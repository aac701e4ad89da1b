import Foundation

/// Finds the ends of values in JSON text by scanning for brackets, commas and quotes only.
///
/// The text was validated when it was saved. For invalid text the results are meaningless, but all returned pointers
/// are inside the text and every loop terminates.
struct JSONScanner {
  /// The end of the text, after the last byte.
  let end: UnsafePointer<UInt8>

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  @inline(__always)
  func skipSpace(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var offset = start
    while offset < end, offset.pointee <= 0x20 { offset += 1 }
    return offset
  }

  /// Returns the closing quote of the string whose first byte is at `start`, or ``end``.
  @inline(__always)
  func endOfString(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var offset = start
    while offset < end, let hit = memchr(offset, 0x22, end - offset) {
      let quote = UnsafePointer(hit.assumingMemoryBound(to: UInt8.self))
      // A quote is escaped if an odd number of backslashes precedes it. Each run of backslashes is counted only once,
      // since the search continues after the quote.
      var run = quote
      while run > offset, run[-1] == JSONScanner.backslash { run -= 1 }
      if (quote - run) & 1 == 0 { return quote }
      offset = quote + 1
    }
    return end
  }

  /// Returns the end of the value that begins at `start`.
  @inline(__always)
  func endOfValue(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    guard start < end else { return end }
    let byte = start.pointee
    if byte == JSONScanner.quote {
      let quote = endOfString(start + 1)
      return quote < end ? quote + 1 : end
    }
    return JSONScanner.opens(byte) ? endOfContainer(start) : endOfScalar(start)
  }

  /// Returns the end of the number or word that begins at `start`.
  @inline(__always)
  func endOfScalar(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var offset = start
    while offset < end {
      let byte = offset.pointee
      if byte == UInt8(ascii: ",") || JSONScanner.closes(byte) || byte <= 0x20 { break }
      offset += 1
    }
    // Always advance, even past an unexpected byte, so that a loop over values terminates.
    return offset > start ? offset : start + 1
  }

  /// Returns the position after the bracket that closes the one at `start`.
  private func endOfContainer(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var depth = 0
    var offset = start
    while offset < end {
      let byte = offset.pointee
      if byte == JSONScanner.quote {
        offset = endOfString(offset + 1)
        if offset == end { return end }
      } else if JSONScanner.opens(byte) {
        depth += 1
      } else if JSONScanner.closes(byte) {
        depth -= 1
        if depth == 0 { return offset + 1 }
      }
      offset += 1
    }
    return end
  }

  /// `[` and `{` differ in one bit, as do `]` and `}`.
  @inline(__always)
  static func opens(_ byte: UInt8) -> Bool { byte | 0x20 == 0x7B }

  @inline(__always)
  static func closes(_ byte: UInt8) -> Bool { byte | 0x20 == 0x7D }
}
