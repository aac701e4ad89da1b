/// Reads a file that consists of a JSON object, or of an array of objects.
///
/// An array is split while it is read, so only the size of each element is limited, not that of the file. A syntax
/// error in the array itself ends reading because the start of the next element is unknown. The elements before it are
/// kept.
struct JSONFileReader {
  let records: RecordParser
  let limit: Int

  func read(_ source: ByteSource, buffer: ByteBuffer, body: DocumentSink, problem: ProblemSink) throws {
    var splitter = JSONSplitter(source, buffer: buffer, limit: limit)
    do {
      while let element = try splitter.next() {
        switch element {
        case .text(let text, let line, let ordinal):
          try records.pass(text, line: line, ordinal: ordinal, body: body, problem: problem)
        case .tooLarge(let size, let line):
          problem(
            .tooLarge(records.path, line: line, what: "the record", size: size, limit: Int64(limit)))
        }
      }
    } catch let fault as JSONSplitter.Fault {
      problem(
        CorpusProblem(path: records.path, line: fault.line, kind: .incomplete, reason: fault.reason))
    }
  }
}
