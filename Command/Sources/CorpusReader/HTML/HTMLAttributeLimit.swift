/// Bounds the attributes of a tag before libxml2 sees them.
///
/// libxml2 compares each attribute of a tag with all before it, which takes minutes for a few hundred thousand. Attributes are not
/// part of a page's text, so those past a limit are left out. Tags are found as libxml2 finds them, comments, scripts and styles
/// included.
enum HTMLAttributeLimit {
  /// How many attributes of a tag are kept. Pages that people read have at most a few dozen.
  static let maximumCount = 256

  /// The page without the attributes past the limit; nil for a page that has none, which is nearly every one.
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
    /// The ranges of attributes past the limit, in order.
    var excess: [Range<Int>] = []
    private var position = 0

    init(page: UnsafeRawBufferPointer) { self.page = page }

    mutating func scan() {
      while let start = page.firstIndex(of: UInt8(ascii: "<"), from: position) {
        position = start + 1
        guard let first = byte else { return }
        if first == UInt8(ascii: "!") {
          if starts(with: "!--") { skip(past: "-->") }
        } else if first.isLetter {
          let name = takeName()
          scanAttributes()
          if name == "script" || name == "style" { skip(to: "</" + name) }
        }
      }
    }

    /// The byte at the position; nil at the end.
    private var byte: UInt8? { position < page.count ? page[position] : nil }

    private mutating func takeName() -> String {
      let start = position
      while let byte, byte.isNamePart { position += 1 }
      return String(decoding: page[start..<position], as: UTF8.self).lowercased()
    }

    /// Goes from the end of a tag's name to its `>`.
    private mutating func scanAttributes() {
      var count = 0
      var excessStart: Int?
      while let byte {
        if byte == UInt8(ascii: ">") || starts(with: "/>") { break }
        if byte.isHTMLSpace {
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
      let start = position
      while let byte, byte.isNamePart { position += 1 }
      guard position > start else {
        // What cannot be a name is skipped up to white space or the end of the tag.
        repeat {
          position += 1
        } while byte.map { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") } ?? false && !starts(with: "/>")
        return
      }
      skipSpace()
      guard byte == UInt8(ascii: "=") else { return }
      position += 1
      skipSpace()
      if let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        position = page.firstIndex(of: quote, from: position + 1).map { $0 + 1 } ?? page.count
      } else {
        while let byte, !byte.isHTMLSpace, byte != UInt8(ascii: ">") { position += 1 }
      }
    }

    private mutating func skipSpace() {
      while let byte, byte.isHTMLSpace { position += 1 }
    }

    private func starts(with text: String) -> Bool { page[position...].starts(with: text.utf8) }

    private mutating func skip(past text: String) {
      skip(to: text)
      position = min(position + text.utf8.count, page.count)
    }

    /// Goes to the next place where a text begins, in any case, or to the end.
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
  fileprivate var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
  /// As in libxml2's `htmlParseHTMLName`.
  fileprivate var isNamePart: Bool { isLetter || self &- 0x30 < 10 || ":-_.".utf8.contains(self) || self >= 0x80 }
  var isHTMLSpace: Bool { isJSONSpace || self == 0x0C }
}
