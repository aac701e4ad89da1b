import Foundation
import Testing

/// `put`, `delete`, and the blobs of `get`.
struct PutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ id: String) throws -> String {
    try folder.concord("get", "--", id).output.trimmingCharacters(in: .newlines)
  }

  @Test func documentsAreReadFromArgumentFileAndStandardInput() throws {
    let result = try folder.concord("put", "a", #"{"n":1.50}"#)
    #expect(result.status == 0)
    #expect(result.output == "a\n")
    #expect(result.messages.isEmpty)
    try folder.write("b.json", #"{"n":2.0}"#)
    #expect(try folder.concord("put", "b", "--file", "b.json").status == 0)
    #expect(try folder.concord("put", "c", "-", input: #"{"n":3e0}"#).status == 0)
    #expect(try folder.concord("put", "d", "--file", "-", input: #"{"n":4}"#).status == 0)
    #expect(try ["a", "b", "c", "d"].map(text) == [#"{"n":1.50}"#, #"{"n":2.0}"#, #"{"n":3e0}"#, #"{"n":4}"#])
  }

  @Test func newIDsAreUUIDs() throws {
    let result = try folder.concord("put", "--new", #"{"n":1}"#)
    let id = result.output.trimmingCharacters(in: .newlines)
    #expect(UUID(uuidString: id) != nil)
    #expect(try text(id) == #"{"n":1}"#)
  }

  @Test func revisionIsPrintedOnRequest() throws {
    let object = try JSONText(try folder.concord("put", "a", "{}", "--json").output)
    #expect(object.keys == ["id", "collection", "sequence", "revision"])
    let line = try folder.concord("put", "-v", "a", "{}").output.trimmingCharacters(in: .newlines)
    let columns = line.split(separator: "\t")
    #expect(columns.first == "a")
    #expect(String(columns.last ?? "") != object.string("revision"))
    #expect(try folder.concord("get", "-v", "a").messages == "a: revision \(columns.last ?? ""), sequence 2\n")
  }

  @Test func expiredDocumentsAreInvisibleToEveryCommand() throws {
    _ = try folder.concord("put", "a", #"{"text":"whisper"}"#)
    _ = try folder.concord("put", "b", #"{"text":"whisper"}"#)
    #expect(try folder.concord("index", "-q").status == 0)
    #expect(try folder.concord("search", "--count", "whisper").output == "2\n")
    let expired = try folder.concord("put", "a", #"{"text":"whisper"}"#, "--expires", "2020-01-01")
    #expect(expired.output == "a\n" && expired.messages.contains("the date of --expires is in the past"))
    #expect(try folder.concord("get", "a").status == 1)
    #expect(try folder.concord("search", "--count", "whisper").output == "1\n")
    #expect(try !folder.concord("export").output.contains("\"_id\":\"a\""))
    _ = try folder.concord("put", "a", #"{"text":"again"}"#)
    #expect(try folder.concord("get", "a").status == 0)
  }

  @Test func indexIsCreatedOverExistingDocuments() throws {
    _ = try folder.concord("put", "a", #"{"text":"whisper"}"#)
    let before = try folder.concord("search", "whisper")
    #expect(before.status == 2 && before.messages.contains("create one with `concord index`"))
    #expect(try folder.concord("index").status == 0)
    #expect(try folder.concord("search", "-q", "whisper").output.contains("a"))
    #expect(try folder.concord("index", "-d", "none.concord").status == 2)
  }

  @Test func whiteSpaceAroundTheObjectIsNotStored() throws {
    try folder.write("one.json", "{\"n\":1}\n")
    _ = try folder.concord("put", "one", "--file", "one.json")
    #expect(try folder.concord("export", "-q").output.contains(#"{"_id":"one","n":1}"#))
  }

  @Test func invalidDocumentsAreReported() throws {
    #expect(try folder.concord("put", "x", "{}", "--expire", "2030-01-01").messages.contains("--expire"))
    #expect(try folder.concord("put", "-x", "{}").messages.contains("unknown option '-x'"))
    try folder.write("bad.json", "{\"n\":}")
    let bad = try folder.concord("put", "x", "--file", "bad.json")
    #expect(bad.status == 2 && bad.messages.contains("bad.json: not JSON"))
    #expect(try folder.concord("put", "x", "1").messages.contains("another type (number)"))
  }

  @Test func missingCollectionsAreCreated() throws {
    #expect(try folder.concord("put", "-c", "shop.items", "a", "{}").status == 0)
    #expect(try folder.concord("get", "-c", "shop.items", "a").output == "{}\n")
  }

  @Test func mergeKeepsOtherProperties() throws {
    _ = try folder.concord("put", "a", #"{"n":1.50,"name":"x","list":[1.0]}"#)
    #expect(try folder.concord("put", "a", "--merge", #"{"name":"y","m":2.00}"#).status == 0)
    #expect(try text("a") == #"{"n":1.50,"name":"y","list":[1.0],"m":2.00}"#)
    #expect(try folder.concord("put", "b", "--merge", #"{"m":1.0}"#).status == 0)
    #expect(try text("b") == #"{"m":1.0}"#)
  }

  @Test func conditionsPreventOverwriting() throws {
    #expect(try folder.concord("put", "a", "--if-absent", #"{"n":1}"#).status == 0)
    let second = try folder.concord("put", "a", "--if-absent", #"{"n":2}"#)
    #expect(second.status == 1)
    #expect(second.messages == "concord: the document \"a\" already exists in _default._default\n")
    let revision = try #require(try JSONText(try folder.concord("get", "--json", "a").output).string("revision"))
    #expect(try folder.concord("put", "a", "--if-revision", revision, #"{"n":3.0}"#).status == 0)
    #expect(try text("a") == #"{"n":3.0}"#)
    let stale = try folder.concord("put", "a", "--if-revision", revision, #"{"n":4}"#)
    #expect(stale.status == 1)
    #expect(stale.messages.contains("has the revision "))
    #expect(try folder.concord("put", "z", "--if-revision", revision, "{}").messages.contains("does not exist"))
    #expect(try text("a") == #"{"n":3.0}"#)
    _ = try folder.concord("delete", "a")
    #expect(try folder.concord("put", "a", "--if-absent", #"{"n":5}"#).status == 0)
  }

  @Test(arguments: [
    ["put"], ["put", "a"], ["put", "a", "{}", "x"], ["put", "a", "{}", "--file", "f"], ["put", "a", "[]"],
    ["put", "a", "{"], ["put", "_a", "{}"], ["put", "--new", "--merge", "{}"], ["put", "a", "--file", "none"],
    ["put", "a", "{}", "--blob", "x"], ["put", "a", "{}", "--blob", "x=none"],
    ["put", "a", "{}", "--if-absent", "--merge"], ["delete"], ["get", "a", "-o", "x"],
    ["get", "a", "b", "--blob", "x"], ["get", "a", "--blob", "x", "--json"],
  ]) func invalidArgumentsAreReported(arguments: [String]) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.hasPrefix("concord: "))
  }

  @Test func blobsAreAttachedAndExtracted() throws {
    var generator = SeededGenerator(seed: 7)
    let content = Data((0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    try folder.write("photo.JPG", content)
    try folder.write("a:b", Data([0]))
    try folder.write("empty", Data())
    let put = try folder.concord(
      "put", "a", #"{"n":1.0}"#, "--blob", "photo=photo.JPG", "--blob", "odd=a:b", "--blob", "none=empty:x/y")
    #expect(put.status == 0)
    let document = try JSONText(try text("a"))
    #expect(document.object("photo")?["content_type"] as? String == "image/jpeg")
    #expect(document.object("photo")?["length"] as? Int == 1_000_000)
    #expect(document.object("odd")?["content_type"] as? String == "application/octet-stream")
    #expect(document.object("none")?["content_type"] as? String == "x/y")
    #expect(try folder.concord("get", "a", "--blob", "photo", "-o", "out").status == 0)
    #expect(try folder.read("out") == content)
    _ = try ConcordProcess.shell("concord get a --blob none > nothing; concord get a --blob odd > zero", in: folder)
    #expect(try folder.read("nothing").isEmpty)
    #expect(try folder.read("zero") == Data([0]))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasSuffix(".part") })
  }

  @Test func blobIsAddedToADocument() throws {
    try folder.write("t.txt", "text")
    _ = try folder.concord("put", "a", #"{"n":1.0}"#)
    #expect(try folder.concord("put", "a", "--merge", "--blob", "file=t.txt").status == 0)
    #expect(try text("a").hasPrefix(#"{"n":1.0,"file":{"@type":"blob","#))
    #expect(try folder.concord("get", "a", "--blob", "file").output == "text")
    #expect(try folder.concord("get", "a", "--blob", "n").status == 1)
    #expect(try folder.concord("get", "b", "--blob", "n").status == 1)
    #expect(try folder.concord("get", "a", "--blob", "file", "-o", "no/where").status == 2)
  }

  @Test func documentsAreDeleted() throws {
    for id in ["a", "b", "c", "d e"] { _ = try folder.concord("put", id, "{}") }
    let result = try folder.concord("delete", "a", "x", "b", "--json")
    #expect(result.status == 1)
    #expect(result.output == "{\"deleted\":2,\"missing\":[\"x\"]}\n")
    #expect(result.messages == "concord: there is no document \"x\" in _default._default\n2 documents deleted\n")
    #expect(try folder.concord("delete", "-", input: "c\nd e\n").status == 0)
    #expect(try folder.concord("get", "c").status == 1)
    #expect(try folder.concord("delete", "c").status == 1)
  }

  /// The ids of files whose paths begin with an underscore begin with `./`.
  @Test func fileIsDeletedByItsPath() throws {
    try folder.write("_posts/a.md", "text")
    _ = try folder.concord("index", "_posts")
    #expect(try folder.concord("delete", "_posts/a.md").status == 0)
    #expect(try folder.concord("get", "_posts/a.md").status == 1)
    let missing = try folder.concord("delete", "--purge", "_posts/b.md")
    #expect(missing.status == 1 && missing.messages.contains("\"_posts/b.md\""))
  }

  @Test func purgingLeavesNoTombstone() throws {
    for id in ["a", "b"] { _ = try folder.concord("put", id, "{}") }
    _ = try folder.concord("delete", "a")
    #expect(try folder.concord("delete", "--purge", "a", "b").status == 0)
    #expect(try folder.concord("delete", "--purge", "a").status == 1)
    let rows = try ConcordProcess.shell(
      #"sqlite3 corpus.concord 'SELECT count(*) FROM "_default._default"'"#, in: folder)
    #expect(rows.output == "0\n")
  }

  @Test func deletedDocumentsAreNotFound() throws {
    try folder.write("r.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n")
    _ = try folder.concord("index", "r.jsonl")
    _ = try folder.concord("put", "r2", #"{"t":"pear"}"#)
    #expect(try folder.search("pear").sorted() == ["r1", "r2"])
    _ = try folder.concord("delete", "r1")
    #expect(try folder.search("pear") == ["r2"])
  }

  @Test func documentsExpire() throws {
    #expect(try folder.concord("put", "a", "{}", "--expires", "2999-01-01T00:00:00.123Z").status == 0)
    let object = try JSONText(try folder.concord("get", "--json", "a").output)
    #expect(object.keys == ["id", "collection", "sequence", "revision", "expiration", "document"])
    #expect(object.string("expiration") == "2999-01-01T00:00:00.123Z")
    // Saving again keeps the expiration; merging an empty object changes only the expiration.
    #expect(try folder.concord("put", "a", #"{"n":1.0}"#).status == 0)
    let merged = try folder.concord("put", "a", "--merge", "--expires", "2999-01-02T00:00:00Z", "--json")
    #expect(try JSONText(merged.output).string("expiration") == "2999-01-02T00:00:00.000Z")
    #expect(try text("a") == #"{"n":1.0}"#)
    #expect(try folder.concord("put", "a", "{}", "--expires", "soon").status == 2)
  }
}
