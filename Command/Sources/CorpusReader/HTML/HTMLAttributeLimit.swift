/// Limits the number of attributes of a tag before libxml2 parses it.
///
/// libxml2 compares each attribute of a tag with all previous ones, which takes minutes for several hundred thousand.
/// Attributes are not part of a page's text, so those above a limit are removed. Tags, comments, scripts and styles are
/// recognized with the rules of libxml2.
enum HTMLAttributeLimit {
  /// The maximum number of attributes kept per tag. Real pages have at most a few dozen.
  static let maximumCount = 256

  /// Returns the page without the attributes above the limit; nil if no tag exceeds the limit, as in nearly all pages.
  ///
  /// - Complexity: O(n).
  static func applied(to page: UnsafeRawBufferPointer) -> [UInt8]? {
    var scanner = Scanner(page: page)
    scanner.scan()
    guard !scanner.excess.isEmpty else { return nil }
    var kept: [UInt8] = []
    kept.reserveCapacity(page.count)
    var position = 0
    for range in scanner.excess {
      kept.append(contentsOf: page[position..<range.lowerBound])
      position = range.upperBound
    }
    kept.append(contentsOf: page[position...])
    return kept
  }

  private struct Scanner {
    let page: UnsafeRawBufferPointer
    /// The ranges of the attributes above the limit, in order.
    var excess: [Range<Int>] = []
    private var position = 0

    init(page: UnsafeRawBufferPointer) { self.page = page }

    mutating func scan() {
      while let start = page.firstIndex(of: UInt8(ascii: "<"), from: position) {
        position = start + 1
        guard let first = byte else { return }
        if first == UInt8(ascii: "!") {
          if starts(with: "!--") { skipComment() }
        } else if first.isNameStart {
          let name = takeName()
          scanAttributes()
          if name == "script" || name == "style", !starts(with: "/>") { skip(to: "</" + name) }
        }
      }
    }

    /// The byte at the position; nil at the end.
    private var byte: UInt8? { position < page.count ? page[position] : nil }

    private mutating func takeName() -> String {
      let start = position
      skipName()
      return String(decoding: page[start..<position], as: UTF8.self).lowercased()
    }

    /// Skips a name. libxml2 treats the bytes after the hundredth as another name.
    private mutating func skipName() {
      let end = position + 100
      while let byte, byte.isNamePart, position < end { position += 1 }
    }

    /// Scans from the end of a tag name to the `>`.
    private mutating func scanAttributes() {
      var count = 0
      var excessStart: Int?
      while let byte {
        if byte == UInt8(ascii: ">") || starts(with: "/>") { break }
        if byte.isJSONSpace {
          position += 1
          continue
        }
        count += 1
        if count > HTMLAttributeLimit.maximumCount, excessStart == nil { excessStart = position }
        skipAttribute()
      }
      if let excessStart { excess.append(excessStart..<position) }
    }

    private mutating func skipAttribute() {
      guard byte?.isNameStart == true else {
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
        position = page.firstIndex(of: quote, from: position + 1).map { $0 + 1 } ?? page.count
      } else {
        while let byte, !byte.isJSONSpace, byte != UInt8(ascii: ">") { position += 1 }
      }
    }

    private mutating func skipSpace() {
      while let byte, byte.isJSONSpace { position += 1 }
    }

    private func starts(with text: String) -> Bool { page[position...].starts(with: text.utf8) }

    /// Skips to the end of a comment, `-->` or `--!>`; its opening dashes may also be the closing ones.
    private mutating func skipComment() {
      position += 3
      while let found = page.firstIndex(of: UInt8(ascii: ">"), from: position) {
        position = found + 1
        let before = page[..<found]
        if before.hasSuffix("--") || before.hasSuffix("--!") { return }
      }
      position = page.count
    }

    /// Skips to the next occurrence of a text, ignoring case, or to the end.
    private mutating func skip(to text: String) {
      let wanted = Array(text.utf8)
      while let found = page.firstIndex(of: wanted[0], from: position) {
        position = found
        if page[found...].prefix(wanted.count).elementsEqual(wanted, by: { $0.lowercased == $1 }) { return }
        position += 1
      }
      position = page.count
    }
  }
}

extension UInt8 {
  private var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
  /// Matches the rule of libxml2's `htmlParseHTMLName`.
  fileprivate var isNameStart: Bool { isLetter || ":_.".utf8.contains(self) }
  fileprivate var isNamePart: Bool { isNameStart || self &- 0x30 < 10 || self == UInt8(ascii: "-") }
  var isHTMLSpace: Bool { isJSONSpace || self == 0x0C }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
