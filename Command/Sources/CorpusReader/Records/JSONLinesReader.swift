/// Reads one object per line (<https://jsonlines.org>). Empty lines are skipped, and malformed lines are reported.
struct JSONLinesReader {
  let records: RecordParser
  let limit: Int

  func read(_ source: ByteSource, buffer: ByteBuffer, body: DocumentSink, problem: ProblemSink) throws {
    var lines = LineReader(source, buffer: buffer, limit: limit)
    while let line = try lines.next() {
      switch line {
      case .tooLong(let size):
        problem(
          .tooLarge(records.path, line: lines.number, what: "the record", size: size, limit: Int64(limit)))
      case .text(let text):
        let trimmed = text.trimmingJSONSpace
        if trimmed.isEmpty { continue }
        try records.pass(trimmed, line: lines.number, body: body, problem: problem)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes without surrounding JSON white space.
  var trimmingJSONSpace: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start].isJSONSpace { start += 1 }
    while end > start, self[end - 1].isJSONSpace { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}

extension UInt8 {
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
