/// Tells words of a query from names and numbers, which nobody wants corrected.
enum CorrectableText {
  /// Whether a word stands for itself: no digit touches it, nor any character that names of programs, files and addresses
  /// have between their parts, and it has no capital letter behind a small one.
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
    // Lazy: a part may be a hundred thousand bytes of names.
    let before = text[limits.lowerBound..<word.lowerBound].lazy.reversed().prefix { isInName($0) }
    let after = text[word.upperBound..<limits.upperBound].lazy.prefix { isInName($0) }
    // A full stop at the end of a sentence joins nothing.
    return !before.contains { isLetterOrDigit($0) } && !after.contains { isLetterOrDigit($0) }
      && before.first.map { !joiners.contains($0) } ?? true
  }

  /// What stands between the parts of names: `a.b`, `std::vector`, `user@host`, `a/b`. In front of a word it makes a name of
  /// that alone: `.profile`, `#define`, `$path`.
  private static let joiners = Set("_.:/\\@#$&+=~%".utf8)

  private static func isInName(_ byte: UInt8) -> Bool { joiners.contains(byte) || isLetterOrDigit(byte) }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
