import Foundation
import Testing

/// JSON and CSV files in folders are searched as text, as in ripgrep.
struct FolderFormatTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("d/a.json", "[\n  {\"id\": \"1212\", \"t\": \"apple\"}\n]\n")
    try folder.write("d/b.json", "{\n  // a comment\n  \"id\": \"1212\"\n}\n")
    try folder.write("d/c.csv", "id,t\n\"id\": \"1212\",pear\n1\n")
  }

  private func index(_ arguments: String...) throws -> JSONText {
    let result = try ConcordProcess.run(["index", "--json"] + arguments, in: folder)
    #expect(result.status == 0, "\(result.messages)")
    return try JSONText(try #require(result.lines.first, "\(result.messages)"))
  }

  @Test func grepFindsLinesOfJSONAndCSVFiles() throws {
    #expect(try index("d").int("documents") == 3)
    let found = try folder.concord("grep", "-n", #""id": "1212""#)
    #expect(
      found.lines == [
        #"d/a.json:2:  {"id": "1212", "t": "apple"}"#, #"d/b.json:3:  "id": "1212""#, #"d/c.csv:2:"id": "1212",pear"#,
      ])
    #expect(try folder.concord("grep", "-l", "-g", "*.json", "id").lines == ["d/a.json", "d/b.json"])
    #expect(try folder.search("comment") == ["d/b.json"])
  }

  @Test func fileThatDoesNotParseIsTextAndCountedOnce() throws {
    try folder.write("d/e.jsonl", "{\"id\":\"j\"}\n{oops plum\n")
    let first = try folder.concord("index", "d", "d/b.json", "d/c.csv")
    #expect(first.status == 0)
    // The reason is printed for files that the user named.
    #expect(first.messages.contains("concord: d/b.json:1: not JSON: "))
    #expect(first.messages.contains("concord: d/c.csv:2: text after a closing quote; the file is read as text; "))
    #expect(
      first.messages.contains("concord: 1 file does not parse as its format and is indexed as text; -v lists them\n"))
    #expect(first.messages.split(separator: "\n").count == 4)
    #expect(try folder.search("plum") == ["d/e.jsonl"])
    #expect(try folder.search("pear") == ["d/c.csv"])
    let second = try folder.concord("index", "d", "d/b.json", "d/c.csv")
    #expect(second.status == 0)
    #expect(second.messages.hasPrefix("0 documents new or changed; 0 files read, 4 unchanged"))
    let third = try folder.concord("index", "-v", "d")
    #expect(third.messages.contains("d/e.jsonl: does not parse as its format, indexed as text\n"))
    #expect(third.messages.contains("4 unchanged"))
    #expect(try folder.concord("verify").status == 0)
    let listed = try folder.concord("index", "-v", "-d", "other.concord", "d/b.json")
    #expect(listed.messages.contains("d/b.json:1: not JSON: "))
  }

  /// A file with a rejected record is incomplete, and is read again by the next run.
  @Test func fileOfRecordsWithARejectedRecordStaysAFileOfRecords() throws {
    try folder.write("d/f.json", #"[{"_id": "x", "t": "quince"}, {"_id": "x", "t": "medlar"}]"#)
    #expect(try folder.concord("index", "d/f.json").status == 2)
    _ = try folder.concord("index", "d")
    #expect(try folder.search("quince") == ["x"])
  }

  @Test func fileWithoutRecordsIsAnErrorIfAnIDFieldIsGiven() throws {
    try folder.write("x.csv", "id,name\n1,a\n2,b,c\n3,d\n")
    // The second run does not read the unchanged file again, and reports it again.
    for reason in ["x.csv:3: the row has 3 cells, the header 2; the file is read as text", "x.csv: does not parse"] {
      let result = try folder.concord("index", "--id-field", "id", "x.csv")
      #expect(result.status == 2 && result.messages.hasPrefix("concord: \(reason)"))
      #expect(result.messages.contains("; --format csv reads its valid records\n"))
    }
    let records = try folder.concord("index", "--id-field", "id", "--format", "csv", "x.csv")
    #expect(records.status == 2 && records.messages.contains("the header 2; the record is not indexed\n"))
    #expect(try folder.concord("get", "3").output == "{\"id\":3,\"name\":\"d\"}\n")
  }

  @Test func skippedFileThatIsNamedIsReportedByEachRun() throws {
    try folder.write("x.png", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]))
    #expect(try folder.concord("index", "x.png").messages.contains("skipped 1 file: 1 PNG"))
    #expect(try folder.concord("index", "x.png").messages.contains("concord: x.png: skipped, PNG\n"))
  }

  @Test func exportedFileIsReported() throws {
    try folder.write("b.jsonl", "{\"_concordance\":1}\n{\"_id\":\"a\"}\n")
    let result = try folder.concord("index", "b.jsonl")
    #expect(result.messages.hasPrefix("concord: b.jsonl is an export of a database"))
  }

  @Test func onlyTheFirstOfManyNamedFilesAreListed() throws {
    let names = (10..<30).map { "n\($0).json" }
    for name in names { try folder.write(name, "{ // \(name)\n}\n") }
    let result = try ConcordProcess.run(["index"] + names, in: folder)
    #expect(result.status == 0)
    #expect(
      result.messages.components(separatedBy: "the file is read as text; --format json reads its valid records\n").count
        == 11)
    #expect(result.messages.contains("10 files do not parse as their formats"))
  }

  @Test func namedFilesAndFilesMatchingGlobsContainRecords() throws {
    _ = try index("d/a.json")
    #expect(try folder.search("apple") == ["1212"])
    try folder.write("d/good.csv", "id,t\nx,fig\n")
    _ = try index("-d", "globs.concord", "--records", "*.csv", "d")
    #expect(try folder.search("fig", "-d", "globs.concord") == ["x"])
    #expect(try folder.search("apple", "-d", "globs.concord") == ["d/a.json"])
    #expect(try folder.concord("index", "--records", "{", "d").status == 2)
  }

  @Test func fileOnceReadAsRecordsRemainsAFileOfRecords() throws {
    _ = try index("d/a.json")
    #expect(try index("d").int("unchangedFiles") == 1)
    #expect(try folder.search("apple") == ["1212"])
    try folder.write("d/a.json", #"[{"id":"new","t":"apple"}]"#)
    _ = try index("d")
    #expect(try folder.search("apple") == ["new"])
    _ = try index("--records", "!*", "d")
    #expect(try folder.search("apple") == ["d/a.json"])
  }

  @Test func freshReadsFilesThatDoNotParseAsText() throws {
    _ = try index("d/a.json", "d/b.json")
    try folder.write("d/b.json", "{ // more\n}\n")
    try folder.write("d/a.json", "[ // plum\n]\n")
    #expect(try folder.concord("grep", "--fresh", "//").lines == ["d/b.json:{ // more"])
    // The records of the other file are kept until it can be read again.
    #expect(try folder.search("apple") == ["1212"])
  }

  @Test(arguments: [
    ("r.csv", "id,t\n1,apple\n2,pear\n", "id,t\n1,apple\n\"unclosed\n2,pear\n"),
    ("r.json", #"[{"id":1,"t":"apple"},{"id":2,"t":"pear"}]"#, #"[{"id":1,"t":"apple"},{"id":2,"t"#),
  ])
  func recordsAreKeptWhileTheirFileIsIncomplete(name: String, whole: String, part: String) throws {
    try folder.write(name, whole)
    _ = try index(name)
    try folder.write(name, part)
    for path in [name, ".", name] {
      let result = try folder.concord("index", "--include", name, path)
      #expect(result.status == 2, "\(result.messages)")
      #expect(!result.messages.contains("indexed as text"))
      #expect(try folder.search("apple OR pear").sorted() == ["1", "2"])
    }
    try folder.write(name, whole.replacing("pear", with: "plum"))
    _ = try index(name)
    #expect(try folder.search("apple OR plum").sorted() == ["1", "2"])
    #expect(try folder.search("pear") == [])
  }

  @Test func otherGlobsDoNotTurnRecordsIntoText() throws {
    _ = try index("d/a.json")
    _ = try index("--records", "*.none", "d")
    #expect(try folder.search("apple") == ["1212"])
    _ = try index("--records", "*.none", "--records", "!b.json", "d")
    #expect(try folder.search("apple") == ["1212"])
    _ = try index("--records", "!a.json", "d")
    #expect(try folder.search("apple") == ["d/a.json"])
  }
}
