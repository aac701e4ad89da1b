import Foundation
import Testing

/// The values of `--database`.
struct DatabasePathTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let readers = [
    ["search", "x"], ["get", "x"], ["query", "SELECT 1"], ["explain", "SELECT 1"], ["grep", "x"], ["indexes"],
    ["stats"],
    ["verify"], ["export"], ["terms"], ["suggest", "x"], ["analyze", "x"],
  ]

  @Test(arguments: readers) func foldersAndOtherFilesAreErrors(arguments: [String]) throws {
    try folder.write("a", "hello\n")
    for (path, message) in [
      ("a", "a: not a database"), (".", ".: is a directory"), ("./", "./: is a directory"),
      ("", "the path of the database is empty"),
      ("file:x?mode=memory", "file:x?mode=memory: there is no such database"),
    ] {
      let result = try ConcordProcess.run(arguments + ["-d", path], in: folder)
      #expect(result.status == 2, "\(path)")
      #expect(result.messages.hasPrefix("concord: \(message)"), "\(result.messages)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test(arguments: [
    "postgresql:corpus", "postgresql:/corpus", "Postgresql:///corpus", "POSTGRES://host/corpus", "postgres:corpus",
    "psql://ann:secret@host/corpus", "postgresq://host/corpus",
    "host=db dbname=corpus password=secret",
  ])
  func mistypedAddressesAreNotNamesOfFiles(address: String) throws {
    for arguments in [["put", "x", "{}"], ["search", "x"], ["serve", "--port", "0"], ["cluster", "status"]] {
      let result = try ConcordProcess.run(["-d", address] + arguments, in: folder, limit: 20)
      #expect(result.status == 2, "\(arguments)")
      #expect(
        result.messages.contains("postgresql://user@host/database or postgresql:///database?host=/folder"),
        "\(arguments): \(result.messages)")
      #expect(!result.messages.contains("secret"), "\(result.messages)")
    }
    for arguments in [
      ["sync", address, "ws://localhost:1/x"], ["sync", address, "x.concord"], ["cluster", "init", address],
    ] {
      let result = try ConcordProcess.run(arguments, in: folder, limit: 20)
      #expect(result.status == 2 && result.messages.contains(" is not the address of a database; use "), "\(result)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: ["./postgresql:corpus", "postgres-1:a", "a:b"]) func filesMayHaveColons(path: String) throws {
    #expect(try folder.concord("-d", path, "put", "x", "{}").status == 0)
    #expect(try folder.concord("-d", path, "get", "x").lines == ["{}"])
  }

  @Test(arguments: readers) func readingLeavesNoFiles(arguments: [String]) throws {
    try folder.write("a.txt", "hello\n")
    #expect(try folder.concord("index", "a.txt").status == 0)
    for query in [["--timeout", "0.000000001"], []] {
      _ = try ConcordProcess.run(arguments + query, in: folder)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.txt", "corpus.concord"])
    }
  }

  @Test(arguments: readers + [["optimize"], ["delete", "x"]])
  func emptyFileRemainsEmpty(arguments: [String]) throws {
    try folder.write("corpus.concord", "")
    let result = try ConcordProcess.run(arguments, in: folder)
    let isFound = arguments == ["verify"]
    #expect(result.status == (isFound ? 1 : 2))
    #expect((isFound ? result.output : result.messages).contains("corpus.concord: the file is empty"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["corpus.concord"])
    #expect(try folder.read("corpus.concord").isEmpty)
  }

  @Test func verifyReportsForeignSchemaObjects() throws {
    let made = try ConcordProcess.shell(
      "concord put -q a '{}' && sqlite3 corpus.concord 'CREATE VIEW v AS SELECT 1'", in: folder)
    try #require(made.status == 0, "\(made.messages)")
    let verified = try folder.concord("verify", "-q")
    #expect(verified.status == 1)
    #expect(
      verified.lines == [#"schema: the view "v" was not created by Concordance; remove it, or do not use the file"#])
    let read = try folder.concord("get", "a")
    #expect(read.status == 2)
    #expect(
      read.messages.hasPrefix(#"concord: corpus.concord: contains the view "v", which Concordance did not create; "#))
  }

  @Test(arguments: ["base", "c2-1-214"])
  func damagedSamplesAreReported(name: String) throws {
    let checkout = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let sample = checkout.deletingLastPathComponent().appendingPathComponent("shared/data/cases/\(name).concord").path
    guard let data = FileManager.default.contents(atPath: sample) else {
      print("skipped: \(sample) is missing")
      return
    }
    try data.write(to: URL(fileURLWithPath: folder.file("x.concord")))
    let verified = try folder.concord("verify", "-q", "-d", "x.concord")
    #expect(verified.status == 1)
    // The full-text index of the samples is of an earlier version, so its contents are not compared.
    let damage = verified.lines.filter { !$0.contains("another version of the text analysis") }
    #expect(damage.isEmpty == (name == "base"), "\(verified)")
  }
}
