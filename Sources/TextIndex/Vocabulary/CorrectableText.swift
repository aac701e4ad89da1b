/// Distinguishes words of a query from identifiers and numbers, which are not corrected.
enum CorrectableText {
  /// Returns whether a word is an ordinary word: it is not adjacent to a digit or to a separator of identifiers, file
  /// names and addresses, and has no uppercase letter after a lowercase one.
  ///
  /// - Parameters:
  ///   - word: the bytes of the word.
  ///   - text: the text.
  ///   - limits: the byte range of the token that contains it.
  static func isWord(at word: Range<Int>, in text: [UInt8], within limits: Range<Int>) -> Bool {
    let letters = String(decoding: text[word], as: UTF8.self).unicodeScalars
    if letters.contains(where: { $0 == "_" || $0.properties.numericType != nil }) { return false }
    if zip(letters, letters.dropFirst()).contains(where: { $0.properties.isLowercase && $1.properties.isUppercase }) {
      return false
    }
    let before = text[limits.lowerBound..<word.lowerBound].reversed()
    // A full stop at the end of a sentence is not a separator.
    return before.first.map { !joiners.contains($0) } ?? true && !isJoined(to: before)
      && !isJoined(to: text[word.upperBound..<limits.upperBound])
  }

  /// Returns whether bytes begin with a letter or a digit, or with separators that precede one. Only a few bytes are
  /// examined, because a name may contain 100,000 words.
  private static func isJoined(to bytes: some Sequence<UInt8>) -> Bool {
    bytes.first { !joiners.contains($0) }.map { isLetterOrDigit($0) } ?? false
  }

  /// The separators in names: `a.b`, `std::vector`, `user@host`, `a/b`. A word after a leading separator is also a
  /// name: `.profile`, `#define`, `$path`.
  private static let joiners = Set("_.:/\\@#$&+=~%".utf8)

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
