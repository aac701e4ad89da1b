/// Text in UTF-8 with a few invalid bytes, such as a log to which a program with another character set has written, or
/// a file that ends within a character.
enum DamagedUTF8 {
  /// The minimum ratio of valid characters above ASCII to invalid sequences. Text in another character set contains
  /// hardly any valid ones.
  private static let minimumRatio = 4

  /// Returns the text with U+FFFD for its invalid sequences; nil if it is probably in another character set.
  static func repaired(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    let repaired = String(decoding: text, as: UTF8.self)
    var (valid, invalid) = (0, 0)
    for scalar in repaired.unicodeScalars where !scalar.isASCII {
      if scalar == "\u{FFFD}" { invalid += 1 } else { valid += 1 }
    }
    // The text may end within a character.
    if repaired.unicodeScalars.last == "\u{FFFD}" { invalid -= 1 }
    return valid > invalid * minimumRatio ? Array(repaired.utf8) : nil
  }
}
