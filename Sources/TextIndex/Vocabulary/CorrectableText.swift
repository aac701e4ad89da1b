/// Distinguishes words of a query from names and numbers, which are not corrected.
enum CorrectableText {
  /// Whether a word is an ordinary word: no digit touches it, nor any character that names of programs, files and
  /// addresses have between their parts, and it has no capital letter after a small one.
  ///
  /// - Parameters:
  ///   - word: the bytes of the word.
  ///   - text: the text.
  ///   - limits: the bytes of what it is a part of.
  static func isWord(at word: Range<Int>, in text: [UInt8], within limits: Range<Int>) -> Bool {
    let letters = String(decoding: text[word], as: UTF8.self).unicodeScalars
    if letters.contains(where: { $0 == "_" || $0.properties.numericType != nil }) { return false }
    if zip(letters, letters.dropFirst()).contains(where: { $0.properties.isLowercase && $1.properties.isUppercase }) {
      return false
    }
    let before = text[limits.lowerBound..<word.lowerBound].reversed()
    // A full stop at the end of a sentence joins nothing.
    return before.first.map { !joiners.contains($0) } ?? true && !isJoined(to: before)
      && !isJoined(to: text[word.upperBound..<limits.upperBound])
  }

  /// Whether bytes begin with a letter or a digit, or with joiners and one of these. No more of them are looked at,
  /// since a word may be one of 100,000 in a name.
  private static func isJoined(to bytes: some Sequence<UInt8>) -> Bool {
    bytes.first { !joiners.contains($0) }.map { isLetterOrDigit($0) } ?? false
  }

  /// The separators of the parts of names: `a.b`, `std::vector`, `user@host`, `a/b`. In front of a word it makes a name
  /// of that alone: `.profile`, `#define`, `$path`.
  private static let joiners = Set("_.:/\\@#$&+=~%".utf8)

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
