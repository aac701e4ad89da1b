import Foundation
import Testing

/// The files that a second run reads, skips and removes.
struct IncrementalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.write("d/\(name).txt", "word \(name)lpha") }
    #expect(try index("d").int("saved") == 3)
  }

  private func index(_ arguments: String...) throws -> JSONText {
    let result = try ConcordProcess.run(["index", "--json"] + arguments, in: folder)
    return try JSONText(try #require(result.lines.first, "\(result.messages)"))
  }

  @Test func unchangedFilesAreSkipped() throws {
    let second = try index("d")
    #expect(second.int("unchangedFiles") == 3)
    #expect(second.int("files") == 0)
    #expect(second.int("documents") == 3)
  }

  @Test func changedFilesAreReadAgain() throws {
    try folder.write("d/b.txt", "word changed entirely")
    let second = try index("d")
    #expect(second.int("files") == 1)
    #expect(second.int("saved") == 1)
    #expect(try folder.search("blpha") == [])
    #expect(try folder.search("entirely") == ["d/b.txt"])
  }

  @Test func documentsOfDeletedFilesAreRemoved() throws {
    try folder.remove("d/b.txt")
    let second = try index("d")
    #expect(second.int("removed") == 1)
    #expect(second.int("deletedFiles") == 1)
    #expect(try folder.search("word").sorted() == ["d/a.txt", "d/c.txt"])
  }

  @Test func deletedFileGivenAsAPathIsRemoved() throws {
    try folder.remove("d/b.txt")
    #expect(try index("d/b.txt").int("removed") == 1)
    try folder.remove("d")
    #expect(try index("d").int("removed") == 2)
    #expect(try ConcordProcess.run(["index", "d"], in: folder).status == 2)
  }

  @Test(arguments: [true, false])
  func recordWithADuplicateIDIsSavedOnceTheIDIsFree(isRemoved: Bool) throws {
    try folder.write("r/1.jsonl", #"{"id":"k","t":"first"}"#)
    try folder.write("r/2.jsonl", #"{"id":"k","t":"second"}"#)
    #expect(try index("r/2.jsonl").int("errors") == 0)
    #expect(try index("r").int("errors") == 1)
    // The file with the duplicate is read before the file that loses the record.
    if isRemoved { try folder.remove("r/2.jsonl") } else { try folder.write("r/2.jsonl", #"{"id":"l"}"#) }
    #expect(try index("r").int("errors") == 0)
    #expect(try folder.search("first") == ["k"])
    #expect(try index("r").int("files") == 0)
  }

  @Test func recordsDoNotMakeTheMetadataOfFilesSearchable() throws {
    try folder.write("d/records.jsonl", #"{"id":"r","type":"text","path":"d/elsewhere"}"#)
    #expect(try index("d").int("documents") == 4)
    #expect(try folder.search("text") == ["r"])
    #expect(try folder.search("elsewhere") == ["r"])
  }

  @Test func newlyIgnoredFilesAreRemoved() throws {
    try folder.write("d/.ignore", "c.txt\n")
    #expect(try index("d").int("removed") == 1)
    #expect(try folder.search("clpha") == [])
  }

  @Test func pathThatNoLongerExistsIsNamed() throws {
    try folder.remove("d/b.txt")
    let result = try folder.concord("index", "d/b.txt")
    #expect(result.messages.contains("concord: d/b.txt no longer exists; the documents of 1 file are removed\n"))
    #expect(!result.messages.contains("--hidden"))
  }

  @Test func runWithGlobsRemovesOnlyDeletedFiles() throws {
    try folder.remove("d/b.txt")
    let narrowed = try index("--include", "a*", "d")
    #expect(narrowed.int("removed") == 1)
    #expect(try folder.search("word").sorted() == ["d/a.txt", "d/c.txt"])
    #expect(try index("--max-filesize", "1", "d").int("removed") == 0)
  }

  @Test func filesOfOtherPathsAreKept() throws {
    try folder.write("e/x.txt", "word")
    try folder.write("dd/x.txt", "word")
    #expect(try index("e", "dd").int("removed") == 0)
    #expect(try folder.search("word").count == 5)
  }

  @Test func unknownPathOrMissingParentFolderRemovesNothing() throws {
    try folder.write("e/x.txt", "word")
    let result = try folder.concord("index", "--json", "never", "e")
    #expect(result.status == 2)
    #expect(result.messages.contains("concord: never: No such file or directory"))
    #expect(try JSONText(result.lines[0]).int("removed") == 0)
    try folder.remove("d")
    #expect(try folder.concord("index", "d/a.txt").status == 2)
    #expect(try folder.search("word").count == 4)
  }

  @Test func recordsDeletedFromTheirFileAreRemoved() throws {
    try folder.write("r.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n{\"id\":\"r2\",\"t\":\"plum\"}\n")
    _ = try index("r.jsonl")
    try folder.write("r.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n{\"id\":\"r3\",\"t\":\"fig\"}\n")
    let second = try index("r.jsonl")
    #expect(second.int("saved") == 1)
    #expect(second.int("unchanged") == 1)
    #expect(second.int("removed") == 1)
    #expect(try folder.search("plum") == [])
    #expect(try folder.search("pear") == ["r1"])
  }

  @Test func changedSettingsReadAFileAgain() throws {
    try folder.write("r.jsonl", #"{"id":"r1","sku":"s1","t":"pear"}"#)
    _ = try index("r.jsonl")
    #expect(try index("--id-field", "sku", "r.jsonl").int("files") == 1)
    #expect(try folder.search("pear") == ["s1"])
    _ = try index("--format", "text", "r.jsonl")
    #expect(try folder.search("pear") == ["r.jsonl"])
  }

  @Test func binaryFilesAreNotOpenedAgain() throws {
    try folder.write("d/image.png", Data([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 0, 0, 255]))
    let first = try folder.concord("index", "--json", "-v", "d")
    #expect(first.status == 0)
    #expect(first.messages.contains("d/image.png: "))
    #expect(try JSONText(first.lines[0]).int("skipped") == 1)
    let second = try folder.concord("index", "--json", "d")
    #expect(!second.messages.contains("image.png"))
    #expect(try JSONText(second.lines[0]).int("unchangedFiles") == 4)
  }

  @Test func filesAreRecognizedFromAnotherWorkingDirectory() throws {
    let result = try folder.concord(
      "index", "--json", "../\(URL(fileURLWithPath: folder.path).lastPathComponent)/d")
    #expect(try JSONText(result.lines[0]).int("unchangedFiles") == 3)
  }
}
