/// Finds the text of a mail message among its parts (RFC 2046).
struct MailBody {
  let html: HTMLParser

  /// The maximum nesting depth, which bounds the recursion. Real messages are nested less deeply.
  private static let maximumDepth = 20

  /// Returns the text of the text/plain parts, or that of the text/html parts if there are none.
  func text(_ message: ArraySlice<UInt8>) -> String {
    let found = find(in: message, depth: 0)
    return (found.plain.isEmpty ? found.html : found.plain).joined(separator: "\n")
  }

  private struct Found {
    var plain: [String] = []
    var html: [String] = []
  }

  private func find(in part: ArraySlice<UInt8>, depth: Int) -> Found {
    var found = Found()
    guard depth < MailBody.maximumDepth else { return found }
    let header = MailHeader(part)
    let body = part[header.end...]
    let (type, parameters) = header.parameterized("content-type") ?? ("text/plain", [:])
    let disposition = header.parameterized("content-disposition")?.value
    if type.hasPrefix("multipart/"), let boundary = parameters["boundary"], !boundary.isEmpty {
      for inner in MailBody.split(body, boundary: Array(boundary.utf8)) {
        let innerFound = find(in: inner, depth: depth + 1)
        found.plain += innerFound.plain
        found.html += innerFound.html
      }
    } else if type == "message/rfc822" {
      return find(in: body, depth: depth + 1)
    } else if type == "text/plain" || type == "text/html", disposition != "attachment" {
      let bytes = TransferEncoding.decode(body, encoding: header.text("content-transfer-encoding") ?? "")
      let text = MailText.decode(bytes, charset: parameters["charset"])
      if type == "text/plain" {
        found.plain.append(text)
      } else {
        var page = text
        found.html.append(
          page.withUTF8 { String(decoding: html.parse(UnsafeRawBufferPointer($0)).text, as: UTF8.self) })
      }
    }
    return found
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
        let isLast = rest.starts(with: "--".utf8)
        if isLast || rest.allSatisfy({ $0.isJSONSpace }) {
          // The line break before a boundary belongs to the boundary.
          if let partStart { parts.append(body[partStart..<max(partStart, index - 1)]) }
          partStart = isLast ? nil : min(lineEnd + 1, body.endIndex)
          if isLast { return parts }
        }
      }
      index = min(lineEnd + 1, body.endIndex)
    }
    if let partStart { parts.append(body[partStart...]) }
    return parts
  }
}

/// Decodes text in mail messages.
enum MailText {
  /// Decodes text in a named character set. If the name is missing or unknown, decodes the text as UTF-8 if that is
  /// valid, otherwise as Windows-1252.
  static func decode(_ bytes: [UInt8], charset: String?) -> String {
    bytes.withUnsafeBytes { bytes in
      if let charset, !["utf-8", "utf8", "us-ascii", "ascii"].contains(charset.lowercased()),
        let text = NamedCharacterSet.decode(bytes, name: charset)
      {
        return String(decoding: text, as: UTF8.self)
      }
      if bytes.isUTF8 || charset?.lowercased().hasPrefix("utf") == true {
        return String(decoding: bytes, as: UTF8.self)
      }
      let result = ByteBuffer()
      Windows1252.decode(bytes, into: result)
      return String(decoding: result.array, as: UTF8.self)
    }
  }
}
