/// Formats JSON text. Only white space between tokens changes; numbers and strings remain as written.
enum JSONLayout {
  /// Returns the text on one line, without white space between tokens.
  static func compact(_ json: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(json.utf8.count)
    var scanner = Scanner()
    for byte in json.utf8 where scanner.isInString(byte) || !isSpace(byte) { result.append(byte) }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the text with one member or element per line, indented by two spaces per level.
  static func pretty(_ json: String) -> String {
    let bytes = Array(compact(json).utf8)
    var result: [UInt8] = []
    var scanner = Scanner()
    var depth = 0
    func breakLine() {
      result.append(UInt8(ascii: "\n"))
      result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }
    for (position, byte) in bytes.enumerated() {
      guard !scanner.isInString(byte) else {
        result.append(byte)
        continue
      }
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        result.append(byte)
        depth += 1
        // An empty object or array remains on one line.
        if next != UInt8(ascii: "}"), next != UInt8(ascii: "]") { breakLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        let previous = position > 0 ? bytes[position - 1] : 0
        if previous != UInt8(ascii: "{"), previous != UInt8(ascii: "[") { breakLine() }
        result.append(byte)
      case UInt8(ascii: ","):
        result.append(byte)
        breakLine()
      case UInt8(ascii: ":"): result.append(contentsOf: ": ".utf8)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Determines which bytes of a valid text are in strings, including the quotation marks.
  private struct Scanner {
    private var isInside = false
    private var isEscaped = false

    mutating func isInString(_ byte: UInt8) -> Bool {
      guard isInside else {
        isInside = byte == UInt8(ascii: "\"")
        return isInside
      }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInside = false
      }
      return true
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
