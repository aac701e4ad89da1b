/// Limits the number of attributes of a tag, and the number of open elements, before libxml2 parses a page, and
/// rewrites what libxml2 reads differently from browsers.
///
/// libxml2 compares each attribute of a tag with all previous ones, and each end tag with all open elements, which
/// takes minutes for several hundred thousand. Attributes are not part of a page's text, so those above a limit are
/// removed. Tags of elements above a limit are replaced with the white space that they mean. Tags, comments, scripts
/// and styles are recognized with the rules of libxml2.
///
/// libxml2 treats conditions of Office (`<![if …]>`), CDATA sections and the internal subset of a DOCTYPE as text, and
/// does not know some character references (``HTMLReferences``).
enum HTMLLimits {
  /// The maximum number of attributes kept per tag. Real pages have at most a few dozen.
  static let maximumAttributeCount = 256

  /// Returns the page without the attributes and tags above the limits, and with rewritten markup; nil if nothing needs
  /// to be changed, as in most pages.
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

  /// Returns text as HTML.
  private static func escaped(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      default: result.append(byte)
      }
    }
    return result
  }

  private struct Scanner {
    let page: UnsafeRawBufferPointer
    /// The ranges to change, in order, and what replaces them.
    var edits: [(range: Range<Int>, replacement: String)] = []
    private var elements = HTMLOpenElements()
    private var position = 0
    /// The offset of the first `&` that has not been read, or the end of the page.
    private var nextReference = 0
    private var hasDocumentType = false
    /// Whether no end of a CDATA section follows.
    private var hasUnclosedSection = false

    init(page: UnsafeRawBufferPointer) { self.page = page }

    mutating func scan() {
      while true {
        let tag = page.firstIndex(of: UInt8(ascii: "<"), from: position)
        readReferences(in: position, tag ?? page.count)
        guard let start = tag else { return }
        position = start + 1
        guard let first = byte else { return }
        if first == UInt8(ascii: "!") {
          scanDeclaration(from: start)
        } else if first == UInt8(ascii: "/") {
          position += 1
          if byte?.isNameStart == true { scanEndTag(from: start) }
        } else if first.isNameStart {
          scanStartTag(from: start)
        }
      }
    }

    /// Rewrites the character references of a text.
    private mutating func readReferences(in start: Int, _ end: Int) {
      // The offset is kept, so that a page with many tags is searched only once.
      var reference = max(nextReference, start)
      while reference < end {
        reference = page.firstIndex(of: UInt8(ascii: "&"), from: reference) ?? page.count
        guard reference < end else { break }
        if let edit = HTMLReferences.edit(at: reference, in: page) { edits.append((edit.range, edit.replacement)) }
        reference += 1
      }
      nextReference = reference
    }

    /// Scans a comment, a CDATA section, a condition or a DOCTYPE.
    private mutating func scanDeclaration(from start: Int) {
      if starts(with: "!--") {
        skipComment()
      } else if starts(with: "![CDATA[") {
        scanSection(from: start)
      } else if starts(with: "![") {
        skip(past: UInt8(ascii: ">"))
        edits.append((start..<position, ""))
      } else if !hasDocumentType,
        page[position...].prefix(8).elementsEqual("!doctype".utf8, by: { $0.lowercased == $1 })
      {
        hasDocumentType = true
        dropInternalSubset()
      }
    }

    /// Replaces a CDATA section with its text. A section that is not closed ends with the next `>`, as in a browser.
    private mutating func scanSection(from start: Int) {
      position += 8
      let content = position
      if !hasUnclosedSection {
        skip(to: "]]>")
        hasUnclosedSection = position == page.count
      }
      guard !hasUnclosedSection else {
        position = content
        skip(past: UInt8(ascii: ">"))
        edits.append((start..<position, ""))
        return
      }
      let text = HTMLLimits.escaped(page[content..<position])
      position += 3
      edits.append((start..<position, String(decoding: text, as: UTF8.self)))
    }

    /// Removes the part of a DOCTYPE in brackets, `[<!ENTITY …>]`.
    private mutating func dropInternalSubset() {
      let start = position
      let tagEnd = page.firstIndex(of: UInt8(ascii: ">"), from: position) ?? page.count
      guard let open = page[position..<tagEnd].firstIndex(of: UInt8(ascii: "[")) else { return }
      position = open + 1
      skipDeclarations()
      if byte == UInt8(ascii: "]"), page[(position + 1)...].first(where: { !$0.isJSONSpace }) == UInt8(ascii: ">") {
        position += 1
        edits.append((open..<position, ""))
      } else {
        // The bracket belongs to a malformed DOCTYPE, and text follows.
        position = start
      }
    }

    /// Skips what an internal subset may contain: white space, comments, declarations, processing instructions and
    /// references to parameter entities.
    private mutating func skipDeclarations() {
      while let byte {
        if byte.isJSONSpace {
          position += 1
        } else if starts(with: "<!--") {
          position += 1
          skipComment()
        } else if starts(with: "<!") {
          skipDeclaration()
        } else if starts(with: "<?") {
          skip(past: UInt8(ascii: ">"))
        } else if byte == UInt8(ascii: "%") {
          position += 1
          skipName()
          guard self.byte == UInt8(ascii: ";") else { return }
          position += 1
        } else {
          return
        }
      }
    }

    /// Skips a declaration, whose quoted values may contain `>`.
    private mutating func skipDeclaration() {
      var quote: UInt8?
      while let byte {
        position += 1
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return
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
      skip(past: UInt8(ascii: ">"))
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
        position += 1
        skip(past: quote)
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

    /// Skips everything up to and including the next occurrence of a byte, or to the end.
    private mutating func skip(past byte: UInt8) {
      position = page.firstIndex(of: byte, from: position).map { $0 + 1 } ?? page.count
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
