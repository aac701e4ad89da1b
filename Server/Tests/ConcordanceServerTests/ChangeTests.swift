import Concordance
@testable import ConcordanceServer
import HTTPTypes
import HummingbirdTesting
import JSONText
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChangeTests {
  private let changes = "\(TestServer.notes)/changes"

  @Test func changesAreListedBySequence() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.delete, "\(TestServer.notes)/documents/tea")
      let answer = try await send(.get, "\(changes)?since=1&documents=true")
      #expect(answer["changes", "0", "id"] == .string("coffee"))
      #expect(answer["changes", "0", "document", "price"] == .int64(4))
      #expect(answer["changes", "2", "id"] == .string("tea"))
      #expect(answer["changes", "2", "deleted"] == .boolean(true))
      #expect(answer["changes", "3"] == nil)
      #expect(answer["lastSequence"] == .int64(4))
      #expect(try await send(.get, "\(changes)?since=now").text == #"{"changes":[],"lastSequence":4}"#)
    }
  }

  @Test func aSequenceBeyondTheLastOneIsTheLastOne() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "\(changes)?since=999").text == #"{"changes":[],"lastSequence":3}"#)
    }
  }

  @Test func aListHasALimit() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(changes)?limit=2")
      #expect(answer["lastSequence"] == .int64(2))
      #expect(answer["changes", "2"] == nil)
    }
  }

  /// The last sequence is that of the last change in the list, so that the next request continues after it.
  @Test func aListOfDocumentsHasALimitedSize() async throws {
    let server = try TestServer()
    let notes = try #require(try server.database.collection(name: "notes"))
    let text = String(repeating: "x", count: 9 << 20)
    for id in ["a", "b", "c"] { try notes.save(document: MutableDocument(id: id, json: #"{"data":"\#(text)"}"#)) }
    try await server.run { (send: TestConnection) async throws -> Void in
      for (since, last) in [(3, 5), (5, 6)] {
        let answer = try await send(.get, "\(changes)?since=\(since)&documents=true")
        #expect(answer.text.hasSuffix(#"],"lastSequence":\#(last)}"#))
      }
      #expect(try await send(.get, "\(changes)?since=3")["lastSequence"] == .int64(6))
    }
  }

  @Test func longPollingWaitsForAChange() async throws {
    try await TestServer().run(.ahc(.http)) { (send: TestConnection) async throws -> Void in
      async let answer = send(.get, "\(changes)?since=3&feed=longpoll&timeout=60")
      while try await !send(.get, "/metrics").text.contains("concord_event_streams_active 1") { await Task.yield() }
      _ = try await send(.put, "\(TestServer.notes)/documents/new", "{}")
      #expect(try await answer["changes", "0", "id"] == .string("new"))
    }
  }

  @Test func longPollingEndsAfterItsTimeout() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(changes)?since=3&feed=longpoll&timeout=0")
      #expect(answer.text == #"{"changes":[],"lastSequence":3}"#)
    }
  }

  @Test(arguments: [
    ("changes", "\(TestServer.notes)/changes?since=now&feed=events"),
    ("liveSearch", "\(TestServer.notes)/search/live?q=tea"),
    ("liveQuery", "/databases/test/query/live?q=SELECT+price+FROM+notes"),
  ])
  func eventsEndWhenTheCollectionIsDeleted(operation: String, path: String) async throws {
    try await TestServer().run(.ahc(.http)) { (send: TestConnection) async throws -> Void in
      async let answer = send(.get, path)
      while try await !send(.get, "/metrics").text.contains("operation=\"\(operation)\"") { await Task.yield() }
      #expect(try await send(.delete, TestServer.notes).status == 204)
      let text = try await answer.text
      #expect(text.contains("event: error\n") && text.contains(#""code":"not_found""#), "\(text)")
    }
  }

  @Test func longPollingOfADeletedCollectionIsNotFound() async throws {
    try await TestServer().run(.ahc(.http)) { (send: TestConnection) async throws -> Void in
      async let answer = send(.get, "\(changes)?since=now&feed=longpoll&timeout=300")
      while try await !send(.get, "/metrics").text.contains("concord_event_streams_active 1") { await Task.yield() }
      #expect(try await send(.delete, TestServer.notes).status == 204)
      #expect(try await answer.status == 404)
    }
  }

  /// Event streams can share an HTTP/2 connection.
  @Test func eventStreamsAreLimited() async throws {
    let limit = OperationLimit("streams", running: 1, waiting: 0)
    let permit = try await limit.permit()
    let problem = await #expect(throws: Problem.self) { _ = try await limit.permit() }
    #expect(problem?.status == .serviceUnavailable && problem?.headers[.retryAfter] == "1")
    withExtendedLifetime(permit) {}
  }

  @Test(arguments: [
    "since=x", "since=-1", "feed=other", "timeout=301", "feed=events&limit=0", "feed=longpoll&limit=0",
  ])
  func invalidParametersAreRefused(parameters: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "\(changes)?\(parameters)").status == 400)
    }
  }

  @Test func aMalformedEventIDIsNamed() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let name = try #require(HTTPField.Name("Last-Event-ID"))
      let answer = try await send(.get, "\(changes)?feed=events", headers: [name: "x"])
      #expect(answer.status == 400 && answer["parameter"] == .string("Last-Event-ID"))
    }
  }

  @Test func liveQueriesHaveALimitedNumberOfRows() async throws {
    var options = ServerOptions()
    options.limits.resultCount = 2
    try await TestServer(options).run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query/live?q=SELECT%20text%20FROM%20notes")
      #expect(answer.text.hasPrefix("event: error\n") && answer.text.contains("too_many_rows"))
    }
  }

  @Test func liveQueriesHaveALimitedSize() async throws {
    let server = try TestServer()
    let notes = try #require(try server.database.collection(name: "notes"))
    let text = String(repeating: "x", count: 9 << 20)
    for id in ["a", "b"] { try notes.save(document: MutableDocument(id: id, json: #"{"data":"\#(text)"}"#)) }
    try await server.run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query/live?q=SELECT+data+FROM+notes")
      #expect(answer.text.hasPrefix("event: error\n") && answer.text.contains(#""code":"too_large""#))
    }
  }

  @Test func aLiveSearchRefusesParametersOfOtherModels() async throws {
    let server = try TestServer()
    var config = FullTextIndexConfiguration(["kind"])
    config.model = try #require(RankingModel(name: "dph"))
    try server.database.collection(name: "notes")?.createIndex(withName: "kinds", config: config)
    try await server.run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(TestServer.notes)/search/live?q=drink&index=kinds&k1=1")
      #expect(answer.status == 400 && answer["parameter"] == .string("k1"), "\(answer.text)")
    }
  }

  @Test func invalidLiveRequestsHaveTheirOwnStatus() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let query = try await send(.get, "/databases/test/query/live?q=SELECT")
      #expect(query.status == 400)
      #expect(query["code"] == .string("invalid_query"))
      let column = try await send(.get, "/databases/test/query/live?q=SELECT%201&identifiedBy=x")
      #expect(column.status == 400)
      #expect(try await send(.get, "\(TestServer.notes)/search/live?q=tea&filter=(").status == 400)
      let unknown = #"{"q":"tea","selection":{"kind":"drink"}}"#
      #expect(try await send(.post, "\(TestServer.notes)/search/live", unknown).status == 400)
    }
  }
}
