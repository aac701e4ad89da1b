import Concordance
import Foundation
import TestSupport
import Testing

/// What the command reports about databases on PostgreSQL, and the operations that are not available there.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct PostgreSQLMessageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Creates a database as `concord cluster init` does.
  private func makeDatabase() throws -> String {
    let url = try TemporaryCluster.makeDatabase()
    let created = try folder.concord("cluster", "init", url)
    #expect(created.status == 0 && created.messages.contains("created with 1 shard\n"), "\(created)")
    return url
  }

  /// The listener would run until it is stopped, and the replicator would try to connect for minutes.
  @Test func replicationIsRefused() throws {
    let url = try makeDatabase()
    for arguments in [
      ["listen", url, "--port", "0"], ["-d", url, "listen", "--port", "0"], ["sync", url, "ws://localhost:1/x"],
      ["sync", url, "copy.concord"], ["sync", "copy.concord", url],
      ["sync", "copy.concord", "postgresql://ann:secret@localhost/corpus"],
    ] {
      let result = try ConcordProcess.run(arguments, in: folder, limit: 20)
      #expect(result.status == 2 && result.output.isEmpty, "\(arguments): \(result)")
      #expect(result.messages.contains(": replication is not available on PostgreSQL yet"), "\(result.messages)")
      #expect(!result.messages.contains("attempt") && !result.messages.contains("secret"), "\(result.messages)")
    }
    #expect(try folder.names().isEmpty)
  }

  @Test func aConfigurationFileNamesTheAddress() throws {
    let url = try makeDatabase()
    try folder.write("notes/a.txt", "running water")
    try folder.write("concord.yaml", "database: \"\(url)\"\nfolders: [notes]\n")
    #expect(try folder.concord("index").status == 0)
    #expect(try folder.concord("-d", url, "search", "water").output.contains("a.txt"))
    try folder.write("concord.yaml", "database: postgresql:corpus\nfolders: [notes]\n")
    let mistyped = try folder.concord("index")
    #expect(mistyped.status == 2 && mistyped.messages.contains(": database: postgresql:… is not the"), "\(mistyped)")
    #expect(try folder.names().sorted() == ["concord.yaml", "notes"])
  }

  @Test func viewsAreRefused() throws {
    let url = try makeDatabase()
    for arguments in [["list"], ["create", "v", "--key", "n"], ["query", "v"], ["drop", "v"]] {
      let result = try ConcordProcess.run(["view"] + arguments + ["-d", url], in: folder)
      #expect(result.status == 2, "\(result)")
      #expect(result.messages.hasSuffix(": views are not available on PostgreSQL yet; use a database in a file\n"))
    }
  }

  @Test func anEmptyDatabaseBehavesLikeAnEmptyFile() throws {
    let url = try makeDatabase()
    #expect(try folder.concord("-d", "empty.concord", "import", "-", input: "").status == 0)
    for arguments in [
      ["search", "foo"], ["grep", "foo"], ["get", "foo"], ["query", "--json", "SELECT COUNT(*) AS n FROM _"],
      ["indexes"],
    ] {
      let server = try ConcordProcess.run(["-d", url] + arguments, in: folder)
      let file = try ConcordProcess.run(["-d", "empty.concord"] + arguments, in: folder)
      #expect(server.status == file.status && server.output == file.output, "\(arguments): \(server) \(file)")
      // The name of the database precedes some messages.
      let messages = [server, file].map { $0.messages.components(separatedBy: ": ").last }
      #expect(messages[0] == messages[1], "\(arguments)")
    }
  }

  /// Nobody has opened the database for writing, so it has no default collection.
  @Test func aDatabaseWithoutCollectionsIsReportedAsEmpty() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    for arguments in [["search", "foo"], ["grep", "foo"]] {
      let result = try ConcordProcess.run(["-d", url] + arguments, in: folder)
      #expect(result.status == 2, "\(result)")
      #expect(result.messages.contains(": the database is empty; add documents with `concord index PATH…`"))
    }
    let query = try folder.concord("-d", url, "query", "SELECT COUNT(*) FROM _")
    #expect(query.status == 2 && query.messages.contains("the database is empty, so add documents first"), "\(query)")
  }

  @Test func clusterCommandsUseTheDatabaseOfTheOptions() throws {
    let url = try makeDatabase()
    // The first line names the database.
    let status = try folder.concord("cluster", "status", url)
    let name = try #require(status.lines.first)
    #expect(try folder.concord("-d", url, "cluster", "status").lines.first == name)
    #expect(try folder.concord("cluster", "status", "-d", url).lines.first == name)
    #expect(try folder.concord("cluster", "status", environment: ["CONCORD_DATABASE": url]).lines.first == name)
    // The argument takes precedence.
    #expect(try folder.concord("-d", "other.concord", "cluster", "status", url).lines.first == name)
    #expect(try folder.concord("-d", url, "cluster", "merge").status == 0)
    for arguments in [["cluster", "status"], ["cluster", "merge"]] {
      let result = try ConcordProcess.run(arguments, in: folder)
      #expect(result.status == 2 && result.messages.contains("--database or in $CONCORD_DATABASE"), "\(result)")
    }
  }

  @Test func statusCountsDocumentsWithoutTombstones() throws {
    let url = try makeDatabase()
    for id in ["a", "b", "c"] { #expect(try folder.concord("-d", url, "put", id, "{}").status == 0) }
    #expect(try folder.concord("-d", url, "delete", "b").status == 0)
    let status = try folder.concord("cluster", "status", url)
    #expect(status.output.contains("\n1 shard with 2 documents\n"), "\(status)")
    let json = try folder.concord("cluster", "status", "--json", url)
    #expect(json.output.contains(#""documents":2,"shardDocuments":[2],"#), "\(json)")
    #expect(json.output.contains(#""nodes":[{"number":1,"name":"postgresql://"#), "\(json)")
    #expect(try folder.concord("-d", url, "stats", "--json").output.contains(#""documents":2,"#))
  }

  @Test func statusListsServersThatAreNotAvailable() throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    let urls = [first.url(), second.url()]
    #expect(try folder.concord("cluster", "init", urls[0], urls[1], "--shards", "2").status == 0)
    for number in 0..<20 { try folder.write("docs/file\(number).md", "# Memory \(number)\n") }
    #expect(try folder.concord("-d", urls[0], "index", "docs").status == 0)
    let complete = try folder.concord("cluster", "status", urls[0])
    #expect(complete.status == 0 && complete.output.contains("2 shards with 20 documents, "), "\(complete)")
    try second.stopImmediately()
    let text = try folder.concord("cluster", "status", urls[0])
    #expect(text.status == 2 && text.messages.isEmpty, "\(text)")
    #expect(text.lines.contains { $0.hasPrefix("node 1: ") && $0.contains(", PostgreSQL 1") }, "\(text)")
    let missing = text.lines.last ?? ""
    #expect(missing.hasPrefix("node 2: ") && missing.contains(", shard 1, not available: "), "\(text)")
    #expect(text.output.contains("\n2 shards with at least ") && text.output.contains(" segment"), "\(text)")
    let json = try folder.concord("cluster", "status", "--json", urls[0])
    #expect(json.status == 2 && json.output.contains(",null],"), "\(json)")
    #expect(json.output.contains(#""firstShard":1,"lastShard":1,"message":""#), "\(json)")
    // Without the first server, nothing is known.
    try first.stopImmediately()
    let failed = try folder.concord("cluster", "status", urls[0])
    #expect(failed.status == 2 && failed.output.isEmpty && failed.messages.contains("cannot connect"), "\(failed)")
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "query --watch 'SELECT n FROM _'", "query --watch --json 'SELECT n FROM _'", "search --watch memory",
      "cluster merge --watch --interval 1",
    ])
  func watchingEndsWhenTheDatabaseIsCreatedAgain(command: String) throws {
    let url = try makeDatabase()
    try folder.write("a.txt", "memory")
    #expect(try folder.concord("-d", url, "index", "-q", "a.txt").status == 0)
    #expect(try folder.concord("-d", url, "put", "-q", "a", #"{"n":1}"#).status == 0)
    let result = try ConcordProcess.shell(
      """
      concord -d '\(url)' \(command) > out 2> messages & watch=$!
      until [ -s out ] || grep -q merging messages; do kill -0 $watch || exit 1; sleep 0.05; done
      psql -qX '\(url)' -c 'DROP SCHEMA concordance CASCADE' 2> dropped || cat dropped >&2
      concord cluster init '\(url)' 2> /dev/null
      wait $watch; echo "status $?"; cat messages >&2
      """, in: folder)
    #expect(result.lines.last == "status 2", "\(result)")
    #expect(result.messages.contains("created again") || result.messages.contains("does not exist"), "\(result)")
  }

  /// A shell without job control starts background jobs with SIGINT ignored.
  @Test(.timeLimit(.minutes(10))) func mergingInTheBackgroundEndsOnSIGINT() throws {
    let url = try makeDatabase()
    let result = try ConcordProcess.shell(
      """
      concord cluster merge --watch '\(url)' 2> messages & merge=$!
      until grep -q merging messages; do kill -0 $merge || exit 1; sleep 0.05; done
      kill -INT $merge; wait $merge; echo "status $?"
      """, in: folder)
    #expect(result.lines == ["status 130"], "\(result)")
  }
}

extension TemporaryFolder {
  /// The names of the files and folders.
  fileprivate func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }
}
