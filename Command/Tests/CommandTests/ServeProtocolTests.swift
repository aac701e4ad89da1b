import Testing

/// What `concord serve` sends byte by byte to HTTP/1.0 clients, for HEAD, and for malformed requests.
@Suite(.timeLimit(.minutes(10))) struct ServeProtocolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("notes.jsonl", #"{"_id":"a","text":"harbour"}"# + "\n")
    #expect(try folder.concord("-d", "notes.concord", "index", "-q", "notes.jsonl").status == 0)
  }

  /// Sends the lines of a request, prints the response until the server closes the connection, and returns the output.
  private func answer(_ request: String, endsItsHalf: Bool = false) throws -> String {
    try folder.write(
      "client.py",
      """
      import socket, sys, urllib.parse
      url = urllib.parse.urlsplit(open("url").read().strip())
      connection = socket.create_connection((url.hostname, url.port), timeout=100)
      text = open("request").read().replace("HOST", url.netloc).replace("\\n", "\\r\\n")
      connection.sendall(text.encode())
      \(endsItsHalf ? "connection.shutdown(socket.SHUT_WR)" : "")
      while part := connection.recv(1 << 16): sys.stdout.write(part.decode())
      """)
    try folder.write("request", request)
    let result = try ConcordProcess.serving("", "python3 client.py; echo; echo", in: folder)
    #expect(result.output.contains("status 0"), "\(result.output)\(result.messages)")
    return result.output.replacing("\r\n", with: "\n")
  }

  @Test(arguments: [
    "/databases/notes/query?q=SELECT+text+FROM+_", "/databases/notes/collections/_default/documents",
    "/databases/notes/collections/_default/grep?pattern=harb",
  ])
  func streamsForHTTP10ClientsHaveNoChunks(path: String) throws {
    let text = try answer("GET \(path) HTTP/1.0\nHost: HOST\nConnection: keep-alive\n\n")
    let parts = text.split(separator: "\n\n", maxSplits: 1)
    #expect(parts[0].hasPrefix("HTTP/1.0 200 OK") && parts[0].lowercased().contains("\nconnection: close"), "\(text)")
    #expect(!parts[0].lowercased().contains("transfer-encoding"), "\(text)")
    #expect(parts[1].hasPrefix("{") && parts[1].contains("harbour"), "\(text)")
  }

  @Test func documentsForHTTP10ClientsHaveALength() throws {
    let text = try answer("GET /databases/notes/collections/_default/documents/a HTTP/1.0\n\n")
    #expect(text.hasPrefix("HTTP/1.0 200 OK") && text.contains("\nContent-Length: "), "\(text)")
    #expect(text.contains("\n\n{\"text\":\"harbour\"}"), "\(text)")
  }

  /// Both responses arrive on one connection, so nothing follows the headers of the first.
  @Test func headOfAStreamHasNoLengthAndNoBody() throws {
    let text = try answer(
      """
      HEAD /databases/notes/query?q=SELECT+text+FROM+_ HTTP/1.1
      Host: HOST

      GET /health HTTP/1.1
      Host: HOST
      Connection: close


      """)
    let parts = text.split(separator: "\n\n", maxSplits: 2)
    #expect(parts[0].hasPrefix("HTTP/1.1 200 OK") && !parts[0].lowercased().contains("content-length"), "\(text)")
    #expect(parts[0].contains("application/json"), "\(text)")
    #expect(parts[1].hasPrefix("HTTP/1.1 200 OK") && parts[2].hasPrefix("{\"status\""), "\(text)")
  }

  @Test func aRequestWithoutAHostIsRefused() throws {
    let text = try answer("GET /health HTTP/1.1\nConnection: close\n\n")
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request") && text.contains("\"code\":\"missing_host\""), "\(text)")
  }

  /// `nc -N` ends its half of the connection after the request.
  @Test func aClientThatHasEndedItsHalfReceivesTheResponse() throws {
    let request = "GET /databases/notes/collections/_default/documents/a HTTP/1.1\nHost: HOST\nConnection: close\n\n"
    let text = try answer(request, endsItsHalf: true)
    #expect(text.hasPrefix("HTTP/1.1 200 OK") && text.contains("\n\n{\"text\":\"harbour\"}"), "\(text)")
  }

  @Test(arguments: ["HOST", "evil.example"]) func severalHostLinesAreRefused(second: String) throws {
    let text = try answer("GET /health HTTP/1.1\nHost: HOST\nHost: \(second)\nConnection: close\n\n")
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request") && text.contains("\"code\":\"several_hosts\""), "\(text)")
  }
}
