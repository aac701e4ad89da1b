import Concordance
@testable import ConcordanceServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONText
import Logging
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct DatabaseServerTests {
  @Test func anUnavailableDatabaseServerIsReported() async throws {
    let cluster = try TemporaryCluster()
    _ = try Database.initialize(url: cluster.url())
    let database = try Database(url: cluster.url())
    try database.defaultCollection().save(document: MutableDocument(id: "tea", json: #"{"text":"green tea"}"#))
    let server = try ConcordanceServer(
      databases: [database], options: ServerOptions(), logger: Logger(label: "test"))
    let document = "/databases/\(database.name)/collections/_default/documents/tea"
    try await server.application().test(.live) { client in
      let send = TestConnection(client: client)
      #expect(try await send(.get, document).status == 200)
      try cluster.stopImmediately()
      for uri in [document, "/health"] {
        let response = try await send(.get, uri)
        #expect(response.status == 503, "\(response.text)")
        #expect(response["code"] == .string("database_unavailable"), "\(response.text)")
      }
      try cluster.start()
      #expect(try await send(.get, document).status == 200)
      let deadline = ContinuousClock.now + .seconds(20)
      while try await send(.get, "/health").status != 200, ContinuousClock.now < deadline {}
      #expect(try await send(.get, "/health").status == 200)
    }
    try await database.async.close()
  }

  @Test func anUnavailableDatabaseDoesNotHideOthers() async throws {
    let cluster = try TemporaryCluster()
    _ = try Database.initialize(url: cluster.url())
    let database = try Database(url: cluster.url())
    let file = try TestServer()
    let server = try ConcordanceServer(
      databases: [database, file.database], options: ServerOptions(), logger: Logger(label: "test"))
    try cluster.stopImmediately()
    try await server.application().test(.live) { client in
      let send = TestConnection(client: client)
      let stats = try await send(.get, "/stats")
      #expect(stats.status == 200 && stats.text.contains(#""code":"database_unavailable""#), "\(stats.text)")
      #expect(stats.text.contains(#""name":"_default.notes","documentCount":3"#), "\(stats.text)")
      let metrics = try await send(.get, "/metrics").text
      #expect(metrics.contains(#"concord_database_available{database="\#(database.name)"} 0"#), "\(metrics)")
      #expect(metrics.contains(#"concord_database_available{database="test"} 1"#), "\(metrics)")
    }
    try cluster.start()
    try await database.async.close()
    try await file.database.async.close()
    try FileManager.default.removeItem(at: file.folder)
  }

  @Test func healthNeedsEveryServer() async throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    _ = try Database.initialize(urls: [first.url(), second.url()], shards: 2)
    let database = try Database(url: first.url())
    let server = try ConcordanceServer(
      databases: [database], options: ServerOptions(), logger: Logger(label: "test"))
    try await server.application().test(.live) { client in
      let send = TestConnection(client: client)
      #expect(try await send(.get, "/health").status == 200)
      try second.stopImmediately()
      let deadline = ContinuousClock.now + .seconds(20)
      while try await send(.get, "/health").status == 200, ContinuousClock.now < deadline {}
      let response = try await send(.get, "/health")
      #expect(response.status == 503 && response["code"] == .string("database_unavailable"), "\(response.text)")
    }
    try await database.async.close()
  }

  @Test func aDatabaseThatWasCreatedAgainIsReported() async throws {
    let url = try TemporaryCluster.makeDatabase()
    _ = try Database.initialize(url: url)
    let database = try Database(url: url)
    try database.defaultCollection().save(document: MutableDocument(id: "tea", json: #"{"text":"green tea"}"#))
    let server = try ConcordanceServer(
      databases: [database], options: ServerOptions(), logger: Logger(label: "test"))
    let collection = "/databases/\(database.name)/collections/_default"
    try await server.application().test(.ahc(.http)) { client in
      let send = TestConnection(client: client)
      async let events = send(.get, "\(collection)/changes?feed=events&since=now")
      while try await !send(.get, "/metrics").text.contains("operation=\"changes\"") { await Task.yield() }
      try TemporaryCluster.dropTables(url)
      _ = try Database.initialize(url: url)
      for uri in ["\(collection)/documents/tea", "\(collection)/documents/tea", "/health"] {
        let response = try await send(.get, uri)
        #expect(response.status == 503, "\(response.text)")
        #expect(response["code"] == .string("database_replaced"), "\(response.text)")
      }
      let text = try await events.text
      #expect(text.contains("event: error\n") && text.contains(#""code":"database_replaced""#), "\(text)")
    }
    try await database.async.close()
  }
}
