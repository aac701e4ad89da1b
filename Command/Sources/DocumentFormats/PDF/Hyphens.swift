/// Joins words that are hyphenated at the end of a line, as pdftotext does, so that a search finds them.
enum Hyphens {
  /// Returns the text without each hyphen and line break between two letters, unless only the second is a capital
  /// letter. Such a hyphen is kept because it may be part of a name, such as `Couchbase-Lite`.
  static func joined(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let isHyphen =
        text[index] == UInt8(ascii: "-") && index + 2 < text.count && text[index + 1] == UInt8(ascii: "\n")
        && joins(result.suffix(window), text[(index + 2)...].prefix(window))
      if isHyphen {
        index += 2
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  /// The number of bytes that contain a letter with its combining marks.
  private static let window = 16

  private static func joins(_ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>) -> Bool {
    guard let last = String(decoding: before, as: UTF8.self).last,
      let next = String(decoding: after, as: UTF8.self).first
    else { return false }
    // Letters of scripts without case are not capitals.
    return last.isLetter && next.isLetter && (!next.isUppercase || last.isUppercase)
  }
}
