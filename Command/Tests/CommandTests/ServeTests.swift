import Foundation
import Testing

/// `concord serve` and `concord token`, with curl as the client.
@Suite(.timeLimit(.minutes(10))) struct ServeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    #expect(try folder.concord("-d", "notes.concord", "put", "-q", "a", #"{"n":1}"#).status == 0)
  }

  /// Starts the server, runs a script with its URL in `$url` and its process in `$server`, and stops it with SIGTERM.
  private func serve(_ options: String = "", _ script: String) throws -> CommandResult {
    try ConcordProcess.serving(
      options,
      """
      url=$(cat url) notes=$(cat url)databases/notes/collections/_default
      \(script)
      """, in: folder)
  }

  @Test func printsItsURLAndEndsAfterSIGTERM() throws {
    let result = try serve("", "curl -s ${url}health; echo; curl -s $notes/documents/a; echo")
    #expect(
      result.lines == [#"{"status":"available"}"#, #"{"n":1}"#, "status 0", "the server has stopped"],
      "\(result.output) \(result.messages)")
    #expect(try folder.concord("-d", "notes.concord", "verify", "-q").status == 0)
  }

  @Test func servesThePageFromTheProgramAlone() throws {
    let result = try serve("", "curl -s $url | head -1; curl -s --compressed ${url}page/app.js | head -1")
    #expect(
      result.lines.prefix(2) == ["<!DOCTYPE html>", "// The shell: the state in the URL, the views, and the keyboard."])
  }

  @Test func theAccessLogListsRequestsWhenTheServerHasStopped() throws {
    let result = try serve("--access-log access.jsonl", "curl -s $notes/documents/a; echo; curl -s ${url}none; echo")
    #expect(result.lines.contains("status 0"), "\(result.messages)")
    let lines = try String(contentsOfFile: folder.path + "/access.jsonl", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first?.contains(#""target":"/databases/notes/collections/_default/documents/a","status":200,"#) == true)
    #expect(lines.last?.contains(#""target":"/none","status":404,"#) == true)
  }

  @Test func anAccessLogThatCannotBeOpenedIsAnError() throws {
    let result = try folder.concord("serve", "notes.concord", "--port", "0", "--access-log", "none/access.jsonl")
    #expect(result.status == 2)
    #expect(result.messages.contains("none/access.jsonl: No such file or directory"), "\(result.messages)")
  }

  @Test func aTokenPermitsItsScope() throws {
    let created = try folder.concord("token", "create", "read", "--file", "tokens")
    #expect(created.status == 0 && created.lines.count == 1)
    let token = try #require(created.lines.first)
    let code = "curl -s -o /dev/null -w '%{http_code}\\n'"
    let result = try serve(
      "--token-file tokens --address 0.0.0.0",
      """
      url=${url/0.0.0.0/127.0.0.1} notes=${notes/0.0.0.0/127.0.0.1}
      \(code) $notes/documents/a
      \(code) -H 'Authorization: Bearer \(token)' $notes/documents/a
      \(code) -H 'Authorization: Bearer \(token)' -X DELETE $notes/documents/a
      """)
    #expect(result.lines.prefix(3) == ["401", "200", "403"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/tokens")[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aTokenWithoutAFileIsPrintedWithItsLine() throws {
    let result = try folder.concord("token", "create", "write")
    #expect(result.lines.count == 2 && result.lines[1].hasPrefix("write "))
    #expect(try folder.concord("token", "create", "owner").status == 2)
  }

  @Test func aTokenBeginsOnItsOwnLine() throws {
    try folder.write("tokens", "# staff")
    #expect(try folder.concord("token", "create", "read", "--file", "tokens").status == 0)
    let lines = try String(contentsOfFile: folder.path + "/tokens", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == "# staff" && lines[1].hasPrefix("read "))
  }

  @Test(arguments: [("--http1.1", "1.1"), ("--http2", "2")])
  func servesHTTPSWithACertificate(option: String, version: String) throws {
    try folder.write("certificate.pem", TestCertificate.certificate)
    try folder.write("key.pem", TestCertificate.key)
    let result = try serve(
      "--address localhost --tls-certificate certificate.pem --tls-key key.pem",
      """
      echo $url | cut -c1-18
      curl -s \(option) --cacert certificate.pem -w '\\n%{http_version}\\n' ${notes}/documents/a
      """)
    #expect(result.lines.prefix(3) == ["https://localhost:", #"{"n":1}"#, version], "\(result.output)")
  }

  @Test func replicatesOverTLSWithAToken() throws {
    try folder.write("certificate.pem", TestCertificate.certificate)
    try folder.write("key.pem", TestCertificate.key)
    let token = try #require(try folder.concord("token", "create", "read", "--file", "tokens").lines.first)
    let result = try serve(
      "--address localhost --tls-certificate certificate.pem --tls-key key.pem --token-file tokens",
      """
      export CONCORD_PASSWORD=\(token)
      concord sync copy.concord wss${url#https}notes --pull --user any --certificate certificate.pem --json
      concord -d copy.concord get a
      """)
    #expect(result.lines.first?.contains(#""received":1,"failed":0,"error":null"#) == true, "\(result)")
    #expect(result.lines.dropFirst().first == #"{"n":1}"#, "\(result)")
  }

  @Test func refusesDeprecatedVersionsOfTLS() throws {
    try folder.write("certificate.pem", TestCertificate.certificate)
    try folder.write("key.pem", TestCertificate.key)
    let result = try serve(
      "--address localhost --tls-certificate certificate.pem --tls-key key.pem",
      """
      for version in 1.1 1.2; do
        curl -s -o /dev/null --cacert certificate.pem --tlsv1.0 --tls-max $version --ciphers DEFAULT@SECLEVEL=0 \
          -w '%{http_code}\\n' $notes/documents/a || true
      done
      """)
    #expect(result.lines.prefix(2) == ["000", "200"], "\(result.output)")
  }

  @Test func errorsNameTheOptions() throws {
    let open = try folder.concord("serve", "notes.concord", "--address", "0.0.0.0")
    #expect(open.status == 2 && open.messages.contains("--token-file") && open.messages.contains("--insecure"))
    let limit = try folder.concord("serve", "notes.concord", "--max-queue", "0")
    #expect(limit.status == 2 && limit.messages.contains("--max-queue takes 1 or more, not 0"))
    let port = try folder.concord("serve", "notes.concord", "--port", "70000")
    #expect(port.status == 2 && port.messages.contains("--port takes 0 to 65535"))
    try folder.write("tokens", "read x\n")
    let tokens = try folder.concord("serve", "notes.concord", "--token-file", "tokens")
    #expect(tokens.status == 2 && tokens.messages.contains("tokens:1: "))
    let noFile = try folder.concord("serve", "notes.concord", "--token-file", "nothing")
    #expect(noFile.status == 2 && noFile.messages.contains("concord token create read --file nothing"))
    let directory = try folder.concord("serve", "notes.concord", "--token-file", ".")
    #expect(directory.status == 2 && directory.messages.contains("Is a directory"), "\(directory.messages)")
    #expect(!directory.messages.contains("token create"))
    let missing = try folder.concord("serve", "nothing.concord")
    #expect(missing.status == 2 && missing.messages.contains("there is no such database"))
    #expect(try folder.concord("serve", "notes.concord", "--tls-key", "key.pem").status == 2)
  }

  @Test func errorsNameTheFilesOfTLSAndTheAddress() throws {
    try folder.write("c.pem", TestCertificate.certificate)
    try folder.write("key.pem", TestCertificate.key)
    try folder.write("k2.pem", TestCertificate.otherKey)
    try folder.write("tok", "read x\n")
    for (options, message) in [
      (["--tls-certificate", "x.pem", "--tls-key", "key.pem"], "x.pem: No such file or directory"),
      (["--tls-certificate", "tok", "--tls-key", "key.pem"], "tok: not a certificate in PEM format"),
      (["--tls-certificate", "c.pem", "--tls-key", "tok"], "tok: not a private key in PEM format"),
      (["--tls-certificate", "c.pem", "--tls-key", "k2.pem"], "k2.pem is not the key of the certificate c.pem"),
      (["--address", "example.invalid", "--insecure"], "the address example.invalid is unknown"),
      (
        ["--cors-origin", "example.org"],
        "--cors-origin takes a scheme and a host, such as https://example.org, not example.org"
      ),
    ] {
      let result = try ConcordProcess.run(["serve", "notes.concord", "--port", "0"] + options, in: folder)
      #expect(result.status == 2 && result.messages.contains(message), "\(result.messages)")
    }
  }

  @Test func tooFewOpenFilesAreReported() throws {
    let result = try ConcordProcess.shell(
      "ulimit -n 700; concord serve notes.concord --port 0 2>&1; echo \"exit $?\"", in: folder)
    #expect(
      result.output.contains("the system permits 700: give --max-connections 350") && result.output.contains("exit 2"),
      "\(result.output)")
  }

  @Test func aUsedPortIsReported() throws {
    let result = try serve(
      "", "port=${url##*:}; concord serve notes.concord --port ${port%/} 2>&1; echo \"exit $?\"")
    #expect(
      result.output.contains("is in use by another program") && result.output.contains("exit 2"), "\(result.output)")
  }

  /// curl asks for permission before it sends a body of more than 1 MB.
  @Test func largeBodiesAreRequestedImmediately() throws {
    let result = try serve(
      "",
      """
      python3 -c 'print("{\\"text\\":\\"" + "x" * 2000000 + "\\"}")' > large
      curl -sv -H 'Expect: 100-continue' --expect100-timeout 100 -X PUT --data-binary @large \
        -w '%{http_code}\\n' -o saved $notes/documents/large 2> log
      grep -c 'HTTP/1.1 100 Continue' log
      """)
    #expect(result.lines.prefix(2) == ["201", "1"], "\(result.output) \(result.messages)")
  }

  @Test func aReadOnlyServerRefusesChanges() throws {
    let result = try serve("--read-only", "curl -s -o /dev/null -w '%{http_code}\\n' -X PUT -d '{}' $notes/documents/b")
    #expect(result.lines.first == "403")
  }

  @Test func eventsReportChangesOfOtherProcesses() throws {
    let result = try serve(
      "",
      """
      curl -sN "$notes/changes?feed=events" > events & curl=$!
      until grep -q '"id":"a"' events; do sleep 0.05; done
      concord -d notes.concord put -q b '{"n":2}' > /dev/null
      until grep -q '"id":"b"' events; do sleep 0.05; done
      kill $curl; grep -A1 '^id: 2' events
      """)
    #expect(result.lines.prefix(2) == ["id: 2", "event: change"], "\(result.output)")
  }

  @Test func liveQueriesSendDifferences() throws {
    let result = try serve(
      "",
      """
      curl -sN "${url}databases/notes/query/live?q=SELECT+n+FROM+_+ORDER+BY+n" > events & curl=$!
      until grep -q count events; do sleep 0.05; done
      curl -s -o /dev/null -X PUT -d '{"n":0}' $notes/documents/a
      until grep -q updates.:.{ events; do sleep 0.05; done
      kill $curl; grep data: events
      """)
    #expect(
      result.lines.prefix(2) == [
        #"data: {"deletions":[],"insertions":[{"index":0,"row":{"n":1}}],"moves":[],"updates":[],"count":1}"#,
        #"data: {"deletions":[],"insertions":[],"moves":[],"updates":[{"from":0,"index":0,"row":{"n":0}}],"count":1}"#,
      ])
  }

  @Test func liveSearchesSendDifferences() throws {
    try folder.write("t.txt", "tea")
    #expect(try folder.concord("-d", "notes.concord", "index", "-q", "t.txt").status == 0)
    let result = try serve(
      "",
      """
      curl -sN "$notes/search/live?q=tea&document=false" > events & curl=$!
      until grep -q '"id":"t.txt"' events; do sleep 0.05; done
      curl -s -o /dev/null -X PUT -d '{"text":"green tea"}' $notes/documents/green
      until grep -q '"id":"green"' events; do sleep 0.05; done
      kill $curl; grep -c data: events
      """)
    #expect(result.lines.first == "2")
  }

  @Test func aSignalEndsOpenEventStreams() throws {
    let result = try serve(
      "",
      """
      curl -sN "$notes/changes?feed=events" > events & curl=$!
      until [ -s events ]; do sleep 0.05; done
      kill -TERM $server; wait $curl; echo "curl $?"
      """)
    #expect(result.lines.prefix(2) == ["curl 0", "status 0"], "\(result.output)")
  }
}
