/// Reads a file that is one JSON object, or an array of them.
///
/// An array is taken apart as it is read, so that its size does not matter, only that of each element. A fault in
/// the array's own syntax ends the reading: where the next element begins is not known then. The elements up to
/// there are kept.
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
