/// The nesting depth of JSON text.
public enum JSONDepth {
  /// Returns whether arrays and objects, empty ones included, are nested deeper than a number of levels.
  ///
  /// - Parameters:
  ///   - limit: The number of levels. A scalar has no levels.
  ///   - text: Valid JSON.
  /// - Complexity: O(n); O(1) for a text that is too short for more than `limit` levels.
  public static func exceeds(_ limit: Int, in text: UnsafeRawBufferPointer) -> Bool {
    // Each level needs two brackets.
    guard text.count / 2 > limit else { return false }
    var depth = 0
    var isInString = false
    var position = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      if isInString {
        if byte == UInt8(ascii: "\\") { position += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > limit { return true }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return false
  }
}
