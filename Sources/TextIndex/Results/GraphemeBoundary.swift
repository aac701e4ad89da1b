/// Finds offsets of a text at which a snippet can begin or end without separating a mark from its letter, or the parts
/// of an emoji sequence, a flag or a Hangul syllable.
enum GraphemeBoundary {
  /// The maximum number of bytes by which an offset is moved. Longer sequences are not meaningful text.
  private static let reach = 64
  /// The maximum number of bytes of flags before an offset that are read to find out which indicators are pairs.
  private static let flagReach = 4096

  /// Moves an offset forward to the next boundary, but not beyond the limit. The offset is the start of a character.
  static func first(in bytes: [UInt8], from offset: Int, limit: Int) -> Int {
    let end = min(limit, offset + reach)
    var index = offset
    while index < end, isInside(bytes, index) {
      index += 1
      while index < limit, isContinuation(bytes[index]) { index += 1 }
    }
    return index
  }

  /// Moves an offset back to the previous boundary, but not beyond the limit. The offset is the start of a character.
  static func last(in bytes: [UInt8], from offset: Int, limit: Int) -> Int {
    let start = max(limit, offset - reach)
    var index = offset
    while index > start, isInside(bytes, index) {
      let previous = characterStart(bytes, before: index)
      if previous < start { break }
      index = previous
    }
    return index
  }

  /// Returns whether the character at `index` belongs to the character before it.
  private static func isInside(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard index > 0, index < bytes.count else { return false }
    let (character, previous) = (scalar(bytes, at: index), scalar(bytes, at: characterStart(bytes, before: index)))
    if isExtending(character) || previous == zeroWidthJoiner { return true }
    if isConjoiningJamo(character) { return isJamo(previous) }
    return isRegionalIndicator(character) && isSecondIndicator(bytes, index)
  }

  /// Returns whether the regional indicator at `index` is the second one of a flag: an odd number precedes it.
  private static func isSecondIndicator(_ bytes: [UInt8], _ index: Int) -> Bool {
    var count = 0
    var start = index
    while start > 0, index - start < flagReach {
      start = characterStart(bytes, before: start)
      guard isRegionalIndicator(scalar(bytes, at: start)) else { break }
      count += 1
    }
    return count % 2 == 1
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// The vowels and final consonants of decomposed Hangul.
  private static func isConjoiningJamo(_ scalar: Unicode.Scalar) -> Bool { (0x1160...0x11FF).contains(scalar.value) }

  /// The letters of decomposed Hangul, and its syllables, which a final consonant can follow.
  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x11FF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
  }

  /// Marks, emoji modifiers, joiners, and the vowel sign AM of Thai and Lao, which is a letter.
  private static func isExtending(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    let properties = scalar.properties
    return scalar == zeroWidthJoiner || properties.isGraphemeExtend || properties.isEmojiModifier
      || properties.generalCategory == .spacingMark || scalar == "\u{E33}" || scalar == "\u{EB3}"
  }

  /// Returns the character at `index`; U+FFFD for invalid UTF-8.
  private static func scalar(_ bytes: [UInt8], at index: Int) -> Unicode.Scalar {
    String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
  }

  /// Returns the start of the character that ends before `index`, which is greater than 0.
  private static func characterStart(_ bytes: [UInt8], before index: Int) -> Int {
    var start = index - 1
    while start > 0, index - start < 4, isContinuation(bytes[start]) { start -= 1 }
    return start
  }

  /// Returns whether a byte of UTF-8 is in a character, after its first byte.
  static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  private static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
}
