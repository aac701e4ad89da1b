import CorpusReader
import Foundation
import JSONText
import Testing

/// A named pipe is read only if the walk found a pipe. One that has replaced a file must not stop the run.
@Suite(.timeLimit(.minutes(10))) struct PipeTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
  }

  private func read(_ name: String, _ format: CorpusFormat, isPipe: Bool) throws -> Reading {
    let source = SourceFile(
      path: name, absolutePath: path, size: 1, modified: 0, format: format, isFormatCertain: isPipe, isPipe: isPipe)
    var reading = Reading()
    let reader = try CorpusFileReader()
    try reader.read(reader.checkingFormat(of: source) { _ in }) {
      try reading.add($0, $1)
    } problem: {
      reading.problems.append($0)
    }
    return reading
  }

  @Test(arguments: [("f.txt", CorpusFormat.text), ("f.jsonl", .jsonl), ("f.pdf", .document), ("f.tar", .document)])
  func aPipeThatReplacedTheFileIsUnreadable(name: String, format: CorpusFormat) throws {
    let reading = try read(name, format, isPipe: false)
    #expect(reading.problems.map(\.description) == ["\(name): neither a regular file nor a directory"])
    #expect(reading.kinds == [.unreadable])
  }

  @Test func aPipeThatTheWalkFoundIsReadWhenItsWriterBegins() throws {
    let writer = try Process.run(
      URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "sleep 0.2; echo text > \"$1\"", "sh", path])
    #expect(try read("f.txt", .text, isPipe: true)["text"] == .string("text\n"))
    writer.waitUntilExit()
  }

  @Test func theWalkReportsPipes() throws {
    var found: [Bool] = []
    try CorpusWalker(paths: [path, folder.write("a.txt")]).walk { found.append($0.isPipe) }
    #expect(found == [true, false])
  }
}
