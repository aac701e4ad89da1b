/// Limits the number of attributes of a tag, and the number of open elements, before libxml2 parses a page.
///
/// libxml2 compares each attribute of a tag with all previous ones, and each end tag with all open elements, which
/// takes minutes for several hundred thousand. Attributes are not part of a page's text, so those above a limit are
/// removed. Tags of elements above a limit are replaced with the white space that they mean. Tags, comments, scripts
/// and styles are recognized with the rules of libxml2.
enum HTMLLimits {
  /// The maximum number of attributes kept per tag. Real pages have at most a few dozen.
  static let maximumAttributeCount = 256

  /// Returns the page without the attributes and tags above the limits; nil if nothing exceeds a limit, as in nearly
  /// all pages.
  ///
  /// - Complexity: O(n).
  static func applied(to page: UnsafeRawBufferPointer) -> [UInt8]? {
    var scanner = Scanner(page: page)
    scanner.scan()
    guard !scanner.edits.isEmpty else { return nil }
    var kept: [UInt8] = []
    kept.reserveCapacity(page.count)
    var position = 0
    for edit in scanner.edits {
      kept.append(contentsOf: page[position..<edit.range.lowerBound])
      kept.append(contentsOf: edit.replacement.utf8)
      position = edit.range.upperBound
    }
    kept.append(contentsOf: page[position...])
    return kept
  }

  private struct Scanner {
    let page: UnsafeRawBufferPointer
    /// The ranges of the attributes and tags above the limits, in order, and what replaces them.
    var edits: [(range: Range<Int>, replacement: String)] = []
    private var elements = HTMLOpenElements()
    private var position = 0

    init(page: UnsafeRawBufferPointer) { self.page = page }

    mutating func scan() {
      while let start = page.firstIndex(of: UInt8(ascii: "<"), from: position) {
        position = start + 1
        guard let first = byte else { return }
        if first == UInt8(ascii: "!") {
          if starts(with: "!--") { skipComment() }
        } else if first == UInt8(ascii: "/") {
          position += 1
          if byte?.isNameStart == true { scanEndTag(from: start) }
        } else if first.isNameStart {
          scanStartTag(from: start)
        }
      }
    }

    /// Scans from the name of a start tag to its `>`.
    private mutating func scanStartTag(from start: Int) {
      let name = takeName()
      let editCount = edits.count
      scanAttributes()
      guard !starts(with: "/>") else { return }
      guard elements.start(name) else {
        edits.removeLast(edits.count - editCount)
        position = min(position + 1, page.count)
        return drop(name, from: start)
      }
      if name == "script" || name == "style" { skip(to: "</" + name) }
    }

    /// Scans from the name of an end tag to the next `>`.
    private mutating func scanEndTag(from start: Int) {
      let name = takeName()
      position = page.firstIndex(of: UInt8(ascii: ">"), from: position).map { $0 + 1 } ?? page.count
      if !elements.end(name) { drop(name, from: start) }
    }

    /// Replaces a tag that ends at the position.
    private mutating func drop(_ name: String, from start: Int) {
      let isCell = name == "td" || name == "th"
      let replacement = isCell ? " " : HTMLElements.blocks.contains(name) ? "<br>" : ""
      edits.append((start..<position, replacement))
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
        if count > HTMLLimits.maximumAttributeCount, excessStart == nil { excessStart = position }
        skipAttribute()
      }
      if let excessStart { edits.append((excessStart..<position, "")) }
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
