import Foundation
import Testing

/// Input that cannot be read, or not wholly.
struct ProblemTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aBrokenLineCostsOnlyItself() throws {
    try folder.write(
      "r.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n{\"id\":\"r2\", oops\n{\"id\":\"r3\",\"t\":\"pear\"}\n")
    let result = try folder.concord("index", "--json", "r.jsonl")
    #expect(result.status == 2)
    #expect(result.messages.contains("concord: r.jsonl:2: "))
    #expect(try JSONText(result.lines[0]).int("errors") == 1)
    #expect(try folder.search("pear") == ["r1", "r3"])
  }

  @Test func aHugeLineIsToldAndTheRestKept() throws {
    let path = folder.file("huge.jsonl")
    try folder.write("huge.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n{\"id\":\"r2\",\"t\":\"")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<100 { try handle.write(contentsOf: piece) }
    try handle.write(contentsOf: Data("\"}\n{\"id\":\"r3\",\"t\":\"pear\"}\n".utf8))
    try handle.close()
    let result = try folder.concord("index", "huge.jsonl")
    #expect(result.status == 0)
    #expect(result.messages.contains("concord: huge.jsonl:2: the record has 1048576"))
    #expect(try folder.search("pear") == ["r1", "r3"])
    var usage = rusage()
    #expect(getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0)
    var own = rusage()
    #expect(getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own) == 0)
    // Of all children so far, in KiB. Each begins with what this process has, until it runs the command.
    #expect(usage.ru_maxrss < max(400 << 10, own.ru_maxrss + (64 << 10)))
  }

  @Test func aFileInNoKnownCharacterSetIsASkipAndARecordAnError() throws {
    try folder.write("bad.txt", Data("a".utf8 + [0x81] + " ".utf8 + [0xC3, 0x28, 0x9D, 0x8F] + " pear\n".utf8))
    try folder.write("good.txt", "pear")
    let skipped = try folder.concord("index", ".")
    #expect(skipped.status == 0)
    #expect(skipped.messages.contains("concord: bad.txt: neither UTF-8 nor"))
    try folder.write("bad.jsonl", Data("{\"id\":\"r1\",\"t\":\"pear ".utf8 + [0xFF, 0xFE, 0xC0] + "\"}\n".utf8))
    let failed = try folder.concord("index", ".")
    #expect(failed.status == 2)
    #expect(failed.messages.contains("concord: bad.jsonl:1: not UTF-8"))
    #expect(try folder.search("pear") == ["good.txt"])
  }

  @Test func aMissingPathMakesNoDatabase() throws {
    let result = try folder.concord("index", "nowhere")
    #expect(result.status == 2)
    #expect(result.messages == "concord: nowhere: No such file or directory\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file("corpus.concord")))
  }

  @Test func theSameIDTwiceIsTold() throws {
    try folder.write("r.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n{\"id\":\"r1\",\"t\":\"plum\"}\n")
    let result = try folder.concord("index", "r.jsonl")
    #expect(result.messages.contains("took the place of another with the same id: r1"))
    #expect(try folder.search("plum") == ["r1"])
  }

  @Test func quietMeansQuiet() throws {
    try folder.write("a.txt", "apple")
    try folder.write("b.png", Data([0x89, 0x50, 0, 0, 1]))
    let result = try folder.concord("index", "-q", ".")
    #expect(result.output.isEmpty)
    #expect(result.messages.isEmpty)
    #expect(try folder.concord("search", "-q", "apple").messages.isEmpty)
    #expect(!(try folder.concord("index", "-q", "nowhere").messages.isEmpty))
  }
}
