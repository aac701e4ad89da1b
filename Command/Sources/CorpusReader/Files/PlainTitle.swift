/// Finds the title of a plain text or reStructuredText file.
enum PlainTitle {
  /// The maximum length of a title in bytes.
  private static let maximumCount = 100

  /// Returns the first line if it is underlined, or short and followed by an empty line. Skips reStructuredText
  /// comments and directives before it (`.. SPDX-License-Identifier: …`).
  static func title(of text: UnsafeRawBufferPointer) -> String? {
    var lines = TextLines(text)
    var isInDirective = false
    while let line = lines.next() {
      if line.isBlank { continue }
      if isInDirective, line[0].isJSONSpace { continue }
      isInDirective = line.starts(with: "..".utf8) && (line.count == 2 || line[2].isJSONSpace)
      if isInDirective { continue }
      return title(from: line, followedBy: &lines)
    }
    return nil
  }

  private static func title(
    from first: UnsafeRawBufferPointer, followedBy lines: inout TextLines
  ) -> String? {
    let second = lines.next()
    if let adornment = adornment(first) {
      guard let second, !second.isBlank, let third = lines.next(), self.adornment(third) == adornment else {
        return nil
      }
      return accepted(second)
    }
    guard let second, !second.isBlank else {
      // A single sentence is text, not a heading.
      let last = first.trimmingJSONSpace.last ?? 0
      return ".,;!?".utf8.contains(last) ? nil : accepted(first)
    }
    // Accepts underlines of at least half the title's length because authors do not always match the length exactly.
    guard adornment(second) != nil, second.trimmingJSONSpace.count * 2 >= first.trimmingJSONSpace.count else {
      return nil
    }
    return accepted(first)
  }

  private static func accepted(_ line: UnsafeRawBufferPointer) -> String? {
    let trimmed = line.trimmingJSONSpace
    guard trimmed.count <= maximumCount else { return nil }
    let title = trimmed.trimmedString
    return title.contains(where: { $0.isLetter || $0.isNumber }) ? title : nil
  }

  /// Returns the punctuation character if the line consists only of it.
  private static func adornment(_ line: UnsafeRawBufferPointer) -> UInt8? {
    guard let byte = line.first, "=-~^\"'`#*+.:_<>".utf8.contains(byte), line.isRule(of: byte, atLeast: 3)
    else {
      return nil
    }
    return byte
  }
}
