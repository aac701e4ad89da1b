import Foundation
import Testing

/// `concord listen`, with curl as a client that only begins the handshake.
@Suite(.timeLimit(.minutes(10))) struct ListenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    #expect(try folder.concord("-d", "notes.concord", "put", "-q", "a", #"{"n":1}"#).status == 0)
    // `openssl passwd -6 -salt abc secret`
    try folder.write(
      "users",
      "ann:$6$abc$IdWKNKTJEb8LxY7CGg8YBXlvtfZzFw7Mp/r6niK9YB2mdvgY..TKjv1T..8RadRt2qvUHYRLr/TsVArtr91iR1\n")
  }

  /// Starts the listener, runs a script with its URL for curl in `$url`, and stops it with SIGTERM.
  private func listen(_ options: String, _ script: String) throws -> CommandResult {
    try ConcordProcess.shell(
      """
      concord listen notes.concord --port 0 \(options) > url 2> messages & listener=$!
      until [ -s url ]; do kill -0 $listener || { cat messages; exit 1; }; sleep 0.05; done
      url=$(sed 's/^ws/http/' url)/_blipsync
      status() { curl -s -m 5 -o /dev/null -w '%{http_code}\\n' -H 'Connection: Upgrade' -H 'Upgrade: websocket' \\
        -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' --http1.1 "$@"; }
      protocol='Sec-WebSocket-Protocol: BLIP_3+CBMobile_3,BLIP_3+CBMobile_4'
      \(script)
      kill -TERM $listener; wait $listener; echo "status $?"; cat messages
      """, in: folder)
  }

  @Test func handshakesAreAcceptedOrRefused() throws {
    let result = try listen(
      "--user-file users",
      """
      curl -s -o /dev/null -w '%{http_code}\\n' $url
      status $url -u ann:secret
      status $url -H "$protocol"
      status $url -H "$protocol" -u ann:wrong
      status ${url/notes/other} -H "$protocol" -u ann:secret
      status $url -H "$protocol" -u ann:secret | head -c 3; echo
      """)
    #expect(
      result.lines == ["426", "400", "401", "401", "404", "101", "status 0", "the listener has stopped"],
      "\(result.output) \(result.messages)")
  }

  @Test func selfSignedCertificatesAreWrittenForClients() throws {
    let result = try listen(
      "--tls-self-signed notes.pem",
      "status --cacert notes.pem $url; status $url; grep -c 'BEGIN CERTIFICATE' notes.pem; cut -c1-16 url")
    #expect(result.lines.prefix(4) == ["400", "000", "1", "wss://127.0.0.1:"], "\(result.output) \(result.messages)")
  }

  @Test func otherFilesAreNotOverwritten() throws {
    try folder.write("my.pem", "a text\n")
    let result = try ConcordProcess.run(["listen", "notes.concord", "--tls-self-signed", "my.pem"], in: folder)
    #expect(result.status == 2 && result.messages.contains("my.pem exists and is not a self-signed"), "\(result)")
    #expect(try String(contentsOfFile: folder.path + "/my.pem", encoding: .utf8) == "a text\n")
  }

  /// Each printed URL is served, with a certificate that is valid for its address.
  @Test func allIPv4AddressesAreServed() throws {
    let result = try listen(
      "--address 0.0.0.0 --insecure --tls-self-signed notes.pem",
      """
      grep -c '\\[' url; grep -c wss://127.0.0.1: url
      for one in $(sed 's/^ws/http/' url); do status --cacert notes.pem $one/_blipsync; done | sort -u
      """)
    #expect(result.lines.prefix(4) == ["0", "1", "400", "status 0"], "\(result.output) \(result.messages)")
  }

  @Test func severalCollectionsAreListed() throws {
    for collection in ["b", "shop.c"] {
      #expect(try folder.concord("-d", "notes.concord", "put", "-q", "-c", collection, "x", "{}").status == 0)
    }
    let result = try listen(
      "-c 'b, _default' -c shop.c",
      "concord sync copy.concord $(cat url) --pull --collection=b -c ' shop.c' --json | cut -d, -f1-4")
    #expect(result.lines.first == #"{"status":"stopped","sent":0,"received":2,"failed":0"#, "\(result)")
  }

  @Test func otherAddressesRequireUsers() throws {
    let result = try ConcordProcess.run(["listen", "notes.concord", "--address", "0.0.0.0", "--port", "0"], in: folder)
    #expect(result.status == 2 && result.messages.contains("--user-file") && result.messages.contains("--insecure"))
  }

  @Test(arguments: [
    (["listen", "missing.concord"], "there is no such database"),
    (["listen", "notes.concord", "--user-file", "missing"], "openssl passwd -6"),
    (["listen", "notes.concord", "--user-file", "notes.concord"], "notes.concord"),
    (["listen", "notes.concord", "-c", "other"], "there is no collection _default.other"),
    (["listen", "notes.concord", "-c", "_default", "-c", "other"], "there is no collection _default.other"),
    (["-q", "-c", "other", "listen", "notes.concord", "-c=_default"], "there is no collection _default.other"),
    (["listen", "notes.concord", "-c", "_default,"], "names separated by commas"),
    (
      ["listen", "notes.concord", "--tls-self-signed", "n.pem", "--client-certificates", "users"],
      "users is malformed: it must contain a certificate"
    ),
    (["listen", "notes.concord", "--tls-key", "key.pem"], "must be given together"),
    (["listen", "notes.concord", "--tls-key", "users", "--tls-certificate", "users"], "users is not valid PEM"),
    (["listen", "notes.concord", "--address", "nowhere0", "--insecure"], "no network interface"),
    (["listen", "notes.concord", "--max-connections", "0"], "--max-connections takes 1 or more"),
  ])
  func mistakesAreReported(arguments: [String], message: String) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2 && result.messages.contains(message), "\(result.messages)")
  }
}
