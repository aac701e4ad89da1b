import Concordance
@testable import ConcordanceServer
import HTTPTypes
import HummingbirdTesting
import JSONText
import Testing

@Suite struct QueryTests {
  @Test func rowsHaveThreeFormats() async throws {
    let query = #"{"query":"SELECT META().id, price FROM notes WHERE price > $p ORDER BY price","parameters":{"p":1}"#
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      func text(_ format: String) async throws -> String {
        try await send(.post, "/databases/test/query", query + #","format":"\#(format)"}"#).text
      }
      #expect(try await text("csv") == "id,price\r\na/b.md,1.5\r\ntea,3\r\ncoffee,4\r\n")
      #expect(try await text("ndjson").hasSuffix("{\"id\":\"coffee\",\"price\":4}\n"))
      #expect(try await send(.post, "/databases/test/query", query + "}")["rows", "1", "id"] == .string("tea"))
    }
  }

  @Test func csvContainsNoEmptyLineAndDoublesEveryQuotationMark() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let missing = try await send(.get, "/databases/test/query?q=SELECT+n.alias+FROM+notes+AS+n+LIMIT+2&format=csv")
      #expect(missing.text == "alias\r\n\"\"\r\n\"\"\r\n")
      _ = try await send(.put, "\(TestServer.notes)/documents/q", "{\"q\":\"\\\"\u{301}x\"}")
      let quoted = try await send(
        .get, "/databases/test/query?q=SELECT+n.q+FROM+notes+AS+n+WHERE+META(n).id+=+'q'&format=csv")
      #expect(Array(quoted.text.utf8) == Array("q\r\n\"\"\"\u{301}x\"\r\n".utf8))
    }
  }

  @Test func parametersAreInTheQueryString() async throws {
    let query = "SELECT+META().id+FROM+notes+WHERE+price+%3E+$least+AND+kind+=+$kind+ORDER+BY+price&format=csv"
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query?q=\(query)&$least=3&%24kind=drink")
      #expect(answer.text == "id\r\ncoffee\r\n")
      // A number in quotation marks is a string, and a string that is not JSON needs none.
      let typed = try await send(
        .get, "/databases/test/query?q=SELECT+TYPE($a)+AS+a,+TYPE($b)+AS+b,+TYPE($c)+AS+c&$a=%227%22&$b=%5B1%5D&$c=x+y")
      #expect(typed["rows", "0", "a"] == .string("string") && typed["rows", "0", "b"] == .string("array"))
      #expect(typed["rows", "0", "c"] == .string("string"), "\(typed.text)")
      for (parameter, name) in [("least=3", "least"), ("$=3", "$"), ("$p=1&$p=2", "$p")] {
        let refused = try await send(.get, "/databases/test/query?q=SELECT+1&\(parameter)")
        #expect(refused.status == 400 && refused["parameter"] == .string(name), "\(refused.text)")
      }
      // Other endpoints have no such parameters.
      #expect(try await send(.get, "\(TestServer.notes)/search?q=tea&$p=1").status == 400)
    }
  }

  @Test func aMisspeltPropertyIsAWarning() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for _ in 0..<2 {
        let answer = try await send(.get, "/databases/test/query?q=SELECT+prize+FROM+notes+WHERE+kind+=+'drink'")
        #expect(answer["warnings", "0"] == .string("no document has a property prize; did you mean price?"))
        #expect(answer["warnings", "1"] == nil && answer["rows", "1"] != nil, "\(answer.text)")
      }
      for _ in 0..<2 {
        let answer = try await send(.get, "/databases/test/query?q=SELECT+price+FROM+notes")
        #expect(answer.status == 200 && answer["warnings"] == nil && answer["rows", "2"] != nil)
      }
    }
  }

  @Test func aRowOfNDJSONIsOneLine() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(TestServer.notes)/documents/lines", "{\"a\":\n{\r\n\"b\":1}}")
      let query = "SELECT+n.a+FROM+notes+AS+n+WHERE+n.a+IS+VALUED&format=ndjson"
      let answer = try await send(.get, "/databases/test/query?q=\(query)")
      #expect(answer.lines.map { $0["a", "b"] } == [.int64(1)], "\(answer.text)")
    }
  }

  @Test func jsonWithoutLineBreaksHasTheSameTokens() {
    let text = JSONLine.bytes(of: "{\n\"a\\nb\":\r\n[1]\t}".utf8)
    #expect(String(decoding: text, as: UTF8.self) == "{ \"a\\nb\":  [1]\t}")
  }

  @Test func anErrorHasItsPosition() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query?q=SELECT+FORM+notes+x+y")
      #expect(answer.status == 400)
      #expect(answer["position", "start"] != nil, "\(answer.text)")
    }
  }

  @Test func anUnsetParameterIsRefused() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query?q=SELECT+*+FROM+notes+WHERE+price+%3D+%24p")
      #expect(answer.status == 400)
      #expect(answer["code"] == .string("unset_parameter"))
    }
  }

  /// The query finds 81 rows immediately, which is more than one batch, and no further one for hours. If it were not
  /// cancelled, the server could not shut down.
  @Test(.timeLimit(.minutes(10))) func aClosedConnectionCancelsAQueryThatHasFoundRows() async throws {
    var options = ServerOptions()
    options.limits.queryTimeout = .seconds(100_000)
    let names = (1...25).map { "n\($0)" }
    let joins = (names.dropFirst() + ["m1", "m2", "m3", "m4"]).map { " JOIN notes AS \($0) ON TRUE" }.joined()
    let condition = names.map { "ABS(\($0).price - 3)" }.joined(separator: " + ")
    let text = "SELECT n1.price FROM notes AS n1\(joins) WHERE \(condition) = 0"
    try await TestServer(options).run(.ahc(.http)) { (send: TestConnection) async throws -> Void in
      let task = Task { try await send(.post, "/databases/test/query", #"{"query":"\#(text)"}"#) }
      while try await !send(.get, "/metrics").text.contains(#"operation="queryWithBody",status="200""#) {
        await Task.yield()
      }
      task.cancel()
      _ = await task.result
    }
  }

  /// The query finds 81 rows immediately and no further one, so its time limit is exceeded after the head was sent.
  @Test(.timeLimit(.minutes(10))) func anAbortedResponseIsCounted() async throws {
    var options = ServerOptions()
    options.limits.queryTimeout = .seconds(2)
    let names = (1...25).map { "n\($0)" }
    let joins = (names.dropFirst() + ["m1", "m2", "m3", "m4"]).map { " JOIN notes AS \($0) ON TRUE" }.joined()
    let condition = names.map { "ABS(\($0).price - 3)" }.joined(separator: " + ")
    let text = "SELECT n1.price FROM notes AS n1\(joins) WHERE \(condition) = 0"
    try await TestServer(options).run(.ahc(.http)) { (send: TestConnection) async throws -> Void in
      await #expect(throws: (any Error).self) {
        try await send(.post, "/databases/test/query", #"{"query":"\#(text)"}"#)
      }
      let metrics = try await send(.get, "/metrics").text
      #expect(metrics.contains(#"concord_http_responses_aborted_total{operation="queryWithBody"} 1"#), "\(metrics)")
    }
  }

  /// Rows are formatted 64 at a time.
  @Test(arguments: [0, 1, 63, 64, 65, 129]) func allRowsAreSent(count: Int) async throws {
    let server = try TestServer()
    let many = try server.database.createCollection(name: "many")
    for number in 0..<count { try many.save(document: MutableDocument(id: "\(1000 + number)")) }
    try await server.run { (send: TestConnection) async throws -> Void in
      let path = "/databases/test/query?q=SELECT+META().id+FROM+many+ORDER+BY+META().id"
      let ids = (0..<count).map { "\(1000 + $0)" }
      #expect(try await send(.get, "\(path)&format=ndjson").lines.map { $0["id"] } == ids.map { .string($0) })
      let rows = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
      #expect(try await send(.get, path).text == #"{"columns":["id"],"rows":[\#(rows)]}"#)
      #expect(try await send(.get, "\(path)&format=csv").text == (["id"] + ids).map { $0 + "\r\n" }.joined())
    }
  }

  /// Fewer large rows are formatted at a time.
  @Test func allLargeRowsAreSent() async throws {
    let server = try TestServer()
    let large = try server.database.createCollection(name: "large")
    let text = String(repeating: "x", count: 300 << 10)
    for number in 0..<9 {
      try large.save(document: MutableDocument(id: "\(number)", json: #"{"n":\#(number),"text":"\#(text)"}"#))
    }
    try await server.run { (send: TestConnection) async throws -> Void in
      let path = "/databases/test/query?q=SELECT+n,text+FROM+large+ORDER+BY+n&format=ndjson"
      #expect(try await send(.get, path).lines.map { $0["n"] } == (0..<9).map { .int64($0) })
    }
  }

  @Test func anExceededTimeNamesTheLimitOfTheServer() async throws {
    var options = ServerOptions()
    options.limits.queryTimeout = .milliseconds(1)
    let joins = (1...25).map { " JOIN notes AS n\($0) ON TRUE" }.joined()
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      let answer = try await send(
        .post, "/databases/test/query", #"{"query":"SELECT COUNT(*) FROM notes AS n\#(joins)"}"#)
      #expect(answer.status == 503)
      #expect(
        answer["detail"]
          == .string("the query took longer than 0.001 s, the limit of this server; narrow it down"), "\(answer.text)")
    }
  }

  @Test func thePlanIsReturnedInsteadOfTheRows() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query?q=SELECT+*+FROM+notes&explain=true")
      #expect(answer["steps", "0"] != nil, "\(answer.text)")
    }
  }
}
