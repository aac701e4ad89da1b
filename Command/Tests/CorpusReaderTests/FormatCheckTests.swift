import CorpusReader
import Foundation
import Testing

/// Detection of files of records.
@Suite struct FormatCheckTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the checked formats of the files that a walk of these roots finds, by name.
  private func formats(_ roots: [String], _ options: CorpusOptions = CorpusOptions()) throws -> [String: CorpusFormat] {
    let reader = try CorpusFileReader(options: options)
    var formats: [String: CorpusFormat] = [:]
    let paths = roots.map { folder.path + "/" + $0 }
    try CorpusWalker(paths: paths, options: options).walk { file in
      formats[file.name] = reader.checkingFormat(of: file) { _ in }.format
    }
    return formats
  }

  private func writeFiles() throws {
    try folder.write("d/a.json", "[{}]")
    try folder.write("d/b.csv", "x\n1\n")
    try folder.write("d/c.tsv", "x\n1\n")
    try folder.write("d/e.jsonl", "{}\n")
  }

  @Test func onlyJSONLinesAreRecordsInFolders() throws {
    try writeFiles()
    #expect(try formats(["d"]) == ["a.json": .code, "b.csv": .text, "c.tsv": .text, "e.jsonl": .jsonl])
  }

  @Test func namedFilesAreRecords() throws {
    try writeFiles()
    #expect(try formats(["d/a.json", "d/b.csv"]) == ["a.json": .json, "b.csv": .csv])
    // Even below a folder that is named before them.
    #expect(try formats(["d", "d/a.json"])["a.json"] == .json)
  }

  @Test func globsSelectFilesOfRecords() throws {
    try writeFiles()
    var options = CorpusOptions()
    options.records = ["*.csv", "*.json", "!a.*"]
    #expect(try formats(["d"], options) == ["a.json": .code, "b.csv": .csv, "c.tsv": .text, "e.jsonl": .jsonl])
  }

  @Test(arguments: [
    ("f.json", "{ // comment\n}"), ("f.json", "[1, 2]"), ("f.json", ""), ("f.csv", "a,b\n1\n"),
    ("f.tsv", "a\n\"x\"y\n"),
  ])
  func namedFilesThatDoNotParseAreText(name: String, text: String) throws {
    try folder.write(name, text)
    let format = try #require(try formats([name])[name])
    #expect(!format.holdsRecords)
  }

  @Test func jsonLinesInFoldersThatDoNotParseAreText() throws {
    try folder.write("d/broken.jsonl", "{}\n{oops\n{}\n")
    try folder.write("d/none.jsonl", "{oops")
    // A file that is being written.
    try folder.write("d/growing.jsonl", "{}\n{\"a\":")
    #expect(try formats(["d"]) == ["broken.jsonl": .text, "none.jsonl": .text, "growing.jsonl": .jsonl])
    #expect(try formats(["d/broken.jsonl"]) == ["broken.jsonl": .jsonl])
  }

  @Test func fileTooLargeForOneDocumentKeepsItsValidRecords() throws {
    var options = CorpusOptions()
    options.maximumDocumentSize = 100
    try folder.write("d/large.jsonl", String(repeating: "{\"a\":1}\n", count: 50) + "{oops\n")
    // 50 lines, compressed, in fewer bytes than the limit.
    try folder.write("d/small.jsonl", String(repeating: "{\"a\":1}\n", count: 50) + "{oops\n")
    let gzip = try Process.run(URL(fileURLWithPath: "/usr/bin/gzip"), arguments: [folder.path + "/d/small.jsonl"])
    gzip.waitUntilExit()
    #expect(try formats(["d"], options) == ["large.jsonl": .jsonl, "small.jsonl.gz": .jsonl])
  }

  @Test func formatOfTheOptionsIsCertain() throws {
    try folder.write("d/a.txt", "{oops")
    var options = CorpusOptions()
    options.format = .json
    #expect(try formats(["d"], options) == ["a.txt": .json])
  }
}
