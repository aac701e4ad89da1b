import Concordance
import Foundation
import Testing

/// Every record is stored under a unique id, or is an error.
struct RecordIDTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func allRecordsOfOneLineAreKept() throws {
    try folder.write("a.json", #"[{"t":"apple"},{"t":"pear"}]"#)
    #expect(try folder.concord("index", "a.json").status == 0)
    #expect(try folder.search("apple") == ["a.json:1"])
    #expect(try folder.search("pear") == ["a.json:1:2"])
    // The ids contain the file.
    #expect(try folder.concord("grep", "-l", "-g", "a.json", "apple|pear").lines == ["a.json:1", "a.json:1:2"])
  }

  @Test func duplicateIDInAFileIsAnErrorWithBothLocations() throws {
    try folder.write("r.jsonl", "{\"_id\":\"a\",\"t\":\"pear\"}\n{}\n{\"_id\":\"a\",\"t\":\"plum\"}\n")
    for _ in 1...2 {
      let result = try folder.concord("index", "r.jsonl")
      #expect(result.status == 2)
      #expect(
        result.messages.contains(
          "concord: r.jsonl:3: the id \"a\" already belongs to r.jsonl:1; the document was not saved\n"))
      #expect(result.messages.contains("--id-field"))
    }
    #expect(try folder.search("pear") == ["a"])
    #expect(try folder.search("plum") == [])
  }

  @Test func messageOnDuplicatesNamesTheIDField() throws {
    try folder.write("r.jsonl", "{\"sku\":1,\"t\":\"pear\"}\n{\"sku\":1,\"t\":\"plum\"}\n")
    let result = try folder.concord("index", "--id-field", "sku", "r.jsonl")
    #expect(result.messages.contains("records have the same sku: name another property with --id-field"))
  }

  @Test func duplicateIDInTwoFilesIsAnErrorWithBothLocations() throws {
    try folder.write("d/1.jsonl", "{\"id\":7,\"t\":\"pear\"}\n")
    try folder.write("d/2.jsonl", "{}\n{\"id\":7,\"t\":\"plum\"}\n{\"id\":8,\"t\":\"fig\"}\n")
    let result = try folder.concord("index", "--json", "d")
    #expect(result.status == 2)
    #expect(result.messages.contains("concord: d/2.jsonl:2: the id \"7\" already belongs to d/1.jsonl:1;"))
    #expect(try JSONText(result.lines[0]).int("errors") == 1)
    #expect(try folder.search("pear OR fig", "--syntax", "fts5").sorted() == ["7", "8"])
  }

  @Test func manyDuplicatesAreCounted() throws {
    try folder.write("r.jsonl", String(repeating: "{\"id\":1}\n", count: 301))
    let result = try folder.concord("index", "--json", "r.jsonl")
    #expect(try JSONText(result.lines[0]).int("errors") == 300)
    #expect(result.messages.split(separator: "\n").count < 30)
    #expect(result.messages.contains("280 more documents"))
  }

  @Test func duplicateIDInTheStandardInputIsAnError() throws {
    let result = try folder.concord("index", "-", input: #"[{"id":1,"t":"apple"},{"id":1,"t":"pear"}]"#)
    #expect(result.status == 2)
    #expect(result.messages.contains("concord: stdin:1:2: the id \"1\" already belongs to another document"))
    #expect(try folder.search("apple") == ["1"])
    // Another run replaces it.
    #expect(try folder.concord("index", "-", input: #"[{"id":1,"t":"plum"}]"#).status == 0)
    #expect(try folder.search("plum") == ["1"])
  }

  @Test func copiesOfAMailAreKept() throws {
    let mail = "From a Thu Jan  1 00:00:00 2020\nMessage-ID: <m@x>\nSubject: Boats\n\nwords\n"
    try folder.write("1.mbox", mail + "\n" + mail)
    try folder.write("2.mbox", mail)
    #expect(try folder.concord("index", "1.mbox", "2.mbox").status == 0)
    #expect(try folder.search("boats").sorted() == ["1.mbox#2", "2.mbox#1", "m@x"])
  }

  @Test func movedFileKeepsItsDocuments() throws {
    try folder.write("old/d/r.jsonl", #"{"id":"a","t":"pear"}"#)
    try folder.write("old/d/x.txt", "plum")
    let database = folder.file("base.concord")
    #expect(try ConcordProcess.shell("cd old && concord -d '\(database)' index d", in: folder).status == 0)
    try FileManager.default.moveItem(atPath: folder.file("old"), toPath: folder.file("new"))
    let moved = try ConcordProcess.shell("cd new && concord -d '\(database)' index d", in: folder)
    #expect(moved.status == 0, "\(moved.messages)")
    // A copy in another folder has the same paths as typed: the last one is kept with a warning. Duplicate ids of
    // records remain errors.
    try FileManager.default.copyItem(atPath: folder.file("new"), toPath: folder.file("copy"))
    let copied = try ConcordProcess.shell("cd copy && concord -d '\(database)' index d", in: folder)
    #expect(copied.status == 2)
    #expect(copied.messages.contains("1 document replaced another with the same id: d/x.txt"))
    #expect(copied.messages.contains("the id \"a\" already belongs to"))
  }

  @Test func recordsOfFilesWithTheSameNameDoNotReplaceEachOther() throws {
    try folder.write("p1/data.jsonl", "{\"id\":\"a\",\"t\":\"pear\"}\n{\"t\":\"fig\"}\n")
    try folder.write("p2/data.jsonl", "{\"id\":\"a\",\"t\":\"plum\"}\n{\"t\":\"kiwi\"}\n")
    let database = folder.file("corpus.concord")
    let first = try ConcordProcess.shell("cd p1 && concord -d '\(database)' index data.jsonl", in: folder)
    #expect(first.status == 0, "\(first.messages)")
    let second = try ConcordProcess.shell("cd p2 && concord -d '\(database)' index data.jsonl", in: folder)
    #expect(second.status == 2)
    #expect(try folder.search("pear") == ["a"])
    #expect(try folder.search("plum") == [])
    // The other ids derive from the typed path.
    #expect(try folder.search("kiwi") == ["data.jsonl:2"])
  }

  /// A database of an older version: one document for the line, and the settings of that version.
  @Test func filesReadByAnOlderVersionAreReadAgain() throws {
    let (text, seconds) = (#"[{"t":"apple"},{"t":"pear"}]"#, 1_700_000_000)
    try folder.write("a.json", text)
    let path = try #require(realpath(folder.file("a.json"), nil))
    defer { free(path) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: folder.file("a.json"))
    var configuration = DatabaseConfiguration()
    configuration.directory = folder.path
    let database = try Database(name: "corpus", config: configuration)
    let importer = try DocumentImporter(into: try database.defaultCollection())
    try importer.begin(
      ImportSource(
        path: String(cString: path), size: Int64(text.utf8.count), modified: Int64(seconds) * 1_000_000_000,
        settings: "1 json"))
    try importer.add(id: "a.json:1", json: Array(#"{"t":"pear"}"#.utf8))
    try importer.endSource()
    _ = try importer.finish()
    try database.close()
    let result = try folder.concord("index", "--json", "a.json")
    #expect(result.status == 0, "\(result.messages)")
    #expect(try JSONText(result.lines[0]).int("documents") == 2)
    #expect(try folder.search("apple") == ["a.json:1"])
    #expect(try folder.search("pear") == ["a.json:1:2"])
  }
}
