import Concordance
import ConcordanceNetwork
@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct SafetyTests {
  private let notes = TestServer.notes

  @Test(arguments: ["0.0.0.0", "192.168.1.2", "127.evil.example", "example.org", "::"])
  func otherAddressesNeedTokens(host: String) throws {
    var options = ServerOptions()
    options.host = host
    #expect(throws: ServerOptionsError.self) { try TestServer(options) }
  }

  @Test func aTokenPermitsItsScope() async throws {
    let (read, readLine) = AccessTokens.newToken(scope: .read)
    let (write, writeLine) = AccessTokens.newToken(scope: .write)
    var options = ServerOptions()
    options.tokens = try AccessTokens(text: "# tokens\n\(readLine)\n\(writeLine)\n")
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      func status(_ method: HTTPRequest.Method, _ path: String, _ token: String?) async throws -> Int {
        let headers: HTTPFields = token.map { [.authorization: "Bearer \($0)"] } ?? [:]
        return try await send(method, path, method == .get ? nil : "{}", headers: headers).status
      }
      #expect(try await status(.get, "\(notes)/search?q=tea", nil) == 401)
      #expect(try await status(.get, "\(notes)/search?q=tea", "x") == 401)
      #expect(try await status(.get, "\(notes)/search?q=tea", read) == 200)
      #expect(try await status(.put, "\(notes)/documents/x", read) == 403)
      #expect(try await status(.put, "\(notes)/documents/x", write) == 201)
      #expect(try await status(.delete, notes, write) == 403)
      #expect(try await status(.get, "/health", nil) == 200)
    }
  }

  @Test(arguments: ["", "read", "owner aa", "read zz", "# nothing"])
  func aMalformedTokenFileIsRefused(text: String) {
    #expect(throws: ServerOptionsError.self) { try AccessTokens(text: text) }
  }

  @Test func pagesOfOtherOriginsCannotChangeDocuments() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.post, "\(notes)/documents", "{}", headers: [.origin: "https://evil.example"])
      #expect(answer.status == 403)
      #expect(answer["code"] == .string("cross_origin"))
    }
  }

  @Test(
    arguments: [
      (nil, "127.0.0.1:7700", true), ("http://127.0.0.1:7700", "127.0.0.1:7700", true), (nil, "[::1]:7700", true),
      (nil, "localhost", true), ("http://127.0.0.1:9", "127.0.0.1:7700", false), ("null", "localhost", false),
      (nil, "evil.example:7700", false), ("http://evil.example:7700", "evil.example:7700", false),
    ] as [(String?, String, Bool)])
  func theOriginAndTheHostAreLocal(origin: String?, authority: String, isPermitted: Bool) {
    let check = { try RequestOrigin(origin: origin, authority: authority).check(ServerOptions()) }
    if isPermitted {
      #expect(throws: Never.self) { try check() }
    } else {
      #expect(throws: Problem.self) { try check() }
    }
  }

  @Test func pagesOfOtherOriginsCannotSendRequestsWithoutAnOrigin() async throws {
    let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "\(notes)/search?q=tea", headers: [site: "cross-site"]).status == 403)
      #expect(try await send(.get, "\(notes)/search?q=tea", headers: [site: "same-origin"]).status == 200)
      #expect(try await send(.get, "\(notes)/search?q=tea", headers: [site: "none"]).status == 200)
    }
  }

  @Test func aReadOnlyServerRefusesChanges() async throws {
    var options = ServerOptions()
    options.isReadOnly = true
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.put, "\(notes)/documents/x", "{}")
      #expect(answer.status == 403)
      #expect(answer["code"] == .string("read_only"))
      #expect(try await send(.post, "\(notes)/search", #"{"q":"tea"}"#).status == 200)
    }
  }

  @Test func aLargeBodyIsRefused() async throws {
    var options = ServerOptions()
    options.limits.bodySize = 100
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      let body = #"{"a":"\#(String(repeating: "x", count: 100))"}"#
      let answer = try await send(.put, "\(notes)/documents/x", body)
      #expect(answer.status == 413)
      #expect(answer["code"] == .string("body_too_large"))
    }
  }

  @Test func optionsHaveALowerLimitThanDocuments() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let text = String(repeating: "x", count: 2 << 20)
      #expect(try await send(.post, "\(notes)/search", #"{"q":"\#(text)"}"#).status == 413)
      #expect(try await send(.put, "\(notes)/documents/x", #"{"text":"\#(text)"}"#).status == 201)
    }
  }

  @Test func bodiesShareALimitedMemory() throws {
    let budget = MemoryBudget(limit: 100)
    var first: MemoryBudget.Reservation? = budget.makeReservation()
    try first?.add(60)
    let second = budget.makeReservation()
    #expect(throws: Problem.self) { try second.add(60) }
    first = nil
    try second.add(60)
  }

  @Test func hostNamesAreCaseInsensitive() throws {
    try RequestOrigin(origin: "http://localhost:7700", authority: "LocalHost:7700").check(ServerOptions())
  }

  @Test(arguments: [
    ("https://Example.org", "https://example.org"), ("HTTPS://example.org:443", "https://example.org"),
    ("http://example.org:80", "http://example.org"), ("http://example.org:443", "http://example.org:443"),
    ("http://[::1]:80", "http://[::1]"), ("*", "*"),
  ]) func originsAreNormalized(text: String, origin: String) { #expect(RequestOrigin.normalized(text) == origin) }

  @Test(arguments: [
    "example.org", "https://", "https://:443", "https://example.org/", "https://a?b", "https://a#b", "https://u@a",
    "https://*.org", "https://a b", "https://exämple.org", "://a", "https://a:",
  ]) func otherTextsAreNotOrigins(text: String) throws {
    #expect(RequestOrigin.normalized(text) == nil)
    var options = ServerOptions()
    options.allowedOrigins = [text]
    #expect(throws: ServerOptionsError.self) { try TestServer(options) }
  }

  @Test func anyPageMayChangeDatabasesOnlyWithATokenOrPermission() throws {
    var options = ServerOptions()
    options.allowedOrigins = ["*"]
    let error = #expect(throws: ServerOptionsError.self) { try TestServer(options) }
    #expect(error?.kind == .unprotectedOrigins)
    options.isReadOnly = true
    _ = try TestServer(options)
    options.isReadOnly = false
    options.isInsecure = true
    _ = try TestServer(options)
  }

  @Test func anAllowedOriginMayBeWrittenDifferently() async throws {
    var options = ServerOptions()
    options.allowedOrigins = ["https://Example.org:443"]
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=tea", headers: [.origin: "https://example.org"])
      #expect(answer.status == 200 && answer.headers[.accessControlAllowOrigin] == "https://example.org")
    }
  }

  @Test func cachesSeparateOrigins() async throws {
    var options = ServerOptions()
    options.allowedOrigins = ["https://example.org"]
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "/health").headers[values: .vary].contains("Origin"))
    }
  }

  @Test(arguments: [CBLError.busy, CBLError.notWriteable]) func errorsDoNotContainPaths(code: Int) {
    let problem = Problem(CBLError(code: code, message: "/srv/notes.concord: it failed"))
    #expect(problem.status.code < 504 && !problem.detail.contains("/srv"), "\(problem.detail)")
  }

  @Test func aFullQueueAnswersWithRetryAfter() async throws {
    let queue = RequestQueue(limit: 1)
    try await queue.run {
      let problem = await #expect(throws: Problem.self) { try await queue.run {} }
      #expect(problem?.status == .serviceUnavailable)
      #expect(problem?.headers[.retryAfter] == "1")
    }
    try await queue.run {}
    #expect(queue.refusedCount == 1)
  }

  @Test func aConnectionServesSeveralRequests() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for _ in 1...3 {
        let answer = try await send(.get, "\(notes)/search?q=tea")
        #expect(answer.status == 200)
        #expect(answer.headers[.connection] != "close")
      }
    }
  }
}
