import Foundation

/// The nesting depth of JSON text.
public enum JSONDepth {
  /// Returns whether arrays and objects, empty ones included, are nested deeper than a number of levels.
  ///
  /// - Parameters:
  ///   - limit: the number of levels. A scalar has no levels.
  ///   - text: valid JSON.
  /// - Complexity: O(n); O(1) for a text that is too short for more than `limit` levels.
  public static func exceeds(_ limit: Int, in text: UnsafeRawBufferPointer) -> Bool {
    // Each level needs two brackets.
    guard text.count / 2 > limit, let start = text.baseAddress else { return false }
    var depth = 0
    var position = 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""): position = endOfString(start, position, text.count)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > limit { return true }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
    }
    return false
  }

  /// Returns the offset of the quotation mark that ends a string, or the end of the text.
  private static func endOfString(_ text: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int {
    var position = start + 1
    while let found = memchr(text + position, Int32(UInt8(ascii: "\"")), count - position) {
      let end = UnsafeRawPointer(found) - text
      // The mark is escaped if the number of reverse solidi before it is odd.
      var first = end
      while first > position, text.load(fromByteOffset: first - 1, as: UInt8.self) == UInt8(ascii: "\\") { first -= 1 }
      if (end - first).isMultiple(of: 2) { return end }
      position = end + 1
    }
    return count
  }
}
