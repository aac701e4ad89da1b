import Foundation
import TestSupport
import Testing

/// The command with the address of a database on PostgreSQL.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct PostgreSQLTests {
  private let folder: TemporaryFolder
  private let url: String

  init() throws {
    folder = try TemporaryFolder()
    url = try TemporaryCluster.makeDatabase()
    try folder.write("docs/barrier.md", "# Barriers\n\nA memory barrier orders loads and stores.\n")
    try folder.write("docs/lock.md", "# Locks\n\nA spinlock waits for memory in a loop.\n")
    try folder.write("docs/barrier.c", "void barrier(void) { asm volatile(\"\" ::: \"memory\"); }\n")
    #expect(try folder.concord("cluster", "init", url).status == 0)
    let indexed = try run("index", "docs")
    #expect(indexed.status == 0, "\(indexed.messages)")
  }

  private func run(_ arguments: String..., input: String? = nil) throws -> CommandResult {
    try ConcordProcess.run(["-d", url] + arguments, in: folder, input: input)
  }

  @Test func searchFindsAndExplains() throws {
    let found = try run("search", "memory barrier")
    #expect(found.status == 0 && found.output.contains("barrier.md"), "\(found)")
    let phrase = try run("search", "--json", "\"memory barrier\"")
    #expect(phrase.lines.count == 1 && phrase.output.contains("barrier.md"), "\(phrase)")
    let explained = try run("search", "--explain", "spinlock")
    #expect(explained.messages.contains("PostgreSQL: ") && explained.messages.contains(" round trips"), "\(explained)")
    #expect(try run("search", "nosuchword").status == 1)
  }

  @Test func grepFindsLines() throws {
    let found = try run("grep", "spin[a-z]+ waits")
    #expect(found.status == 0 && found.output.contains("A spinlock waits for memory"), "\(found)")
    #expect(try run("grep", "nosuch[0-9]line").status == 1)
  }

  @Test func documentsAreWrittenReadAndDeleted() throws {
    let saved = try run("put", "note1", "-", input: #"{"kind":"note","n":7}"#)
    #expect(saved.status == 0, "\(saved.messages)")
    #expect(try run("get", "note1").output.contains(#""n":7"#))
    let rows = try run("query", "--json", "SELECT n FROM _ WHERE kind = 'note'")
    #expect(rows.lines == [#"{"n":7}"#], "\(rows)")
    #expect(try run("delete", "note1").status == 0)
    #expect(try run("get", "note1").status != 0)
  }

  @Test func explanationsShowWhatTheServerEvaluates() throws {
    let scan = try run("explain", "SELECT META().id FROM _ WHERE n > 5")
    #expect(scan.status == 0 && scan.output.contains("is transferred to the client"), "\(scan)")
    #expect(!scan.output.contains("round trip"))
    let lookup = try run("query", "--explain", "SELECT * FROM _ WHERE META().id = 'note1'")
    #expect(lookup.output.contains("FROM cx_doc WHERE") && lookup.output.contains("id = ?"), "\(lookup)")
    #expect(lookup.output.contains("round trip") && !lookup.output.contains("transferred"), "\(lookup)")
  }

  @Test func theDatabaseIsVerifiedAndCounted() throws {
    let verified = try run("verify")
    #expect(verified.status == 0, "\(verified)")
    let stats = try run("stats", "--json")
    #expect(stats.status == 0 && stats.output.contains("documents"), "\(stats)")
    // A second run changes nothing.
    let again = try run("index", "docs")
    #expect(again.status == 0, "\(again.messages)")
    #expect(try run("query", "--json", "SELECT count(*) AS n FROM _").lines.count == 1)
    #expect(try run("optimize").status == 0)
    let status = try folder.concord("cluster", "status", url)
    #expect(status.status == 0 && status.output.contains("\n1 shard with "), "\(status)")
    let indexes = status.lines.filter { $0.hasPrefix("index ") }
    #expect(!indexes.isEmpty && indexes.allSatisfy { $0.hasSuffix(" of _default._default: 1 segment") }, "\(status)")
    let json = try folder.concord("cluster", "status", "--json", url)
    #expect(json.output.contains(#""indexes":[{"collection":"_default._default","name":"#), "\(json)")
    #expect(json.output.contains(#""segments":1}"#), "\(json)")
  }

  @Test func aDatabaseIsCreatedOnCitus() throws {
    let refused = try folder.concord("cluster", "init", try TemporaryCluster.makeDatabase(), "--citus")
    #expect(refused.status == 2 && refused.messages.contains("CREATE EXTENSION citus"), "\(refused)")
    let citus = try CitusDatabase.make().url
    let created = try folder.concord("cluster", "init", citus, "--citus", "--shards", "4")
    #expect(created.status == 0 && created.messages.contains("created with 4 shards on Citus"), "\(created)")
    #expect(try ConcordProcess.run(["-d", citus, "index", "docs"], in: folder).status == 0)
    #expect(try ConcordProcess.run(["-d", citus, "search", "--json", "memory"], in: folder).lines.count == 3)
    #expect(try folder.concord("cluster", "status", citus).output.contains(", Citus 1"))
    #expect(try folder.concord("cluster", "init", citus, url, "--citus").status == 2)
  }

  @Test func optimizeMergesAndCompacts() throws {
    for name in ["one", "two", "three"] {
      #expect(try run("put", name, "-", input: #"{"title":"memory"}"#).status == 0)
    }
    #expect(try run("delete", "two").status == 0)
    let compacted = try run("optimize", "--compact")
    #expect(compacted.status == 0 && compacted.messages.contains("before"), "\(compacted)")
    #expect(try run("search", "--json", "memory").lines.count == 5)
    #expect(try run("grep", "-l", "memory").lines.count == 5)
    #expect(try run("verify").status == 0)
  }

  @Test func whatIsNotAvailableIsRefused() throws {
    let view = try run("view", "create", "names", "--key", "name")
    #expect(view.status == 2 && view.messages.contains("PostgreSQL"), "\(view)")
    let missing = try ConcordProcess.run(["-d", url + "&dbname=nosuchdatabase", "stats"], in: folder)
    #expect(missing.status == 2 && missing.messages.contains("nosuchdatabase"), "\(missing)")
  }

  @Test func aSearchLeavesOutAServerThatIsDown() throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    let urls = [first.url(), second.url()]
    #expect(try folder.concord("cluster", "init", urls[0], urls[1], "--shards", "8").status == 0)
    for number in 0..<40 { try folder.write("many/file\(number).md", "# Memory \(number)\n") }
    func run(_ arguments: String...) throws -> CommandResult {
      try ConcordProcess.run(["-d", urls[0]] + arguments, in: folder)
    }
    #expect(try run("index", "many").status == 0)
    let complete = try run("search", "--json", "-n", "100", "--partial", "memory")
    #expect(complete.status == 0 && complete.lines.count == 40 && !complete.output.contains("missing"), "\(complete)")
    try second.stopImmediately()
    let refused = try run("search", "memory")
    #expect(refused.status == 2 && refused.messages.contains("node 2 of 2"), "\(refused)")
    let partial = try run("search", "--json", "-n", "100", "--partial", "memory")
    #expect(partial.status == 0 && (2...40).contains(partial.lines.count), "\(partial)")
    let last = partial.lines.last ?? ""
    #expect(last.hasPrefix(#"{"missingServers":[{"number":2,"firstShard":4,"lastShard":7,"message":"#), "\(last)")
    #expect(partial.messages.contains("the results are incomplete: "), "\(partial)")
    let text = try run("search", "--partial", "memory")
    #expect(text.status == 0 && text.messages.contains("of at least \(partial.lines.count - 1) hits"), "\(text)")
    let count = try run("search", "--count", "--partial", "memory")
    #expect(count.status == 0 && count.output == "at least \(partial.lines.count - 1)\n", "\(count)")
    #expect(count.messages.contains("the results are incomplete: "), "\(count)")
    // Whether a document of the missing server matches is unknown.
    #expect(try run("search", "--partial", "nosuchword").status == 2)
    #expect(try run("search", "--count", "--partial", "nosuchword").status == 2)
    #expect(try run("search", "--watch", "--partial", "memory").status == 2)
    try checkPartialGrep(hitCount: partial.lines.count - 1, run)
    let served = try ConcordProcess.shell(
      """
      concord serve '\(urls[0])' --port 0 > url 2> messages & server=$!
      until [ -s url ]; do kill -0 $server || exit 1; sleep 0.05; done
      name=$(curl -s $(cat url)/databases | jq -r '.databases[0].name? // .databases[0]')
      search=$(cat url)/databases/$name/collections/_default/search?q=memory
      curl -s "$search" | jq -c .status
      curl -s "$search&limit=100&partial=true" | jq -c '.missingServers, (.hits | length), .estimatedTotalHits, .totalHits'
      grep=$(cat url)/databases/$name/collections/_default/grep?pattern=Memory
      curl -s "$grep&partial=true" | jq -c 'select(.type == "summary").data | .missingServers, .stats.matches'
      kill -TERM $server; wait $server
      """, in: folder)
    let hitCount = partial.lines.count - 1
    #expect(served.lines.count == 7 && (Int(served.lines[0]) ?? 0) >= 500, "\(served)")
    #expect(
      Array(served.lines.dropFirst()) == [
        #"[{"number":2,"firstShard":4,"lastShard":7}]"#, "\(hitCount)", "\(hitCount)", "null",
        #"[{"number":2,"firstShard":4,"lastShard":7}]"#, "\(hitCount)",
      ], "\(served)")
  }

  /// Checks `grep --partial` while the second of two servers is down. Every document contains the word `Memory`.
  private func checkPartialGrep(hitCount: Int, _ run: (String...) throws -> CommandResult) throws {
    let refused = try run("grep", "Memory")
    #expect(refused.status == 2 && refused.messages.contains("node 2 of 2"), "\(refused)")
    let found = try run("grep", "--partial", "-l", "Memory")
    #expect(found.status == 0 && found.lines.count == hitCount, "\(found)")
    #expect(found.messages.contains("the results are incomplete: "), "\(found)")
    let json = try run("grep", "--partial", "--json", "Memory")
    #expect(json.lines.last?.contains(#""missingServers":[{"number":2,"#) == true, "\(json)")
    #expect(try run("grep", "--partial", "nosuchword").status == 2)
  }
}
