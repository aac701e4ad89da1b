import Foundation
import Testing

/// Documents from files and other documents never replace each other unless the user requests it.
struct ReplacementTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("f.jsonl", "{\"id\":1,\"t\":\"apple\"}\n{\"id\":2,\"t\":\"fig\"}\n")
  }

  @Test func recordOfAFileDoesNotReplaceASavedDocument() throws {
    #expect(try folder.concord("put", "1", #"{"t":"plum"}"#).status == 0)
    for _ in 1...2 {
      let result = try folder.concord("index", "--json", "f.jsonl")
      #expect(result.status == 2)
      #expect(
        result.messages.contains(
          "concord: f.jsonl:1: the id \"1\" already belongs to a different document that was not read from a file; "
            + "the document was not saved\n"))
      #expect(result.messages.contains("--replace"))
      let report = try JSONText(try #require(result.lines.first))
      #expect(report.int("errors") == 1 && report.int("unchangedFiles") == 0)
    }
    #expect(try folder.search("plum OR fig", "--syntax", "fts5").sorted() == ["1", "2"])
    let replaced = try folder.concord("index", "--replace", "f.jsonl")
    #expect(replaced.status == 0)
    #expect(replaced.messages.contains("1 document replaced another with the same id: 1\n"))
    #expect(try folder.search("apple") == ["1"])
    #expect(try folder.concord("index", "f.jsonl").messages.contains("1 unchanged"))
  }

  @Test func standardInputDoesNotReplaceARecordOfAFile() throws {
    #expect(try folder.concord("index", "f.jsonl").status == 0)
    let input = "{\"id\":1,\"t\":\"plum\"}\n"
    let result = try folder.concord("index", "-", input: input)
    #expect(result.status == 2)
    #expect(
      result.messages.contains(
        "concord: stdin:1: the id \"1\" already belongs to f.jsonl:1; the document was not saved\n"))
    #expect(try folder.search("apple") == ["1"])
    #expect(try folder.search("plum") == [])
    #expect(try folder.concord("index", "--replace", "-", input: input).status == 0)
    #expect(try folder.search("plum") == ["1"])
    // The file lost its record, so it is read again and the duplicate is reported.
    let again = try folder.concord("index", "f.jsonl")
    #expect(again.status == 2 && again.messages.contains("f.jsonl:1: the id \"1\""))
  }

  @Test func equalDocumentsAreNotAnError() throws {
    #expect(try folder.concord("index", "-", input: "{\"id\":1,\"t\":\"apple\"}\n").status == 0)
    #expect(try folder.concord("index", "f.jsonl").status == 0)
    #expect(try folder.concord("index", "-", input: "{\"id\":1,\"t\":\"apple\"}\n").status == 0)
    // The document belongs to the file.
    try folder.write("f.jsonl", "{\"id\":2,\"t\":\"fig\"}\n")
    #expect(try folder.concord("index", "f.jsonl").status == 0)
    #expect(try folder.search("apple") == [])
  }

  @Test func putAndImportReplaceDocumentsOfFiles() throws {
    #expect(try folder.concord("index", "f.jsonl").status == 0)
    #expect(try folder.concord("put", "1", #"{"t":"plum"}"#).status == 0)
    #expect(try folder.concord("import", "-", input: "{\"_id\":\"2\",\"t\":\"kiwi\"}\n").status == 0)
    #expect(try folder.concord("index", "f.jsonl").status == 0)
    #expect(try folder.search("plum OR kiwi", "--syntax", "fts5").sorted() == ["1", "2"])
  }

  @Test func filesOfAnImportedDatabaseAreReadAgain() throws {
    try folder.write("a.txt", "apple")
    #expect(try folder.concord("index", "f.jsonl", "a.txt").status == 0)
    let export = try folder.concord("export")
    #expect(try folder.concord("import", "-d", "copy.concord", "-", input: export.output).status == 0)
    try folder.write("a.txt", "now plum")
    let result = try folder.concord("index", "-d", "copy.concord", "f.jsonl", "a.txt")
    #expect(result.status == 2 && result.messages.contains("a.txt: the id \"a.txt\""))
    #expect(try folder.concord("index", "-d", "copy.concord", "--replace", "f.jsonl", "a.txt").status == 0)
    #expect(try folder.search("plum", "-d", "copy.concord") == ["a.txt"])
  }
}
