/// Decodes non-ASCII text in a mail header: `=?utf-8?Q?caf=C3=A9?=` (RFC 2047).
enum EncodedWords {
  /// Returns the text of a header field. Text that is not an encoded word is kept; white space between two encoded
  /// words is not part of the text, and a character may be split between them.
  static func decode(_ field: [UInt8]) -> String {
    var result = ""
    /// The bytes of consecutive encoded words in one character set. They are collected in place, because a field may
    /// contain many words.
    var charset: String?
    var bytes: [UInt8] = []
    func flush() {
      if let charset { result += MailText.decode(bytes, charset: charset) }
      charset = nil
      bytes.removeAll()
    }
    var index = 0
    var plainStart = 0
    while index < field.count {
      guard field[index] == UInt8(ascii: "="), let word = EncodedWord(field[index...]) else {
        index += 1
        continue
      }
      let between = field[plainStart..<index]
      let isOnlySpace = between.allSatisfy { $0.isJSONSpace }
      if charset == nil || !isOnlySpace {
        flush()
        result += MailText.decode(Array(between), charset: nil)
      }
      if charset != word.charset { flush() }
      charset = word.charset
      bytes += word.bytes
      index = word.end
      plainStart = index
    }
    flush()
    return result + MailText.decode(Array(field[plainStart...]), charset: nil)
  }
}

/// An encoded word: `=?charset?encoding?text?=`.
private struct EncodedWord {
  let charset: String
  let bytes: [UInt8]
  let end: Int

  init?(_ text: ArraySlice<UInt8>) {
    guard text.starts(with: "=?".utf8) else { return nil }
    let question = UInt8(ascii: "?")
    let charsetStart = text.startIndex + 2
    guard let charsetEnd = text[charsetStart...].firstIndex(of: question), charsetEnd > charsetStart,
      charsetEnd + 2 < text.endIndex, text[charsetEnd + 2] == question
    else { return nil }
    let encodedStart = charsetEnd + 3
    guard let encodedEnd = text[encodedStart...].firstIndex(of: question), encodedEnd + 1 < text.endIndex,
      text[encodedEnd + 1] == UInt8(ascii: "=")
    else { return nil }
    let encoded = text[encodedStart..<encodedEnd]
    switch text[charsetEnd + 1] | 0x20 {
    case UInt8(ascii: "b"): bytes = Base64.decode(encoded)
    case UInt8(ascii: "q"):
      let spaced = encoded.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
      bytes = TransferEncoding.quotedPrintable(spaced[...])
    default: return nil
    }
    // RFC 2231 allows a language suffix: utf-8*en.
    let name = String(decoding: text[charsetStart..<charsetEnd], as: UTF8.self)
    charset = String(name.prefix { $0 != "*" }).lowercased()
    end = encodedEnd + 2
  }
}
