import Concordance
import ConcordanceNetwork
@testable import ConcordanceServer
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSONText
import Logging
import ServiceLifecycle
import TestSupport
import Testing

/// Replications with a server: `/NAME/_blipsync`.
@Suite(.timeLimit(.minutes(10))) struct ReplicationTests {
  private let client: Database
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    client = try Database(path: folder.appendingPathComponent("client.concord").path)
    let notes = try client.createCollection(name: "notes")
    try notes.save(document: MutableDocument(id: "mine", json: #"{"text":"jasmine tea"}"#))
  }

  /// Runs `body` with the port of a server whose database contains three documents, then closes both databases.
  private func withServer(
    _ options: ServerOptions = ServerOptions(),
    _ body: @escaping @Sendable (Int, Concordance.Collection) async throws -> Void
  ) async throws {
    let server = try TestServer(options)
    let notes = try server.database.createCollection(name: "notes")
    try await server.run { connection in
      try await body(try #require(connection.client.port), notes)
    }
    try await client.async.close()
    try FileManager.default.removeItem(at: folder)
  }

  private func configuration(
    _ port: Int, type: ReplicatorType = .pushAndPull, _ database: String = "test"
  ) throws -> ReplicatorConfiguration {
    let url = try #require(URL(string: "ws://127.0.0.1:\(port)/\(database)"))
    var config = ReplicatorConfiguration(
      collections: .fromCollections([try client.createCollection(name: "notes")]), target: URLEndpoint(url: url))
    config.replicatorType = type
    config.maxAttempts = 1
    return config
  }

  /// Runs a replicator until it stops, and returns the error.
  private func error(_ config: ReplicatorConfiguration) async throws -> CBLError? {
    let replicator = try Replicator(config: config)
    let statuses = replicator.statuses()
    replicator.start()
    var last = replicator.status
    for await status in statuses { last = status }
    return last.error
  }

  @Test func documentsAreExchanged() async throws {
    try await withServer { (port, notes) async throws -> Void in
      #expect(try await error(configuration(port)) == nil)
      #expect(try notes.document(id: "mine")?.string(forKey: "text") == "jasmine tea")
      #expect(try client.collection(name: "notes")?.count == 4)
      // The indexes of the server are updated.
      #expect(try notes.search("jasmine").hits.map(\.id) == ["mine"])
      #expect(try await error(configuration(port, "other"))?.code == CBLError.httpNotFound)
    }
  }

  @Test(.enabled(if: TemporaryCluster.isInstalled)) func aDatabaseOnPostgreSQLIsNotReplicated() async throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let server = try ConcordanceServer(
      databases: [database], options: ServerOptions(), logger: Logger(label: "test"))
    try await server.application().test(.live) { connection in
      let port = try #require(connection.port)
      let error = try await error(configuration(port, type: .pull, database.name))
      #expect(error?.code == CBLError.httpBase + 501, "\(String(describing: error))")
    }
    try await database.async.close()
    try await client.async.close()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aTokenPermitsItsScope() async throws {
    let (read, readLine) = AccessTokens.newToken(scope: .read)
    let (write, writeLine) = AccessTokens.newToken(scope: .write)
    var options = ServerOptions()
    options.tokens = try AccessTokens(text: "\(readLine)\n\(writeLine)\n")
    try await withServer(options) { (port, notes) async throws -> Void in
      func error(_ type: ReplicatorType, _ configure: (inout ReplicatorConfiguration) -> Void) async throws -> Int? {
        var config = try configuration(port, type: type)
        configure(&config)
        return try await self.error(config)?.code
      }
      #expect(try await error(.pull) { _ in } == CBLError.httpAuthRequired)
      #expect(try await error(.pull) { $0.headers = ["Authorization": "Bearer x"] } == CBLError.httpAuthRequired)
      let wrong = BasicAuthenticator(username: "ann", password: "x")
      #expect(try await error(.pull) { $0.authenticator = wrong } == CBLError.httpAuthRequired)

      #expect(try await error(.pull) { $0.headers = ["Authorization": "Bearer \(read)"] } == nil)
      #expect(try client.collection(name: "notes")?.count == 4)
      #expect(try await error(.push) { $0.headers = ["Authorization": "Bearer \(read)"] } == CBLError.httpForbidden)
      #expect(notes.count == 3)

      let writer = BasicAuthenticator(username: "ann", password: write)
      #expect(try await error(.push) { $0.authenticator = writer } == nil)
      #expect(notes.count == 4)
    }
  }

  @Test func aReadOnlyServerRefusesChanges() async throws {
    var options = ServerOptions()
    options.isReadOnly = true
    try await withServer(options) { (port, notes) async throws -> Void in
      #expect(try await error(configuration(port, type: .push))?.code == CBLError.httpForbidden)
      #expect(try await error(configuration(port, type: .pull)) == nil)
      #expect(notes.count == 3)
      #expect(try client.collection(name: "notes")?.count == 4)
    }
  }

  @Test(arguments: [
    ("https://evil.example", true, false), ("https://evil.example", false, false), ("https://example.org", true, true),
    ("http://127.0.0.1:PORT", true, true), ("http://127.0.0.1:PORT", false, true),
  ]) func pagesOfOtherOriginsAreRefused(origin: String, hasToken: Bool, isPermitted: Bool) async throws {
    let (token, line) = AccessTokens.newToken(scope: .read)
    var options = ServerOptions()
    options.allowedOrigins = ["https://example.org"]
    if hasToken { options.tokens = try AccessTokens(text: line) }
    try await withServer(options) { (port, _) async throws -> Void in
      var config = try configuration(port, type: .pull)
      config.headers = [
        "Origin": origin.replacingOccurrences(of: "PORT", with: "\(port)"), "Authorization": "Bearer \(token)",
      ]
      #expect(try await error(config)?.code == (isPermitted ? nil : CBLError.httpForbidden))
    }
  }

  @Test func requestsWithoutAnUpgradeAreRefused() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      // The connection has been used for another request.
      #expect(try await send(.get, "/health").status == 200)
      let answer = try await send(.get, "/test/_blipsync")
      #expect(answer.status == 426)
      #expect(answer["code"] == .string("upgrade_required"))
    }
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "/test/_blipsync").status == 426)
    }
    try await client.async.close()
    try FileManager.default.removeItem(at: folder)
  }

  /// The server closes the connection with a transient error, and its shutdown is not delayed.
  @Test func aServerThatShutsDownClosesConnections() async throws {
    var options = ServerOptions()
    options.port = 0
    let server = try TestServer(options)
    let (urls, continuation) = AsyncStream.makeStream(of: String.self)
    let group = ServiceGroup(
      services: [RunningServer(server: server.server) { continuation.yield($0) }], logger: Logger(label: "test"))
    async let end: Void = group.run()
    var iterator = urls.makeAsyncIterator()
    let url = try #require(await iterator.next().flatMap { URL(string: $0) })
    var config = try configuration(try #require(url.port))
    config.continuous = true
    config.maxAttempts = 0
    let replicator = try Replicator(config: config)
    var statuses = replicator.statuses().makeAsyncIterator()
    replicator.start()
    while let status = await statuses.next(), status.activity != .idle {}
    await group.triggerGracefulShutdown()
    var last: Replicator.Status?
    while let status = await statuses.next() {
      last = status
      if status.activity == .offline { break }
    }
    // Close code 4001.
    #expect((last?.error as? CBLError)?.code == 14_001)
    try await end
    replicator.stop()
    while await statuses.next() != nil {}
    try await server.database.async.close()
    try await client.async.close()
    for folder in [folder, server.folder] { try FileManager.default.removeItem(at: folder) }
  }
}

private struct RunningServer: Service {
  let server: ConcordanceServer
  let onListening: @Sendable (String) -> Void

  func run() async throws { try await server.run(onListening: onListening) }
}
