import JSONText

/// Reads a mailbox: consecutive messages, each after a line that begins with `From ` (RFC 4155).
///
/// Such a line counts only at the start of the file and after an empty line. `>From ` in a body is unescaped to `From `
/// (the mboxrd variant).
struct MailboxReader {
  let path: String
  let limit: Int
  let body: MailBody
  let generatedID: GeneratedID

  func read(
    _ source: ByteSource, buffer: ByteBuffer, body sink: DocumentSink, problem: ProblemSink
  ) throws {
    var lines = LineReader(source, buffer: buffer, limit: limit)
    var message: [UInt8] = []
    var size: Int64 = 0
    var number = 0
    var firstLine = 1
    var isAfterEmptyLine = true

    func finish() throws {
      guard number > 0 else { return }
      if size > Int64(limit) {
        problem(.tooLarge(path, line: firstLine, what: "the message", size: size, limit: Int64(limit)))
      } else {
        try sink(document(message, number: number, line: firstLine))
      }
    }

    while let line = try lines.next() {
      switch line {
      case .tooLong(let length):
        size += length + 1
        isAfterEmptyLine = false
      case .text(let text):
        if isAfterEmptyLine, text.starts(with: "From ".utf8) {
          try finish()
          number += 1
          firstLine = lines.number
          message.removeAll(keepingCapacity: true)
          size = 0
        } else if number == 0 {
          if !text.isBlank {
            problem(
              CorpusProblem(
                path: path, line: lines.number, kind: .invalidRecord,
                reason: "not a mailbox: it does not begin with \"From \""))
            return
          }
        } else {
          size += Int64(text.count) + 1
          // A message above the limit is measured but not kept.
          if size <= Int64(limit) {
            message.append(contentsOf: MailboxReader.isQuotedFrom(text) ? text[1...] : text[...])
            message.append(UInt8(ascii: "\n"))
          }
        }
        isAfterEmptyLine = text.isEmpty || text.elementsEqual("\r".utf8)
      }
    }
    try finish()
  }

  private static func isQuotedFrom(_ line: UnsafeRawBufferPointer) -> Bool {
    line.first == UInt8(ascii: ">") && line.drop { $0 == UInt8(ascii: ">") }.starts(with: "From ".utf8)
  }

  private func document(_ message: [UInt8], number: Int, line: Int) -> CorpusDocument {
    let header = MailHeader(message[...])
    let subject = header.text("subject")
    var writer = JSONWriter()
    writer.object { writer in
      if let subject { writer.member("title", subject) }
      if let from = header.text("from") { writer.member("from", from) }
      if let to = header.text("to") { writer.member("to", to) }
      if let subject { writer.member("subject", subject) }
      if let date = header.text("date").flatMap(MailDate.iso8601) { writer.member("date", date) }
      writer.member("text", body.text(message[...]))
    }
    // Archives of several lists contain copies of a message.
    let ownID =
      switch generatedID {
      case .location: "\(path)#\(number)"
      case .content: writer.bytes.withUnsafeBytes { GeneratedID.contentID($0, path: path) }
      }
    return CorpusDocument(
      id: messageID(header) ?? ownID, alternateID: ownID, json: writer.bytes, line: line,
      hasContentID: generatedID == .content)
  }

  /// Returns the message's own id if it is a valid document id.
  private func messageID(_ header: MailHeader) -> String? {
    guard let text = header.text("message-id") else { return nil }
    let id = text.filter { $0 != "<" && $0 != ">" }
    do {
      return try RecordIdentity.validated(id, "Message-ID")
    } catch {
      return nil
    }
  }
}
