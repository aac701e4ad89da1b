/// Joins words that are hyphenated at the end of a line, as pdftotext does, so that a search finds them.
enum Hyphens {
  /// Returns the text without each hyphen and line break between a letter at the end of a line and a lower-case letter
  /// at the start of the next, or between two capital letters. Every non-ASCII byte counts as a lower-case letter. A
  /// hyphen between a lower-case and a capital letter is kept because it may be part of a name, such as `Couchbase-Lite`.
  static func joined(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let isHyphen =
        text[index] == UInt8(ascii: "-") && index + 2 < text.count && text[index + 1] == UInt8(ascii: "\n")
        && (result.last.map { joins($0, text[index + 2]) } ?? false)
      if isHyphen {
        index += 2
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  private static func joins(_ last: UInt8, _ next: UInt8) -> Bool {
    let isCapital = (0x41...0x5A).contains(last)
    return isCapital && (0x41...0x5A).contains(next) || isLetter(last) && isLowercase(next)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte) || (0x41...0x5A).contains(byte) }

  private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || byte >= 0x80 }
}
