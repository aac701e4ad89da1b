import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct SearchTests {
  private let notes = TestServer.notes

  @Test func aSearchReturnsHitsWithSnippetsAndDocuments() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=green+tea")
      #expect(answer.status == 200)
      #expect(answer["hits", "0", "id"] == .string("tea"))
      #expect(answer["hits", "0", "snippets", "0", "matches", "0", "start"] == .int64(0))
      #expect(answer["hits", "0", "document", "price"] == .int64(3))
      #expect(answer["totalHits"] == .int64(1))
    }
  }

  @Test func uniqueHitsListTheirDuplicates() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for id in ["copy", "original"] {
        _ = try await send(.put, "\(notes)/documents/\(id)", #"{"text":"The keeper counts the ships at the harbour."}"#)
      }
      let all = try await send(.get, "\(notes)/search?q=ships")
      #expect(all["hits", "1", "id"] != nil && all["hits", "0", "duplicates"] == nil)
      for answer in [
        try await send(.get, "\(notes)/search?q=ships&unique=true"),
        try await send(.post, "\(notes)/search", #"{"q":"ships","unique":true}"#),
      ] {
        #expect(answer["hits", "1"] == nil && answer["totalHits"] == .int64(2), "\(answer.text)")
        guard case .string(let first)? = answer["hits", "0", "id"] else { throw TestFailure() }
        #expect(answer["hits", "0", "duplicates", "0"] == .string(first == "copy" ? "original" : "copy"))
      }
    }
  }

  @Test func partialResultsAreMarkedOnlyIfServersAreMissing() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for answer in [
        try await send(.get, "\(notes)/search?q=tea&partial=true"),
        try await send(.post, "\(notes)/search", #"{"q":"tea","partial":true}"#),
      ] {
        #expect(answer["totalHits"] == .int64(1) && answer["missingServers"] == nil, "\(answer.text)")
      }
      // A live search needs all servers.
      #expect(try await send(.get, "\(notes)/search/live?q=tea&partial=true").status == 400)
    }
  }

  private struct TestFailure: Error {}

  @Test func aBodyHasFilterFacetsAndParameters() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(
        .post, "\(notes)/search",
        #"{"q":"*","filter":"price > $least","parameters":{"least":2},"facets":["kind"],"sort":"price DESC"}"#)
      #expect(answer["hits", "0", "id"] == .string("coffee"))
      #expect(answer["facets", "0", "values", "0", "count"] == .int64(2))
    }
  }

  @Test func matchesAreListedUpToALimit() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      func matchCount(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> Int? {
        let answer = try await send(method, path, body)
        guard case .array(let matches) = answer["hits", "0", "matches"] else { return nil }
        return matches.count
      }
      let query = "\(notes)/search?q=green+tea"
      let all = try #require(try await matchCount(.get, query))
      #expect(all > 1)
      #expect(try await matchCount(.get, query + "&matches=1") == 1)
      #expect(try await matchCount(.get, query + "&matches=0") == 0)
      #expect(try await matchCount(.post, "\(notes)/search", #"{"q":"tea","matches":0}"#) == 0)
      let refused = try await send(.get, query + "&matches=1001")
      #expect(refused.status == 400 && refused["parameter"] == .string("matches"), "\(refused.text)")
      let similar = try await send(.get, "\(notes)/documents/tea/similar?document=false&matches=0")
      #expect(similar.status == 200 && similar["hits", "0", "document"] == nil, "\(similar.text)")
    }
  }

  @Test func anErrorInAFilterHasItsPosition() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=tea&filter=price+%3E%3E+2")
      #expect(answer.status == 400)
      #expect(answer.headers[.contentType] == "application/problem+json")
      #expect(answer["code"] == .string("invalid_query"))
      #expect(answer["position", "start"] != nil, "\(answer.text)")
    }
  }

  @Test(arguments: [
    ("filter=price+%3E%3E+2", "filter", "filter: "), ("sort=price+(", "sort", "sort: "),
    ("fields=txt", "fields", "fields: "), ("limit=1001", "limit", "limit: at most 1000 on this server"),
    ("facets=kind:-1", "facets", "facets: "),
  ])
  func anErrorNamesItsParameter(parameters: String, name: String, beginning: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=tea&\(parameters)")
      #expect(answer.status == 400)
      #expect(answer["parameter"] == .string(name), "\(answer.text)")
      guard case .string(let detail)? = answer["detail"] else { return #expect(Bool(false), "\(answer.text)") }
      #expect(detail.hasPrefix(beginning), "\(detail)")
    }
  }

  @Test(arguments: [
    (
      #"q=green+tea&model=dirichlet&mu=500&explain=true"#,
      #"{"q":"green tea","model":"dirichlet","mu":500,"explain":true}"#
    ),
    ("q=tea&k1=0.5&b=0", #"{"q":"tea","k1":0.5,"b":0}"#),
    ("q=tea&model=pl2&c=2", #"{"q":"tea","model":"pl2","c":2}"#),
  ])
  func theRankingModelChangesScores(parameters: String, body: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let standard = try await send(.get, "\(notes)/search?q=green+tea")
      let answer = try await send(.get, "\(notes)/search?\(parameters)")
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer["hits", "0", "score"] != standard["hits", "0", "score"])
      let posted = try await send(.post, "\(notes)/search", body)
      #expect(posted["hits"] == answer["hits"], "\(posted.text)")
    }
  }

  @Test(arguments: [
    ("model=bm26", "model"), ("mu=500", "mu"), ("model=dph&c=1", "c"), ("k1=x", "k1"), ("b=nan", "b"),
    ("model=dph&k1=1", "k1"), ("model=pl2&b=0.5", "b"), ("match=some", "match"), ("match=any&syntax=fts5", "match"),
  ])
  func anInvalidRankingNamesItsParameter(parameters: String, name: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=tea&\(parameters)")
      #expect(answer.status == 400)
      #expect(answer["parameter"] == .string(name), "\(answer.text)")
    }
  }

  @Test func matchAnyFindsDocumentsWithOneOfTheWords() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let one = try await send(.get, "\(notes)/search?q=tea")
      let any = try await send(.get, "\(notes)/search?q=tea+absent&relax=false&match=any")
      #expect(any["totalHits"] == one["totalHits"], "\(any.text)")
      let posted = try await send(.post, "\(notes)/search", #"{"q":"tea absent","relax":false,"match":"any"}"#)
      #expect(posted["hits"] == any["hits"], "\(posted.text)")
      let all = try await send(.get, "\(notes)/search?q=tea+absent&relax=false&match=all")
      #expect(all["totalHits"] == .int64(0), "\(all.text)")
    }
  }

  @Test(arguments: ["k1=-1", "b=2", "model=dirichlet&mu=0", "model=jelinek-mercer&lambda=1"])
  func aRankingParameterOutOfRangeIsABadRequest(parameters: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=tea&\(parameters)")
      #expect(answer.status == 400)
      #expect(answer.text.contains("must be from"), "\(answer.text)")
    }
  }

  @Test(arguments: ["search", "search?q=", "search?q=+&limit=2"])
  func anEmptyQueryIsRefused(path: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/\(path)")
      #expect(answer.status == 400)
      #expect(answer["detail"] == .string("q: the query is empty; use * to find all documents"))
      #expect(try await send(.get, "\(notes)/search?sort=price")["totalHits"] == .int64(3))
    }
  }

  @Test func aFacetHasALimitAndUnknownPropertiesAreReported() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=*&facets=kind:1,knd")
      #expect(answer["facets", "0", "values", "0", "value"] == .string("drink"))
      #expect(answer["facets", "0", "values", "1"] == nil)
      #expect(
        answer["warnings", "0"] == .string("no document has a property knd; did you mean kind?"), "\(answer.text)")
    }
  }

  @Test(arguments: ["limit=-1", "limit=x", "limit=1001", "limt=3", "q=a&q=b", "relax=yes", "q=%ff"])
  func anInvalidParameterIsRefused(query: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?\(query)")
      #expect(answer.status == 400)
      #expect(answer["code"] == .string("invalid_parameter"))
    }
  }

  @Test func aTitleOfWhiteSpaceIsMissing() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(notes)/documents/cup", "{\"title\":\" \\n\",\"name\":\"Cup\",\"text\":\"porcelain\"}")
      #expect(try await send(.get, "\(notes)/search?q=porcelain")["hits", "0", "title"] == .string("Cup"))
      _ = try await send(.put, "\(notes)/documents/cup", "{\"title\":\"\u{3000}\",\"text\":\"porcelain\"}")
      let answer = try await send(.get, "\(notes)/search?q=porcelain")
      #expect(answer["hits", "0", "id"] == .string("cup") && answer["hits", "0", "title"] == nil, "\(answer.text)")
    }
  }

  @Test func hitsWithoutDocumentsHaveTheSameSnippets() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for snippets in [0, 1] {
        let path = "\(notes)/search?q=tea&snippets=\(snippets)"
        let (full, plain) = (try await send(.get, path), try await send(.get, "\(path)&document=false"))
        #expect(full["hits", "0", "document"] != nil && plain["hits", "0", "document"] == nil)
        for key in ["id", "snippets", "matches", "score"] {
          #expect(full["hits", "0", key] == plain["hits", "0", key], "\(plain.text)")
        }
        #expect(plain["warnings"] == nil)
      }
    }
  }

  @Test func suggestionsCompleteAWord() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/suggest?q=ste")
      #expect(answer["suggestions", "0", "text"] == .string("steeping"))
    }
  }

  @Test func anUnknownCollectionIsNotFound() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "/databases/test/collections/none/search?q=a").status == 404)
      #expect(try await send(.get, "/databases/none/collections/notes/search?q=a").status == 404)
      #expect(try await send(.get, "/nothing").headers[.contentType] == "application/problem+json")
    }
  }
}
