import JSONText

/// Output bytes with colours, in which terminal control characters are replaced.
struct GrepBytes {
  private(set) var bytes: [UInt8] = []
  let isColored: Bool
  let isForTerminal: Bool

  init(_ format: GrepFormat) {
    isColored = format.isColored
    isForTerminal = format.isForTerminal
  }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends a number.
  mutating func append(_ number: Int, as part: GrepPart) {
    if isColored { append(part.start) }
    bytes.append(decimal: Int64(number))
    if isColored { append(GrepPart.end) }
  }

  mutating func append(bytes: [UInt8]) { self.bytes.append(contentsOf: bytes) }

  mutating func append(_ text: some Sequence<UInt8>, as part: GrepPart) {
    if isColored { append(part.start) }
    append(text: text)
    if isColored { append(GrepPart.end) }
  }

  /// Appends text from a document. On a terminal, control characters other than tabs and line breaks become U+FFFD.
  mutating func append(text: some Sequence<UInt8>) {
    guard isForTerminal else { return bytes.append(contentsOf: text) }
    var previous: UInt8 = 0
    for byte in text {
      switch byte {
      case 0x09, 0x0A, 0x0D: bytes.append(byte)
      case 0..<0x20, 0x7F: append("\u{FFFD}")
      // The C1 control characters U+0080 to U+009F begin with C2.
      case 0x80..<0xA0 where previous == 0xC2:
        bytes.removeLast()
        append("\u{FFFD}")
      default: bytes.append(byte)
      }
      previous = byte
    }
  }
}
