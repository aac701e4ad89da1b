import Foundation
import Testing

/// `concord serve` with clients that keep connections open or do not read their responses. The clients are written in
/// Python, because curl always reads.
@Suite(.timeLimit(.minutes(10))) struct ServeClientTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let text = String(repeating: "harbour ", count: 250)
    try folder.write("notes.jsonl", (0..<10_000).map { #"{"n":\#($0),"text":"\#(text)\#($0)"}"# + "\n" }.joined())
    #expect(try folder.concord("-d", "notes.concord", "index", "-q", "notes.jsonl").status == 0)
    try folder.write("client.py", client)
  }

  /// Runs a Python script against a server. `send(path)` opens a connection and sends a request; `body(connection)`
  /// reads its response, whose connection the server closes.
  private let client = """
    import re, socket, sys, urllib.parse
    url = urllib.parse.urlsplit(open("url").read().strip())
    notes = "/databases/notes/collections/_default"
    # Small buffers: otherwise the system takes several MB of each response before the client reads it.
    def connect():
        connection = socket.socket(socket.AF_INET6 if ":" in url.hostname else socket.AF_INET)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1024)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        connection.settimeout(120)
        connection.connect((url.hostname, url.port))
        return connection
    def send(path, method="GET", body=""):
        connection = connect()
        connection.sendall(f"{method} {path} HTTP/1.1\\r\\nHost: {url.netloc}\\r\\nConnection: close\\r\\n"
                           f"Content-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}".encode())
        return connection
    def body(connection):
        text = b""
        while part := connection.recv(1 << 16): text += part
        return text.decode()
    def memory():
        return int(re.search(r"VmRSS:\\s+(\\d+)", open(f"/proc/{sys.argv[1]}/status").read())[1])

    """

  private func serve(_ options: String, _ script: String) throws -> CommandResult {
    try folder.write("script.py", client + script)
    return try ConcordProcess.serving(options, "python3 script.py $server", in: folder)
  }

  @Test func connectionsBeyondTheLimitWaitUntilOneIsClosed() throws {
    let result = try serve(
      "--max-connections 2",
      """
      def ask(connection):
          connection.sendall(f"GET /health HTTP/1.1\\r\\nHost: {url.netloc}\\r\\n\\r\\n".encode())
          text = b""
          while not text.endswith(b"}"): text += connection.recv(4096)
      first, second = (socket.create_connection((url.hostname, url.port), timeout=120) for _ in range(2))
      ask(first)
      ask(second)
      third = send("/health")
      # The server answers an open connection after the third request was sent.
      ask(first)
      third.setblocking(False)
      try:
          print("answered too early", third.recv(4096))
      except BlockingIOError:
          print("waits")
      third.settimeout(120)
      second.close()
      print("answered" if "200 OK" in body(third) else "refused")
      """)
    #expect(result.lines.prefix(2) == ["waits", "answered"], "\(result.output) \(result.messages)")
  }

  /// Streams of 20 MB, whose clients do not read, keep neither threads nor their rows in memory. The 24 streams have
  /// 480 MB of rows; the page caches and buffers of their connections need less than half of this.
  @Test func clientsThatDoNotReadDoNotBlockOthers() throws {
    let result = try serve(
      "",
      """
      body(send(f"{notes}/search?q=harbour"))
      before = memory()
      lists = [send(f"{notes}/documents") for _ in range(12)]
      query = urllib.parse.quote("SELECT * FROM _")
      queries = [send(f"/databases/notes/query?q={query}&format=ndjson") for _ in range(12)]
      for connection in lists + queries: assert connection.recv(1), "no response"
      print("found" if '"totalHits":10000' in body(send(f"{notes}/search?q=harbour&limit=1")) else "blocked")
      growth = memory() - before
      print("bounded" if growth < 200_000 else f"grew by {growth} kB")
      """)
    #expect(result.lines.prefix(2) == ["found", "bounded"], "\(result.output) \(result.messages)")
  }

  /// The second connection is accepted when the first is closed.
  @Test func aClientThatDoesNotReadALargeDocumentIsDisconnected() throws {
    let result = try serve(
      "--max-connections 1 --max-query-time 1",
      """
      text = "x" * 8_000_000
      print(body(send(f"{notes}/documents/large", "PUT", '{"text":"' + text + '"}'))[:12])
      waiting = send(f"{notes}/documents/large")
      assert waiting.recv(1), "no response"
      print(body(send("/health"))[:12])
      """)
    #expect(result.lines.prefix(2) == ["HTTP/1.1 201", "HTTP/1.1 200"], "\(result.output) \(result.messages)")
  }

  /// Each stream has its own connection to the file.
  @Test func streamsOfRowsAreLimited() throws {
    let result = try serve(
      "--max-query-time 600",
      """
      import select
      running = [send(f"{notes}/documents") for _ in range(64)]
      for connection in running: assert b"200 OK" in connection.recv(100), "refused"
      others = [send(f"{notes}/documents") for _ in range(36)]
      refused = set()
      while len(refused) < 4: refused.update(select.select([o for o in others if o not in refused], [], [])[0])
      print({connection.recv(12) for connection in refused})
      for connection in running + others: connection.close()
      print("found" if '"totalHits":10000' in body(send(f"{notes}/search?q=harbour&limit=1")) else "blocked")
      """)
    #expect(result.lines.prefix(2) == ["{b'HTTP/1.1 503'}", "found"], "\(result.output) \(result.messages)")
  }

  @Test func grepsWhoseClientsCloseTheirConnectionsLetOthersRun() throws {
    let result = try serve(
      "",
      """
      greps = [send(f"{notes}/grep?pattern=harbour") for _ in range(8)]
      print("found" if '"totalHits":10000' in body(send(f"{notes}/search?q=harbour&limit=1")) else "blocked")
      for connection in greps: connection.close()
      answer = body(send(f"{notes}/grep?pattern=harbour&limit=1"))
      print("ended" if '"type":"summary"' in answer else answer[:300])
      """)
    #expect(result.lines.prefix(3) == ["found", "ended", "status 0"], "\(result.output) \(result.messages)")
  }

  /// The next request is refused only if the database has 8 running and 32 waiting changes of indexes.
  @Test func changesOfIndexesThatWaitForAWriterDoNotBlockReads() throws {
    let result = try serve(
      "",
      """
      import sqlite3
      writer = sqlite3.connect("notes.concord", isolation_level=None)
      writer.execute("BEGIN IMMEDIATE")
      builds = [send(f"{notes}/indexes/v{n}", "PUT", '{"kind":"value","expressions":["n"]}') for n in range(12)]
      print("found" if '"totalHits":10000' in body(send(f"{notes}/search?q=harbour&limit=1")) else "blocked")
      writer.execute("COMMIT")
      print(sum(" 20" in body(build).split("\\r\\n")[0] for build in builds))
      """)
    #expect(result.lines.prefix(3) == ["found", "12", "status 0"], "\(result.output) \(result.messages)")
  }
}
