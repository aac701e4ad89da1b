import Foundation
import Testing

struct IndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func index(_ arguments: String...) throws -> JSONText {
    let result = try ConcordProcess.run(["index", "--json"] + arguments, in: folder)
    return try JSONText(try #require(result.lines.first, "\(result.messages)"))
  }

  private func fields() throws -> [String] {
    let indexes = try folder.concord("indexes", "--json").lines.map { try JSONText($0) }
    return indexes.first { $0.string("name") == "search" }?.members["fields"] as? [String] ?? []
  }

  @Test func reportHasTheseKeysInThisOrder() throws {
    try folder.write("a.txt", "one")
    let report = try index("a.txt")
    #expect(
      report.keys == [
        "documents", "saved", "unchanged", "removed", "replaced", "files", "unchangedFiles", "deletedFiles",
        "skipped",
        "errors", "bytes", "seconds",
      ])
    #expect(report.int("documents") == 1)
    #expect(report.int("bytes") == 3)
  }

  @Test func fieldsDependOnTheKindsOfDocuments() throws {
    try folder.write("files/a.txt", "apple")
    try folder.write("records/r.jsonl", #"{"_id":"r1","deep":{"er":"pear"}}"#)
    _ = try index("files")
    #expect(try fields() == ["title", "name", "path", "symbols", "text"])
    let second = try folder.concord("index", "records")
    #expect(second.messages.contains("rebuilding the index of 1 document"))
    #expect(try fields() == ["title", "name", "path", "symbols", "text", "*"])
    #expect(try folder.search("pear") == ["r1"])
    #expect(try folder.search("apple") == ["files/a.txt"])
    _ = try folder.concord("index", "-d", "records.concord", "records")
    let records = try JSONText(try folder.concord("indexes", "--json", "-d", "records.concord").lines[0])
    #expect(records.members["fields"] as? [String] == ["*"])
  }

  @Test func optionsThatAreNotGivenKeepTheirValues() throws {
    try folder.write("a.txt", "running Ardèche")
    _ = try index("--language", "en", "--accents", "keep", "a.txt")
    #expect(try folder.search("run") == ["a.txt"])
    #expect(try folder.search("ardeche") == [])
    try folder.write("b.txt", "runs")
    let second = try folder.concord("index", "b.txt")
    #expect(!second.messages.contains("rebuilding"))
    #expect(try folder.search("run").sorted() == ["a.txt", "b.txt"])
    let third = try folder.concord("index", "--accents", "fold", "a.txt")
    #expect(third.messages.contains("accents fold instead of keep"))
    #expect(try folder.search("ardeche") == ["a.txt"])
    _ = try index("--language", "none", "a.txt")
    #expect(try folder.search("run") == [])
  }

  @Test func fieldsCanHaveDifferentLanguages() throws {
    try folder.write("r.jsonl", #"{"_id":"a","title":"Running","text":"Die Lampen","code":"spin_lock"}"#)
    _ = try index(
      "--fields", "title,text,code", "--language", "en", "--field-language", "text=de", "--field-language", "code=none",
      "--field-code", "code=on", "r.jsonl")
    for query in ["run", "lampe", "text:lampe", "lock"] { #expect(try folder.search(query) == ["a"], "\(query)") }
    #expect(try folder.search("title:lampe") == [])
    let line = try JSONText(try folder.concord("indexes", "--json").lines.first { $0.contains("full-text") } ?? "")
    #expect(line.string("language") == "en")
    #expect(line.object("fieldAnalyzers")?.keys.sorted() == ["code", "text"])
    #expect(try folder.concord("indexes").output.contains("en, text=de, code=none"))
    // Options that are not given keep their values.
    let second = try folder.concord("index", "--fields", "title,text,code", "r.jsonl")
    #expect(!second.messages.contains("rebuilding"))
    #expect(try folder.search("lampe") == ["a"])
    let third = try folder.concord("index", "--language", "fr", "--field-language", "text=default", "r.jsonl")
    #expect(third.messages.contains("language fr instead of en; language of text fr instead of de"))
    #expect(try folder.search("lampe") == [])
    #expect(try folder.search("lock") == ["a"])
  }

  @Test func invalidFieldLanguagesAreReported() throws {
    try folder.write("r.jsonl", #"{"_id":"a","title":"x"}"#)
    let unknown = try folder.concord("index", "--fields", "title", "--field-language", "titel=de", "r.jsonl")
    #expect(unknown.status == 2 && unknown.messages.contains("no field \"titel\"; it has \"title\""))
    let klingon = try folder.concord("index", "--field-language", "title=klingon", "r.jsonl")
    #expect(klingon.status == 2 && klingon.messages.contains("klingon"))
    #expect(try folder.concord("index", "--field-language", "title", "r.jsonl").status == 2)
    #expect(try folder.concord("index", "--field-code", "title=maybe", "r.jsonl").status == 2)
  }

  @Test func synonymsAreReadFromAFile() throws {
    try folder.write("a.txt", "a television set")
    try folder.write("rules", "# sets\ntv, television\n\n")
    _ = try index("--synonyms", "rules", "a.txt")
    #expect(try folder.search("tv") == ["a.txt"])
    try folder.write("rules", "fine, good\nalone\n")
    let broken = try folder.concord("index", "--synonyms", "rules", "a.txt")
    #expect(broken.status == 2)
    #expect(broken.messages.contains("rules:2:"))
  }

  @Test func identifiersAreFoundByTheirParts() throws {
    try folder.write("a.c", "spin_lock_irqsave(&flags);")
    _ = try index("--code", "a.c")
    #expect(try folder.search("lock") == ["a.c"])
    _ = try index("--no-code", "a.c")
    #expect(try folder.search("lock") == [])
  }

  @Test func onlyNamedFieldsAreSearched() throws {
    try folder.write("r.jsonl", #"{"_id":"r1","name":"apple","secret":"pear"}"#)
    _ = try index("--fields", "name", "r.jsonl")
    #expect(try folder.search("apple") == ["r1"])
    #expect(try folder.search("pear") == [])
  }

  @Test func globsHiddenIgnoreAndSizeOptionsSelectFiles() throws {
    try folder.write("d/a.txt", "word")
    try folder.write("d/b.md", "word")
    try folder.write("d/.c.txt", "word")
    try folder.write("d/e.log", "word")
    try folder.write("d/.gitignore", "*.log\n")
    try folder.write("d/.git/HEAD", "ref")
    try folder.write("d/large.txt", "word " + String(repeating: "x", count: 3000))
    #expect(try index("--max-filesize", "1K", "d").int("documents") == 2)
    #expect(try index("d").int("documents") == 3)
    #expect(try index("--no-ignore", "--hidden", "d").int("documents") == 6)
    #expect(try index("-d", "x", "--include", "*.txt", "d").int("documents") == 2)
    #expect(try index("-d", "y", "--exclude", "*.txt", "d").int("documents") == 1)
    #expect(try folder.concord("index", "--max-filesize", "many", "d").status == 2)
  }

  @Test(arguments: ["1K", "many", "-1", "2000G"])
  func wrongMemoryIsRefused(size: String) throws {
    try folder.write("d/a.txt", "word")
    let result = try folder.concord("index", "--memory=\(size)", "d")
    #expect(result.status == 2 && result.messages.contains("--memory"))
    #expect(try folder.concord("index", "--memory", "1M", "d").status == 0)
  }

  @Test func formatOfTheStandardInputIsDetected() throws {
    let records = try folder.concord(
      "index", "-", input: "{\"id\":\"a\",\"t\":\"apple\"}\n{\"id\":\"b\",\"t\":\"pear\"}\n")
    #expect(records.status == 0)
    #expect(try folder.search("pear") == ["b"])
    #expect(try folder.concord("index", "-", input: "just text about plums").status == 0)
    #expect(try folder.search("plums").count == 1)
    #expect(try folder.search("pear") == ["b"])
  }

  @Test func collectionsAreCreatedAndSeparate() throws {
    try folder.write("a.txt", "apple")
    _ = try index("-c", "shop.fruit", "a.txt")
    #expect(try folder.search("apple", "-c", "shop.fruit") == ["a.txt"])
    let other = try folder.concord("search", "-c", "shop.tools", "apple")
    #expect(other.status == 2)
    #expect(other.messages.contains("there is no collection shop.tools"))
    #expect(try folder.concord("index", "-c", "shop._x", "a.txt").status == 2)
  }

  @Test func idsAreReadFromTheNamedField() throws {
    try folder.write("p.csv", "sku,name\nA-1,hammer\nA-2,nail\n")
    _ = try index("--id-field", "sku", "p.csv")
    #expect(try folder.search("nail") == ["A-2"])
  }

  @Test func pathsThatAreNotValidIDsAreIndexed() throws {
    let deep = (0..<30).map { "folder-number-\($0)" }.joined(separator: "/") + "/file.txt"
    try folder.write("_posts/a.md", "underscore")
    try folder.write(deep, "nested")
    let report = try index("_posts", "folder-number-0")
    #expect(report.int("errors") == 0)
    #expect(try folder.search("underscore") == ["./_posts/a.md"])
    let id = try #require(try folder.search("nested").first)
    #expect(id.utf8.count <= 240)
    #expect(id.hasSuffix("/folder-number-29/file.txt"))
    #expect(try folder.concord("get", id).output.contains("\"path\":\"\(deep)\""))
  }

  @Test func databaseFileIsNotIndexed() throws {
    try folder.write("a.txt", "apple")
    #expect(try index(".").int("files") == 1)
    let second = try index(".")
    #expect(second.int("files") == 0)
    #expect(second.int("unchangedFiles") == 1)
  }

  @Test func unknownLanguageErrorListsTheKnownOnes() throws {
    try folder.write("a.txt", "apple")
    let result = try folder.concord("index", "--language", "klingon", "a.txt")
    #expect(result.status == 2)
    #expect(result.messages.contains("en (english)"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("corpus.concord")))
  }
}
