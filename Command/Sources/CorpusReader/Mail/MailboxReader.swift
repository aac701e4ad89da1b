import JSONText

/// Reads a mailbox: consecutive messages, each after a line that begins with `From ` (RFC 4155).
///
/// Such a line begins a message only at the start of the file and after an empty line. `>From ` in a body is unescaped
/// to `From ` (the mboxrd variant). In a file that holds one message, only a `From ` line at the start is removed.
struct MailboxReader {
  let identity: RecordIdentity
  let path: String
  let limit: Int
  let body: MailBody
  let generatedID: GeneratedID
  /// Whether the file is one message instead of a mailbox.
  var holdsOneMessage = false

  func read(
    _ source: ByteSource, buffer: ByteBuffer, body sink: DocumentSink, problem: ProblemSink
  ) throws {
    var lines = LineReader(source, buffer: buffer, limit: limit)
    var message: [UInt8] = []
    var size: Int64 = 0
    var number = holdsOneMessage ? 1 : 0
    var firstLine = 1
    var isAfterEmptyLine = true

    func finish() throws {
      guard number > 0, !holdsOneMessage || size > 0 else { return }
      if size > Int64(limit) {
        problem(.tooLarge(path, line: firstLine, what: "the message", size: size, limit: Int64(limit)))
      } else {
        try pass(message, number: number, line: firstLine, to: sink)
      }
    }

    while let line = try lines.next() {
      switch line {
      case .tooLong(let length):
        size += length + 1
        isAfterEmptyLine = false
      case .text(let text):
        let isSeparator = isAfterEmptyLine && text.starts(with: "From ".utf8)
        if holdsOneMessage, isSeparator, lines.number == 1 {
          // Some programs write the separator of a mailbox before a single message.
        } else if !holdsOneMessage, isSeparator {
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
            let isQuoted = !holdsOneMessage && MailboxReader.isQuotedFrom(text)
            message.append(contentsOf: isQuoted ? text[1...] : text[...])
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

  private func pass(_ message: [UInt8], number: Int, line: Int, to sink: DocumentSink) throws {
    let header = MailHeader(message[...])
    let subject = header.text("subject")
    var document = JSONObjectBuilder()
    if let subject { document.add("title", subject) }
    if let from = header.text("from") { document.add("from", from) }
    if let to = header.text("to") { document.add("to", to) }
    if let subject { document.add("subject", subject) }
    if let date = header.text("date").flatMap(MailDate.iso8601) { document.add("date", date) }
    document.add("text", body.text(message[...]))
    try document.withObject { json, root in
      // The alternate id distinguishes copies: a message sent to several lists occurs in the archive of each.
      let ownID =
        switch generatedID {
        case .location: holdsOneMessage ? path : "\(path)#\(number)"
        case .content: json.withUnsafeBytes { GeneratedID.contentID($0, path: path) }
        }
      try sink(
        CorpusDocument(
          id: messageID(header) ?? ownID, alternateID: ownID, json: json, line: line,
          hasContentID: generatedID == .content), root)
    }
  }

  /// Returns the Message-ID if it is a valid document id.
  private func messageID(_ header: MailHeader) -> String? {
    guard let text = header.text("message-id") else { return nil }
    let id = text.filter { $0 != "<" && $0 != ">" }
    return try? identity.validated(id, "Message-ID")
  }
}
