import Foundation
import Testing

/// First copies, interruptions and messages of `concord sync` and `concord listen`.
@Suite(.timeLimit(.minutes(10))) struct SyncMessageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    #expect(try folder.concord("-d", "a.concord", "put", "-q", "roxy", #"{"type":"bar"}"#).status == 0)
    #expect(try folder.concord("-d", "a.concord", "put", "-q", "-c", "shop.items", "pen", "{}").status == 0)
  }

  private func sync(_ arguments: String...) throws -> CommandResult {
    try ConcordProcess.run(["sync"] + arguments, in: folder)
  }

  /// Starts a listener for a.concord, runs a script with its URL in `$url`, stops it, and prints its messages to `log`.
  private func listen(_ options: String = "", _ script: String) throws -> CommandResult {
    try ConcordProcess.shell(
      """
      rm -f url
      concord listen a.concord --port 0 \(options) > url 2> log & listener=$!
      until [ -s url ]; do kill -0 $listener || { cat log >&2; exit 1; }; sleep 0.05; done
      url=$(cat url)
      \(script)
      kill -TERM $listener; wait $listener
      """, in: folder)
  }

  @Test func theFirstRunCopiesAllCollectionsOfAServer() throws {
    let result = try listen("", "concord sync new.concord $url --json -v")
    #expect(result.output.contains(#""received":2,"failed":0"#), "\(result)")
    #expect(result.messages.contains("creating new.concord with _default._default, shop.items"), "\(result)")
    #expect(result.messages.contains("received shop.items/pen"), "\(result)")
    #expect(try folder.concord("-d", "new.concord", "get", "-c", "shop.items", "pen").lines == ["{}"])
    #expect(try folder.concord("-d", "new.concord", "get", "roxy").status == 0)
  }

  @Test func onlyOfferedCollectionsAreReplicated() throws {
    let result = try listen(
      "-c shop.items",
      """
      concord sync new.concord $url --json | cut -d, -f3-4
      concord sync a.concord $url; echo "status $?"
      concord sync new.concord $url -c _default; echo "status $?"
      """)
    #expect(result.lines == [#""received":1,"failed":0"#, "status 2", "status 2"], "\(result)")
    #expect(
      result.messages.contains(
        "the server does not offer the collection _default._default of a.concord; replicate those that it offers with "
          + "--collection shop.items"), "\(result)")
    #expect(result.messages.contains("the peer has no collection _default._default"), "\(result)")
  }

  @Test func collectionsThatAreCreatedLaterAreOfferedToTheNextConnection() throws {
    let result = try listen(
      "",
      """
      concord sync new.concord $url -q
      concord -d a.concord put -q -c late q1 '{"a":1}' > /dev/null
      concord sync new.concord $url --json | cut -d, -f3-4
      concord -d new.concord get -c late q1
      concord -d a.concord put -q -c last q2 '{"a":2}' > /dev/null
      concord sync new.concord $url -c last --pull --json | cut -d, -f3-4
      """)
    #expect(
      result.lines == [#""received":1,"failed":0"#, #"{"a":1}"#, #""received":1,"failed":0"#], "\(result)")
  }

  @Test func aFailedPullLeavesNoEmptyCollection() throws {
    let result = try listen(
      "",
      """
      concord -d b.concord put -q roxy '{}' > /dev/null
      concord sync b.concord $url -c missing --pull; echo "status $?"
      concord -d b.concord get -c missing x
      """)
    #expect(result.lines == ["status 2"], "\(result)")
    #expect(result.messages.contains("the peer has no collection _default.missing"), "\(result)")
    #expect(result.messages.contains("there is no collection _default.missing"), "\(result)")
  }

  @Test func conflictsOfAContinuousPushAreReportedOnce() throws {
    #expect(try sync("a.concord", "b.concord").status == 0)
    for file in ["a.concord", "b.concord"] {
      #expect(try folder.concord("-d", file, "put", "-q", "roxy", #"{"in":"\#(file)"}"#).status == 0)
    }
    let result = try listen(
      "",
      """
      concord sync b.concord $url --push --continuous --json -v > lines 2> messages & client=$!
      until grep -q refused lines && grep -q idle lines; do kill -0 $client || exit 1; sleep 0.05; done
      concord -d b.concord put -q roxy '{"again":true}' > /dev/null; concord -d b.concord put -q other '{}' > /dev/null
      until grep -q 'sent _default._default/other' messages; do kill -0 $client || exit 1; sleep 0.05; done
      kill -TERM $client; wait $client; echo "status $?"
      tail -1 lines | cut -d, -f2,4; grep refused lines | cut -d, -f1-4; grep -c _default._default/roxy messages
      """)
    #expect(
      result.lines == [
        "status 2", #""sent":1,"failed":1"#,
        #"{"status":"refused","collection":"_default._default","id":"roxy","code":10409"#, "1",
      ], "\(result)")
  }

  /// With `-c`, the replicator itself waits; without, the request for the list of collections does. Each run has a new
  /// file, because the loop could otherwise read the messages of the run before.
  @Test func anInterruptedRunDoesNotSucceed() throws {
    let result = try ConcordProcess.shell(
      """
      for options in '-c _default' '' '--continuous'; do
        rm -f messages; concord sync a.concord ws://127.0.0.1:1/a $options 2> messages & client=$!
        until grep -qs offline messages; do kill -0 $client || exit 1; sleep 0.05; done
        kill -TERM $client; wait $client; echo "status $?"; cat messages
      done
      """, in: folder)
    #expect(result.lines.filter { $0.hasPrefix("status") } == Array(repeating: "status 143", count: 3), "\(result)")
    #expect(result.output.contains("Connection refused; attempt 1 of 10 failed, the next one is in 2 s"), "\(result)")
    #expect(result.output.contains("Connection refused; attempt 1 failed, the next one is in 2 s"), "\(result)")
    #expect(result.output.contains("interrupted before all changes were exchanged"), "\(result)")
  }

  /// The table is deleted while the listener uses the database, as damage would be noticed.
  @Test func errorsOfTheServersDatabaseContainNoPathsForClients() throws {
    let result = try listen(
      "", "sqlite3 a.concord 'DROP TABLE concordance_checkpoint'; concord sync b.concord $url; echo \"status $?\"")
    #expect(result.lines.last == "status 2", "\(result)")
    #expect(result.messages.contains("its log has the details"), "\(result)")
    #expect(!result.messages.contains(folder.path) && !result.messages.contains("concordance_checkpoint"), "\(result)")
    let log = try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
    #expect(log.contains("error of the database") && log.contains("concordance_checkpoint"), "\(log)")
  }

  @Test func refusedChangesAndMissingCredentialsAreAnsweredWithAdvice() throws {
    // `openssl passwd -6 -salt abc secret`
    try folder.write(
      "users",
      "ann:$6$abc$IdWKNKTJEb8LxY7CGg8YBXlvtfZzFw7Mp/r6niK9YB2mdvgY..TKjv1T..8RadRt2qvUHYRLr/TsVArtr91iR1\n")
    let readOnly = try listen(
      "--read-only", "concord -d b.concord put -q new '{}'; concord sync b.concord $url; echo \"status $?\"")
    #expect(readOnly.lines.last == "status 2" && readOnly.messages.contains("use --pull"), "\(readOnly)")
    let users = try listen(
      "--user-file users",
      "concord sync b.concord $url; CONCORD_PASSWORD=wrong concord sync b.concord $url --user ann; echo \"status $?\"")
    #expect(users.lines.last == "status 2" && users.messages.contains("give --user NAME"), "\(users)")
    #expect(users.messages.components(separatedBy: "is missing or wrong").count == 3, "\(users)")
  }

  @Test(arguments: [
    (["sync", "a.concord", "ws://ann:secret@localhost/a"], "Give --user NAME"),
    (["sync", "old.cblite2/", "b.concord"], "import old.cblite2"),
    (["sync", "b.concord", "old.cblite2"], "import old.cblite2"),
    (["listen", "old.cblite2"], "import old.cblite2"),
    (["sync", "new.concord", "ws://localhost:1/a", "--push"], "no such database"),
  ])
  func mistakesAreAnsweredWithAdvice(arguments: [String], advice: String) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2 && result.messages.contains(advice), "\(result)")
    #expect(!result.messages.contains("secret"), "\(result)")
  }

  @Test func theHelpDescribesTheCollectionsOfReplications() throws {
    for arguments in [["sync", "--help"], ["help", "sync"]] {
      let help = try ConcordProcess.run(arguments, in: folder).output
      let sync = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(sync.contains("--database is not used") && sync.contains("SCOPE.NAME. (default: all)"), "\(sync)")
    }
    let query = try ConcordProcess.run(["query", "--help"], in: folder).output
    #expect(!query.contains("--collection"), "\(query)")
    let get = try ConcordProcess.run(["get", "--help"], in: folder).output
    #expect(get.contains("--collection <name>") && !get.contains("separated by commas"), "\(get)")
  }
}
