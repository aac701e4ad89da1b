import Concordance
@testable import ConcordanceServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONText
import Logging
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct DatabaseServerTests {
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
}
