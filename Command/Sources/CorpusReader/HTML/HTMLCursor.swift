/// A position in a page, which moves over markup with the rules of libxml2.
struct HTMLCursor {
  let page: UnsafeRawBufferPointer
  var position = 0

  init(page: UnsafeRawBufferPointer) { self.page = page }

  /// The byte at the position; nil at the end.
  var byte: UInt8? { position < page.count ? page[position] : nil }

  func starts(with text: String) -> Bool { page[position...].starts(with: text.utf8) }

  /// Skips a name, and returns it in lower case.
  mutating func takeName() -> String {
    let start = position
    skipName()
    return String(decoding: page[start..<position], as: UTF8.self).lowercased()
  }

  /// Skips a name. libxml2 treats the bytes after the hundredth as another name.
  mutating func skipName() {
    let end = position + 100
    while let byte, byte.isNamePart, position < end { position += 1 }
  }

  mutating func skipSpace() {
    while let byte, byte.isJSONSpace { position += 1 }
  }

  /// Skips an attribute with its value.
  mutating func skipAttribute() {
    guard byte?.isHTMLNameStart == true else {
      // Bytes that cannot be part of a name are skipped up to white space or the end of the tag.
      repeat {
        position += 1
      } while byte.map { !$0.isJSONSpace && $0 != UInt8(ascii: ">") } ?? false && !starts(with: "/>")
      return
    }
    skipName()
    skipSpace()
    guard byte == UInt8(ascii: "=") else { return }
    position += 1
    skipSpace()
    if let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      skip(past: quote)
    } else {
      while let byte, !byte.isJSONSpace, byte != UInt8(ascii: ">") { position += 1 }
    }
  }

  /// Skips to the end of a comment, `-->` or `--!>`; its opening dashes may also be the closing ones. The position is
  /// that of its `!`.
  mutating func skipComment() {
    position += 3
    while let found = page.firstIndex(of: UInt8(ascii: ">"), from: position) {
      position = found + 1
      let before = page[..<found]
      if before.hasSuffix("--") || before.hasSuffix("--!") { return }
    }
    position = page.count
  }

  /// Skips everything up to and including the next occurrence of a byte, or to the end.
  mutating func skip(past byte: UInt8) {
    position = page.firstIndex(of: byte, from: position).map { $0 + 1 } ?? page.count
  }

  /// Skips to the next occurrence of a text, ignoring case, or to the end.
  mutating func skip(to text: String) {
    let wanted = Array(text.utf8)
    while let found = page.firstIndex(of: wanted[0], from: position) {
      position = found
      if page[found...].prefix(wanted.count).equalsIgnoringCase(wanted) { return }
      position += 1
    }
    position = page.count
  }
}

extension UInt8 {
  private var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
  /// Whether a name of an element or attribute begins with the byte, as in libxml2's `htmlParseHTMLName`.
  var isHTMLNameStart: Bool { isLetter || ":_.".utf8.contains(self) }
  fileprivate var isNamePart: Bool { isHTMLNameStart || self &- 0x30 < 10 || self == UInt8(ascii: "-") }
  var isHTMLSpace: Bool { isJSONSpace || self == 0x0C }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }

  /// - Parameter text: text in lower case.
  func equalsIgnoringCase(_ text: some Sequence<UInt8>) -> Bool { elementsEqual(text) { $0.lowercased == $1 } }
}
