/// Finds the text and the attachments of a mail message among its parts (RFC 2046).
///
/// The text consists of the text parts in their order. Among alternatives, the first plain text is used, else the last
/// HTML, else the last other text. A part is an attachment if its disposition says so, if it is neither text nor a
/// container, or if it is text that mail programs do not display, such as a calendar.
struct MailBody {
  let html: HTMLParser

  /// The maximum nesting depth, which bounds the recursion. Real messages are nested less deeply.
  private static let maximumDepth = 20

  /// Returns the text and the attachments of a message.
  ///
  /// - Complexity: O(n · d) for n bytes and d levels of containers, at most 20.
  func content(_ message: ArraySlice<UInt8>) -> MailContent {
    let found = find(in: message, isDigest: false, depth: 0)
    return MailContent(
      text: found.texts.map(\.text).joined(separator: "\n"), attachments: MailAttachment.numbered(found.attachments))
  }

  private struct Found {
    var texts: [(text: String, kind: TextKind)] = []
    var attachments: [MailAttachment] = []

    /// Returns whether a text of a kind is not blank.
    func has(_ kind: TextKind) -> Bool { texts.contains { $0.kind == kind && $0.text.contains { !$0.isWhitespace } } }
  }

  private enum TextKind {
    case plain, html, other

    init(type: String) {
      switch type {
      case "text/plain", "text/enriched": self = .plain
      case "text/html", "text/x-amp-html", "text/watch-html": self = .html
      // A type without a slash is invalid and means plain text (RFC 2045, section 5.2).
      default: self = type.contains("/") ? .other : .plain
      }
    }
  }

  /// The types of text that mail programs do not display as part of a message.
  private static let attachedTypes: Set<String> = [
    "text/calendar", "text/css", "text/directory", "text/rtf", "text/vcard", "text/x-vcard",
  ]

  /// - Parameter isDigest: whether a part without a type is a message (RFC 2046, section 5.1.5).
  private func find(in part: ArraySlice<UInt8>, isDigest: Bool, depth: Int) -> Found {
    let header = MailHeader(part)
    let body = part[header.end...]
    let (type, parameters) =
      header.parameterized("content-type") ?? (isDigest ? "message/rfc822" : "text/plain", [:])
    if type.hasPrefix("multipart/"), let boundary = parameters["boundary"], !boundary.isEmpty {
      guard depth < MailBody.maximumDepth else { return Found() }
      let parts = MailBody.split(body, boundary: Array(boundary.utf8)).map {
        find(in: $0, isDigest: type == "multipart/digest", depth: depth + 1)
      }
      return MailBody.combined(parts, areAlternatives: type == "multipart/alternative")
    }
    let disposition = header.parameterized("content-disposition")
    let encoding = header.parameterized("content-transfer-encoding")?.value ?? ""
    let isText = type.hasPrefix("text/") || !type.contains("/")
    // The only part of a message is its text.
    let isAttached = depth > 0 && MailBody.attachedTypes.contains(type)
    let isReport = type == "message/delivery-status" || type == "message/disposition-notification"
    guard disposition?.value != "attachment", !isAttached, isText || isReport || type.hasPrefix("multipart/") else {
      let name = disposition?.parameters["filename"] ?? parameters["name"]
      return Found(
        attachments: [
          MailAttachment(
            name: name, type: type, charset: isText ? parameters["charset"] : nil,
            bytes: TransferEncoding.decode(body, encoding: encoding))
        ])
    }
    let bytes = TransferEncoding.decode(body, encoding: encoding, keepsFooter: true)
    let charset = parameters["charset"]
    let kind = TextKind(type: type)
    guard kind == .html else { return Found(texts: [(MailText.decode(bytes, charset: charset), kind)]) }
    // Without a named character set, or if UTF-8 is named for other text, that of the page is used.
    let isUndeclared = charset.map(NamedCharacterSet.isUTF8) ?? true
    let declared = isUndeclared ? bytes.withUnsafeBytes { PageDecoder.declaredText($0) } : nil
    var page = MailText.decode(declared ?? bytes, charset: charset)
    let words = page.withUTF8 { String(decoding: html.parse(UnsafeRawBufferPointer($0)).text, as: UTF8.self) }
    return Found(texts: [(words, kind)])
  }

  private static func combined(_ parts: [Found], areAlternatives: Bool) -> Found {
    var result = Found()
    result.attachments = parts.flatMap(\.attachments)
    if areAlternatives {
      let best = parts.first { $0.has(.plain) } ?? parts.last { $0.has(.html) } ?? parts.last { !$0.texts.isEmpty }
      result.texts = best?.texts ?? []
    } else {
      result.texts = parts.flatMap(\.texts)
    }
    return result
  }

  /// Returns the parts between the lines `--boundary`, up to the line `--boundary--` or the end.
  private static func split(_ body: ArraySlice<UInt8>, boundary: [UInt8]) -> [ArraySlice<UInt8>] {
    let delimiter = "--".utf8 + boundary
    var parts: [ArraySlice<UInt8>] = []
    var partStart: Int?
    var index = body.startIndex
    while index < body.endIndex {
      let lineEnd = body[index...].firstIndex(of: UInt8(ascii: "\n")) ?? body.endIndex
      let line = body[index..<lineEnd]
      if line.starts(with: delimiter) {
        let rest = line.dropFirst(delimiter.count)
        // The boundary may be the start of the boundary of an inner part.
        let isLast = rest.starts(with: "--".utf8) && rest.dropFirst(2).allSatisfy { $0.isJSONSpace }
        if isLast || rest.allSatisfy({ $0.isJSONSpace }) {
          if let partStart { parts.append(body[partStart..<max(partStart, endOfPart(body, before: index))]) }
          partStart = isLast ? nil : min(lineEnd + 1, body.endIndex)
          if isLast { return parts }
        }
      }
      index = min(lineEnd + 1, body.endIndex)
    }
    if let partStart { parts.append(body[partStart...]) }
    return parts
  }

  /// Returns the end of a part: the line break before a boundary belongs to the boundary.
  private static func endOfPart(_ body: ArraySlice<UInt8>, before boundary: Int) -> Int {
    let end = boundary - 1
    let hasReturn = end > body.startIndex && body[end - 1] == UInt8(ascii: "\r")
    return hasReturn ? end - 1 : end
  }
}
