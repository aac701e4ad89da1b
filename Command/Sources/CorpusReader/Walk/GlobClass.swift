/// A character class in a glob: `[abc]`, `[a-z]`, `[!a]`, `[^a]`, `[[:digit:]]`.
enum GlobClass {
  /// Looks up `byte` in the class that begins at `start`.
  ///
  /// - Returns: the index of the closing bracket and whether the byte is a member; nil if the class is malformed and
  ///   therefore matches nothing.
  static func match(
    _ byte: UInt8, in pattern: UnsafeRawBufferPointer, at start: Int
  ) -> (end: Int, isMember: Bool)? {
    var p = start + 1
    guard p < pattern.count else { return nil }
    let isNegated = pattern[p] == UInt8(ascii: "!") || pattern[p] == UInt8(ascii: "^")
    if isNegated { p += 1 }
    var isMember = false
    var previous: UInt8?
    // A closing bracket in first position is a member.
    var isFirst = true
    while true {
      guard p < pattern.count else { return nil }
      let current = pattern[p]
      if current == UInt8(ascii: "]"), !isFirst { break }
      isFirst = false
      if current == UInt8(ascii: "["), p + 1 < pattern.count, pattern[p + 1] == UInt8(ascii: ":") {
        let nameStart = p + 2
        var end = nameStart
        while end < pattern.count, pattern[end] != UInt8(ascii: "]") { end += 1 }
        guard end < pattern.count else { return nil }
        if end > nameStart, pattern[end - 1] == UInt8(ascii: ":") {
          let name = UnsafeRawBufferPointer(rebasing: pattern[nameStart..<(end - 1)])
          guard let isIn = contains(byte, className: name) else { return nil }
          isMember = isMember || isIn
          p = end
          previous = nil
        } else {
          // Not a class name: the bracket is an ordinary byte.
          isMember = isMember || byte == current
          previous = current
        }
      } else if current == UInt8(ascii: "-"), let low = previous, p + 1 < pattern.count,
        pattern[p + 1] != UInt8(ascii: "]")
      {
        p += 1
        if pattern[p] == UInt8(ascii: "\\") {
          p += 1
          guard p < pattern.count else { return nil }
        }
        isMember = isMember || (byte >= low && byte <= pattern[p])
        previous = nil
      } else {
        if current == UInt8(ascii: "\\") {
          p += 1
          guard p < pattern.count else { return nil }
        }
        isMember = isMember || byte == pattern[p]
        previous = pattern[p]
      }
      p += 1
    }
    return (p, isMember != isNegated)
  }

  private static func contains(_ byte: UInt8, className: UnsafeRawBufferPointer) -> Bool? {
    let isDigit = byte &- UInt8(ascii: "0") < 10
    let isUpper = byte &- UInt8(ascii: "A") < 26
    let isLower = byte &- UInt8(ascii: "a") < 26
    let isGraphic = byte > 0x20 && byte < 0x7F
    return switch String(decoding: className, as: UTF8.self) {
    case "alnum": isDigit || isUpper || isLower
    case "alpha": isUpper || isLower
    case "blank": byte == 0x20 || byte == 0x09
    case "cntrl": byte < 0x20 || byte == 0x7F
    case "digit": isDigit
    case "graph": isGraphic
    case "lower": isLower
    case "print": isGraphic || byte == 0x20
    case "punct": isGraphic && !(isDigit || isUpper || isLower)
    case "space": byte == 0x20 || (0x09...0x0D).contains(byte)
    case "upper": isUpper
    case "xdigit": isDigit || (byte | 0x20) &- UInt8(ascii: "a") < 6
    default: nil
    }
  }
}
