@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct PageTests {
  @Test func thePageHasAStrictPolicy() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/")
      #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
      let policy = try #require(answer.headers[.contentSecurityPolicy])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"))
      #expect(!answer.text.contains("<script>") && !answer.text.contains("style=") && !answer.text.contains("https://"))
      let tag = try #require(answer.headers[.eTag])
      #expect(try await send(.get, "/", headers: [.ifNoneMatch: tag]).status == 304)
    }
  }

  @Test func allFilesOfThePageAreServedAndSmall() async throws {
    #expect(PageEndpoints.files.map(\.content.count).reduce(0, +) < 120_000)
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let modules = PageEndpoints.files.filter { $0.path.hasSuffix(".js") }
      for (path, _, content) in modules {
        #expect(try await send(.get, path).status == 200)
        // Every import is a file of the page.
        let text = String(decoding: content, as: UTF8.self)
        for match in text.matches(of: #/from "\.\/([a-z]+\.js)"/#) {
          #expect(modules.contains { $0.path == "/page/\(match.output.1)" })
        }
        #expect(!text.contains("innerHTML") && !text.contains("insertAdjacentHTML"))
      }
    }
  }

  @Test func thePageNeedsNoToken() async throws {
    var options = ServerOptions()
    options.tokens = try AccessTokens(text: AccessTokens.newToken(scope: .read).line)
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "/").status == 200)
      #expect(try await send(.get, "/stats").status == 401)
    }
  }

  @Test func otherOriginsAreRefusedByDefault() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/health", headers: [.origin: "https://example.org"])
      #expect(answer.headers[.accessControlAllowOrigin] == nil)
    }
  }

  @Test func listedOriginsArePermitted() async throws {
    var options = ServerOptions()
    options.allowedOrigins = ["https://example.org"]
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/health", headers: [.origin: "https://example.org"])
      #expect(answer.headers[.accessControlAllowOrigin] == "https://example.org")
      #expect(
        try await send(.get, "/health", headers: [.origin: "https://a.org"]).headers[.accessControlAllowOrigin] == nil)
      let preflight = try await send(
        .options, "\(TestServer.notes)/documents/tea",
        headers: [.origin: "https://example.org", .accessControlRequestMethod: "PUT"])
      #expect(preflight.status == 204)
      #expect(preflight.headers[.accessControlAllowMethods]?.contains("PUT") == true)
    }
  }

  @Test func textIsCompressedForClientsThatAcceptIt() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let plain = try await send(.get, "/page/style.css")
      let packed = try await send(.get, "/page/style.css", headers: [.acceptEncoding: "br, gzip"])
      #expect(plain.headers[.contentEncoding] == nil && plain.headers[.vary] == "Accept-Encoding")
      #expect(packed.headers[.contentEncoding] == "gzip")
      #expect(packed.text.unicodeScalars.count < plain.text.utf8.count / 2)
      let tag = try #require(packed.headers[.eTag])
      #expect(tag.hasPrefix("W/"))
      #expect(try await send(.get, "/page/style.css", headers: [.ifNoneMatch: tag]).status == 304)
    }
  }

  @Test(arguments: [
    ("gzip", true), ("br;q=1, gzip;q=0.5", true), ("*", true), ("gzip;q=0", false), ("gzip;q=0, *", false),
    ("br", false), ("", false),
  ])
  func theAcceptedCodingsAreParsed(header: String, isAccepted: Bool) {
    #expect(CompressionMiddleware.acceptsGzip(header) == isAccepted)
  }

  @Test func statisticsContainSizes() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let stats = try await send(.get, "/stats")
      #expect(stats["databases", "0", "name"] == .string("test"))
      let metrics = try await send(.get, "/metrics").text
      #expect(metrics.contains(#"concord_documents{database="test",collection="_default.notes"} 3"#))
      #expect(metrics.contains(#"concord_wal_bytes{database="test"} "#))
    }
  }
}
