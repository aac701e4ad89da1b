/// The tags and texts of an XML document. Comments, processing instructions and the document type are skipped; the
/// predefined entities and character references are replaced, and other references remain as they are.
struct XMLTokens {
  struct Token {
    enum Kind {
      /// A start tag; its name and its attributes' names are in lower case.
      case start(String, attributes: [String: String], isClosed: Bool)
      case end(String)
      case text(String)
      case malformed(String)
    }

    let kind: Kind
    /// The number of the line on which the token begins, from 1.
    let line: Int
  }

  private var rest: Substring.UTF8View
  /// The number of the line of the next token, from 1.
  private(set) var line = 1

  init(_ text: String) { rest = text[...].utf8 }

  /// Returns the next token; nil at the end.
  mutating func next() -> Token? {
    while let first = rest.first {
      let start = line
      guard first == UInt8(ascii: "<") else {
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        return Token(kind: .text(XMLTokens.unescaped(take(to: end))), line: start)
      }
      if let (opening, closing) = XMLTokens.skipped.first(where: { rest.starts(with: $0.0.utf8) }) {
        guard takeSection(opening, closing) != nil else {
          return malformed("the comment or processing instruction is not closed")
        }
        continue
      }
      let opening = "<![CDATA["
      if rest.starts(with: opening.utf8) {
        guard let text = takeSection(opening, "]]>") else { return malformed("the CDATA section is not closed") }
        return Token(kind: .text(text), line: start)
      }
      guard let end = endOfTag else { return malformed("the tag is not closed with >") }
      let tag = String(take(to: rest.index(after: end)).dropFirst().dropLast())
      if tag.hasPrefix("!") { continue }
      return Token(kind: XMLTokens.kind(of: tag), line: start)
    }
    return nil
  }

  /// Returns an error at this position, and ends the tokens.
  private mutating func malformed(_ reason: String) -> Token {
    rest = rest[rest.endIndex...]
    return Token(kind: .malformed(reason), line: line)
  }

  /// The position of the next `>` that is not in quotation marks.
  private var endOfTag: Substring.UTF8View.Index? {
    var quote: UInt8?
    for index in rest.indices {
      let byte = rest[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index
      }
    }
    return nil
  }

  /// Returns the text up to a position, and moves there.
  private mutating func take(to end: Substring.UTF8View.Index) -> Substring {
    let taken = rest[..<end]
    line += taken.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    rest = rest[end...]
    return Substring(taken)
  }

  /// Comments and processing instructions.
  private static let skipped = [("<!--", "-->"), ("<?", "?>")]

  /// Returns the content of the section that begins at this position, and moves to its end; nil if it is not closed.
  private mutating func takeSection(_ opening: String, _ closing: String) -> String? {
    let content = rest.dropFirst(opening.utf8.count)
    guard let range = content.firstRange(of: closing.utf8) else { return nil }
    let text = String(Substring(content[..<range.lowerBound]))
    _ = take(to: range.upperBound)
    return text
  }

  /// Parses the text of a tag between its angle brackets.
  private static func kind(of tag: String) -> Token.Kind {
    if tag.hasPrefix("/") {
      return .end(tag.dropFirst().lowercased().trimmingWhiteSpace())
    }
    let isClosed = tag.hasSuffix("/")
    let name = tag.prefix { !$0.isWhitespace && $0 != "/" }.lowercased()
    guard let first = name.first, first.isLetter || first == "_" else {
      return .malformed("<\(tag.prefix(20)) is not a tag; write &lt; for <")
    }
    return .start(name, attributes: attributes(of: tag), isClosed: isClosed)
  }

  /// Returns the attributes of a tag by name. A word that is not followed by `=` and a value in quotation marks, such
  /// as the name of the element, is skipped.
  ///
  /// - Complexity: O(n) in the length of the tag.
  private static func attributes(of tag: String) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = tag[...].utf8
    while true {
      rest = rest.drop { isSpace($0) || isSeparator($0) }
      if rest.isEmpty { return attributes }
      let name = rest.prefix { !isSpace($0) && !isSeparator($0) }
      rest = rest[name.endIndex...].drop { isSpace($0) }
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop { isSpace($0) }
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: quote) else { return attributes }
      attributes[Substring(name).lowercased()] = unescaped(Substring(rest[..<end])).trimmingWhiteSpace()
      rest = rest[end...].dropFirst()
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") }

  private static let entities: [Substring: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  /// Replaces the predefined entities and the character references.
  private static func unescaped(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    let reference = /&(?:#x(?<hex>[0-9a-fA-F]{1,8})|#(?<decimal>[0-9]{1,10})|(?<name>[a-z]+));/
    return String(text).replacing(reference) { match -> String in
      if let name = match.name { return entities[name] ?? String(match.0) }
      let number = match.hex.flatMap { UInt32($0, radix: 16) } ?? match.decimal.flatMap { UInt32($0) }
      return number.flatMap(Unicode.Scalar.init).map { String($0) } ?? String(match.0)
    }
  }
}

extension String {
  /// Returns the text without white space at its beginning and end.
  fileprivate func trimmingWhiteSpace() -> String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
