@_spi(Command) import Concordance
import CorpusReader
import DocumentFormats

/// Reads one file as `concord index` does, without a database.
enum CorpusReading {
  /// Adds the documents and problems of the file at `path`, with `name` as its path in ids and messages.
  static func read(_ request: FuzzRequest, _ answer: inout FuzzAnswer) throws {
    guard let format = CorpusFormat(rawValue: try request.string("format")) else {
      throw FuzzError("there is no such format")
    }
    let path = try request.string("path")
    let source = SourceFile(
      path: try request.string("name"), absolutePath: path, size: 0, modified: 0, format: format)
    var documents: [FuzzAnswer] = []
    var problems: [FuzzAnswer] = []
    let reader = try CorpusFileReader(checkID: DocumentImporter.checkID, extractor: InProcessExtractor())
    try reader.read(source) { document, _ in
      var entry = FuzzAnswer()
      entry.add("id", document.id)
      entry.add("json", String(decoding: document.json, as: UTF8.self))
      documents.append(entry)
    } problem: { problem in
      var entry = FuzzAnswer()
      entry.add("message", problem.description)
      entry.add("isError", problem.isError)
      problems.append(entry)
    }
    answer.add("documents", documents)
    answer.add("problems", problems)
  }
}
