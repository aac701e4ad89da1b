import Foundation
import Testing

/// Files that are not a Concordance database, or not a usable one.
struct DatabaseErrorTests {
  private let folder: TemporaryFolder
  static let readers = [
    ["search", "x"], ["get", "x"], ["indexes"], ["stats"], ["verify"], ["optimize"], ["export"],
    ["delete", "x"],
  ]

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: readers)
  func missingDatabaseIsAnError(arguments: [String]) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(
      result.messages
        == "concord: corpus.concord: there is no such database; create one with `concord index PATH…`, "
        + "`concord put` or `concord import`\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file("corpus.concord")))
  }

  /// Whether programs can run without the privileges with which the superuser bypasses file permissions.
  private static let hasModes =
    (try? ConcordProcess.shell("\(withoutPrivileges) true", in: TemporaryFolder()))?.status == 0
  private static let withoutPrivileges = "setpriv --bounding-set=-dac_override,-dac_read_search"

  @Test(
    .enabled(if: hasModes, "the privileges of the superuser cannot be dropped"),
    arguments: ["verify", "optimize", "delete a.txt", "put b '{}'", "index b.txt"])
  func readOnlyDatabaseIsAnErrorForWriters(command: String) throws {
    try folder.write("a.txt", "apple")
    try folder.write("b.txt", "pear")
    let database = folder.file("locked/corpus.concord")
    let result = try ConcordProcess.shell(
      """
      mkdir locked && concord -d '\(database)' index -q a.txt && chmod 444 locked/* && chmod 555 locked
      \(Self.withoutPrivileges) concord -d '\(database)' search -q apple &&
      \(Self.withoutPrivileges) concord -d '\(database)' \(command); status=$?
      chmod 755 locked; exit $status
      """, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.hasPrefix("concord: \(database): cannot be written, and files cannot"))
  }

  @Test(arguments: readers + [["index", "a.txt"]])
  func otherFileIsNotADatabase(arguments: [String]) throws {
    let text = String(repeating: "no database at all\n", count: 100)
    try folder.write("a.txt", "apple")
    try folder.write("corpus.concord", text)
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.contains("concord: corpus.concord: not a database"))
    #expect(try folder.read("corpus.concord") == Data(text.utf8))
  }

  @Test(arguments: readers + [["index", "a.txt"]])
  func databaseOfAnotherProgramIsAnError(arguments: [String]) throws {
    try folder.write("a.txt", "apple")
    let made = try ConcordProcess.shell(
      "sqlite3 corpus.concord 'CREATE TABLE t (x); INSERT INTO t VALUES (1)'", in: folder)
    try #require(made.status == 0)
    let before = try folder.read("corpus.concord")
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.contains("another program"))
    #expect(try folder.read("corpus.concord") == before)
  }

  @Test(arguments: readers + [["index", "a.txt"]])
  func newerFormatIsAnError(arguments: [String]) throws {
    try folder.write("a.txt", "apple")
    _ = try folder.concord("index", "a.txt")
    let patched = try ConcordProcess.shell("sqlite3 corpus.concord 'PRAGMA user_version = 99'", in: folder)
    try #require(patched.status == 0)
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.contains("written by a newer version"))
  }

  @Test func databaseIsNamedByOptionOrEnvironment() throws {
    try folder.write("a.txt", "apple")
    _ = try folder.concord("index", "a.txt", environment: ["CONCORD_DATABASE": "env.concord"])
    #expect(FileManager.default.fileExists(atPath: folder.file("env.concord")))
    #expect(
      try folder.concord("search", "apple", environment: ["CONCORD_DATABASE": "env.concord"]).status == 0)
    #expect(try folder.concord("search", "-d", "env.concord", "apple").status == 0)
    #expect(try folder.concord("-d", "env.concord", "search", "apple").status == 0)
    #expect(
      try folder.concord(
        "search", "--database", "env.concord", "apple", environment: ["CONCORD_DATABASE": "no.concord"]
      ).status == 0)
  }
}
