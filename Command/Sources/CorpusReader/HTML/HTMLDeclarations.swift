/// Reads the markup that begins with `<!`: comments, CDATA sections, conditions of Office and a DOCTYPE. libxml2 treats
/// the content of all but comments as text.
struct HTMLDeclarations {
  private var hasDocumentType = false
  /// Whether no end of a CDATA section follows.
  private var hasUnclosedSection = false

  /// Moves the cursor from the `!` over a declaration, and returns how to change it; nil if libxml2 reads it correctly.
  mutating func readEdit(_ cursor: inout HTMLCursor) -> HTMLEdit? {
    if cursor.starts(with: "!--") {
      cursor.skipComment()
    } else if cursor.starts(with: "![CDATA[") {
      return readSectionEdit(&cursor)
    } else if cursor.starts(with: "![") {
      let start = cursor.position - 1
      cursor.skip(past: UInt8(ascii: ">"))
      return HTMLEdit(range: start..<cursor.position, replacement: "")
    } else if !hasDocumentType, cursor.page[cursor.position...].prefix(8).equalsIgnoringCase("!doctype".utf8) {
      hasDocumentType = true
      return HTMLDeclarations.readInternalSubsetEdit(&cursor)
    }
    return nil
  }

  /// Replaces a CDATA section with its text. A section that is not closed ends with the next `>`, as in a browser.
  private mutating func readSectionEdit(_ cursor: inout HTMLCursor) -> HTMLEdit {
    let start = cursor.position - 1
    cursor.position += 8
    let content = cursor.position
    if !hasUnclosedSection {
      cursor.skip(to: "]]>")
      hasUnclosedSection = cursor.position == cursor.page.count
    }
    guard !hasUnclosedSection else {
      cursor.position = content
      cursor.skip(past: UInt8(ascii: ">"))
      return HTMLEdit(range: start..<cursor.position, replacement: "")
    }
    let text = HTMLDeclarations.escaped(cursor.page[content..<cursor.position])
    cursor.position += 3
    return HTMLEdit(range: start..<cursor.position, replacement: text)
  }

  /// Returns text as HTML.
  private static func escaped(_ text: Slice<UnsafeRawBufferPointer>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Removes the part of a DOCTYPE in brackets, `[<!ENTITY …>]`.
  private static func readInternalSubsetEdit(_ cursor: inout HTMLCursor) -> HTMLEdit? {
    let (page, start) = (cursor.page, cursor.position)
    let tagEnd = page.firstIndex(of: UInt8(ascii: ">"), from: start) ?? page.count
    guard let open = page[start..<tagEnd].firstIndex(of: UInt8(ascii: "[")) else { return nil }
    cursor.position = open + 1
    skipInternalSubset(&cursor)
    guard cursor.byte == UInt8(ascii: "]"),
      page[(cursor.position + 1)...].first(where: { !$0.isJSONSpace }) == UInt8(ascii: ">")
    else {
      // The bracket belongs to a malformed DOCTYPE, and text follows.
      cursor.position = start
      return nil
    }
    cursor.position += 1
    return HTMLEdit(range: open..<cursor.position, replacement: "")
  }

  /// Skips what an internal subset may contain: white space, comments, declarations, processing instructions and
  /// references to parameter entities.
  private static func skipInternalSubset(_ cursor: inout HTMLCursor) {
    while let byte = cursor.byte {
      if byte.isJSONSpace {
        cursor.position += 1
      } else if cursor.starts(with: "<!--") {
        cursor.position += 1
        cursor.skipComment()
      } else if cursor.starts(with: "<!") {
        skipDeclaration(&cursor)
      } else if cursor.starts(with: "<?") {
        cursor.skip(past: UInt8(ascii: ">"))
      } else if byte == UInt8(ascii: "%") {
        cursor.position += 1
        cursor.skipName()
        guard cursor.byte == UInt8(ascii: ";") else { return }
        cursor.position += 1
      } else {
        return
      }
    }
  }

  /// Skips a declaration, whose quoted values may contain `>`.
  private static func skipDeclaration(_ cursor: inout HTMLCursor) {
    var quote: UInt8?
    while let byte = cursor.byte {
      cursor.position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return
      }
    }
  }
}
