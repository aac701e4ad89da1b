/// Searches the start of a page for a `<meta>` element that declares its character set, as browsers do
/// (<https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding>).
///
/// Comments, scripts, styles and the attributes of other elements are skipped. The first 1,024 bytes are searched, and
/// the rest of `<head>`, because browsers also follow a late declaration there.
struct HTMLPrescan {
  private var bytes: UnsafeRawBufferPointer
  private var index = 0

  /// The number of bytes that are searched even after `<head>`.
  private static let length = 1024
  /// The maximum number of bytes that are searched.
  private static let maximumLength = 64 << 10

  /// - Parameter page: a page, which remains valid while it is searched.
  init(_ page: UnsafeRawBufferPointer) {
    bytes = UnsafeRawBufferPointer(rebasing: page.prefix(HTMLPrescan.maximumLength))
  }

  /// Returns the first declared name for which `resolve` returns a value, and this value.
  mutating func characterSet(_ resolve: (String) -> String?) -> String? {
    while index < bytes.count {
      if starts(with: "<!--") {
        skipComment()
      } else if starts(with: "<meta"), byte(at: 5).map({ $0 == UInt8(ascii: "/") || HTMLPrescan.isSpace($0) }) == true {
        index += 5
        if let name = metaCharacterSet(), let resolved = resolve(name) { return resolved }
      } else if isTag {
        let name = tagName
        if name == "/head" || name == "body" {
          bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(index, HTMLPrescan.length)))
          if index >= bytes.count { return nil }
        }
        while let byte = byte(at: 0), byte != UInt8(ascii: ">"), !HTMLPrescan.isSpace(byte) { index += 1 }
        while nextAttribute() != nil {}
        if name == "script" { skip(to: "</script") } else if name == "style" { skip(to: "</style") }
      } else if starts(with: "<!") || starts(with: "</") || starts(with: "<?") {
        index = bytes.firstIndex(of: UInt8(ascii: ">"), from: index) ?? bytes.count
      } else {
        skipToNextTag()
      }
    }
    return nil
  }

  /// Reads the attributes of a `<meta>` element and returns the character set that they declare.
  private mutating func metaCharacterSet() -> String? {
    var names: Set<String> = []
    var isContentType = false
    var fromContent: String?
    var fromCharset: String?
    while let (name, value) = nextAttribute() {
      // Only the first of several attributes with the same name counts.
      guard names.insert(name).inserted else { continue }
      switch name {
      case "http-equiv": isContentType = value.elementsEqual("content-type".utf8)
      case "content": fromContent = HTMLPrescan.characterSet(inContent: value)
      case "charset": fromCharset = String(decoding: value, as: UTF8.self)
      default: break
      }
    }
    return fromCharset ?? (isContentType ? fromContent : nil)
  }

  /// Returns the character set in the attribute `content`: `text/html; charset=utf-8`.
  private static func characterSet(inContent content: [UInt8]) -> String? {
    let key = Array("charset".utf8)
    for start in content.indices where content[start...].starts(with: key) {
      var rest = content[(start + key.count)...].drop(while: isSpace)
      guard rest.popFirst() == UInt8(ascii: "=") else { continue }
      rest = rest.drop(while: isSpace)
      guard let first = rest.first else { return nil }
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        return String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
      }
      return String(decoding: rest.prefix { !isSpace($0) && $0 != UInt8(ascii: ";") }, as: UTF8.self)
    }
    return nil
  }

  /// Returns the next attribute of an element in lower case; nil at the end of the element or of the searched bytes.
  private mutating func nextAttribute() -> (name: String, value: [UInt8])? {
    while let byte = byte(at: 0), byte == UInt8(ascii: "/") || HTMLPrescan.isSpace(byte) { index += 1 }
    guard let first = byte(at: 0), first != UInt8(ascii: ">") else { return nil }
    // The first character of a name may be an equals sign.
    var name = [HTMLPrescan.lowercase(first)]
    index += 1
    name += take { HTMLPrescan.isSpace($0) || "=/>".utf8.contains($0) }
    skipSpace()
    let text = String(decoding: name, as: UTF8.self)
    guard byte(at: 0) == UInt8(ascii: "=") else { return (text, []) }
    index += 1
    skipSpace()
    guard let quote = byte(at: 0), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return (text, take { $0 == UInt8(ascii: ">") || HTMLPrescan.isSpace($0) })
    }
    index += 1
    let value = take { $0 == quote }
    index += 1
    return (text, value)
  }

  /// Returns the bytes up to the next one that meets a condition, in lower case.
  private mutating func take(until isEnd: (UInt8) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    while let byte = byte(at: 0), !isEnd(byte) {
      result.append(HTMLPrescan.lowercase(byte))
      index += 1
    }
    return result
  }

  private mutating func skipSpace() {
    while let byte = byte(at: 0), HTMLPrescan.isSpace(byte) { index += 1 }
  }

  /// Skips a comment. `<!-->` is a complete one.
  private mutating func skipComment() {
    index += 2
    while index < bytes.count, !starts(with: "-->") { index += 1 }
    index += 3
  }

  /// Skips to the next occurrence of a text in lower case that begins with `<`, ignoring case, or to the end.
  private mutating func skip(to text: StaticString) {
    while index < bytes.count, !starts(with: text) { skipToNextTag() }
  }

  /// Skips the byte at the index and everything up to the next `<`.
  private mutating func skipToNextTag() {
    index = bytes.firstIndex(of: UInt8(ascii: "<"), from: index + 1) ?? bytes.count
  }

  /// The name of the tag at the index in lower case, with the `/` of an end tag; cut off after eight bytes.
  private var tagName: String {
    var name: [UInt8] = []
    var offset = 1
    while name.count < 8, let byte = byte(at: offset), byte != UInt8(ascii: ">"), !HTMLPrescan.isSpace(byte),
      byte != UInt8(ascii: "/") || offset == 1
    {
      name.append(HTMLPrescan.lowercase(byte))
      offset += 1
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether a start tag or an end tag begins at the index.
  private var isTag: Bool {
    guard byte(at: 0) == UInt8(ascii: "<"), let next = byte(at: 1) else { return false }
    let first = next == UInt8(ascii: "/") ? byte(at: 2) : next
    return first.map { ($0 | 0x20) &- UInt8(ascii: "a") < 26 } == true
  }

  /// Returns whether the bytes at the index are a text in lower case, ignoring case.
  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      index + text.count <= bytes.count
        && text.indices.allSatisfy { HTMLPrescan.lowercase(bytes[index + $0]) == text[$0] }
    }
  }

  private func byte(at offset: Int) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
