@_spi(Command) import Concordance
@_spi(Command) import ConcordanceNetwork
import Foundation
import Testing

/// Replications between two databases over sockets.
@Suite(.timeLimit(.minutes(10))) struct ListenerTests {
  private let folder: URL
  private let server: Database
  private let client: Database

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    server = try Database(path: folder.appendingPathComponent("server.concord").path)
    client = try Database(path: folder.appendingPathComponent("client.concord").path)
    for (database, name) in [(server, "s"), (client, "c")] {
      for number in 0..<20 {
        try database.defaultCollection().save(
          document: MutableDocument(id: "\(name)\(number)", json: #"{"n":\#(number)}"#))
      }
    }
  }

  private func listener(
    _ configure: (inout URLEndpointListenerConfiguration) throws -> Void = { _ in }
  ) throws -> URLEndpointListener {
    var config = URLEndpointListenerConfiguration(collections: [try server.defaultCollection()])
    config.networkInterface = "127.0.0.1"
    config.disableTLS = true
    try configure(&config)
    let listener = URLEndpointListener(config: config)
    try listener.start()
    return listener
  }

  private func configuration(_ listener: URLEndpointListener) throws -> ReplicatorConfiguration {
    let url = try #require(listener.urls?.first)
    var config = ReplicatorConfiguration(
      collections: .fromCollections([try client.defaultCollection()]), target: URLEndpoint(url: url))
    config.maxAttempts = 1
    return config
  }

  /// Runs a replicator until it stops, and returns the last status.
  private func run(_ config: ReplicatorConfiguration) async throws -> Replicator.Status {
    let replicator = try Replicator(config: config)
    let statuses = replicator.statuses()
    replicator.start()
    var last = replicator.status
    for await status in statuses { last = status }
    return last
  }

  private func close() async throws {
    try await client.async.close()
    try await server.async.close()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func documentsTravelInBothDirectionsOverTLS() async throws {
    let listener = try listener { config in
      config.disableTLS = false
      config.authenticator = ListenerPasswordAuthenticator { $0 == "ann" && $1 == "secret" }
    }
    var config = try configuration(listener)
    #expect(listener.urls?.first?.scheme == "wss")
    config.pinnedServerCertificate = listener.tlsIdentity?.certs.first
    config.authenticator = BasicAuthenticator(username: "ann", password: "secret")
    let status = try await run(config)
    #expect(status.error == nil)
    for database in [client, server] { #expect(try database.defaultCollection().count == 40) }
    await listener.stopped()
    #expect(listener.port == nil && listener.urls == nil && listener.tlsIdentity == nil)
    try await close()
  }

  @Test func wrongPasswordsAreErrors() async throws {
    let listener = try listener { $0.authenticator = ListenerPasswordAuthenticator { _, _ in false } }
    #expect(try await run(configuration(listener)).error?.code == CBLError.httpAuthRequired)
    await listener.stopped()
    try await close()
  }

  @Test func blobsArriveComplete() async throws {
    let listener = try listener()
    let content = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) })
    let document = MutableDocument(id: "image")
    document.setBlob(Blob(contentType: "image/png", data: content), forKey: "file")
    try server.defaultCollection().save(document: document)
    #expect(try await run(configuration(listener)).error == nil)
    #expect(try client.defaultCollection().document(id: "image")?.blob(forKey: "file")?.content == content)
    await listener.stopped()
    try await close()
  }

  @Test func aReadOnlyListenerRefusesChanges() async throws {
    let listener = try listener { $0.readOnly = true }
    #expect(try await run(configuration(listener)).error?.code == CBLError.httpForbidden)
    #expect(try server.defaultCollection().count == 20)
    var config = try configuration(listener)
    config.replicatorType = .pull
    #expect(try await run(config).error == nil)
    #expect(try client.defaultCollection().count == 40)
    await listener.stopped()
    try await close()
  }

  @Test func otherCollectionsAreNotFound() async throws {
    _ = try server.createCollection(name: "secret")
    let listener = try listener()
    var config = try configuration(listener)
    config.collections = .fromCollections([try client.createCollection(name: "secret")])
    #expect(try await run(config).error != nil)
    await listener.stopped()
    try await close()
  }

  @Test func newCollectionsAreOfferedToTheNextConnection() async throws {
    let listener = try listener { config in
      config.includesNewCollections = true
      config.authenticator = ListenerPasswordAuthenticator { $0 == "ann" && $1 == "secret" }
    }
    var config = try configuration(listener)
    config.authenticator = BasicAuthenticator(username: "ann", password: "secret")
    #expect(try await run(config).error == nil)
    let late = try server.createCollection(name: "late", scope: "shop")
    try late.save(document: MutableDocument(id: "q1", json: #"{"a":1}"#))
    let names = try await config.peerCollections { _ in }
    #expect(names?.sorted() == ["_default._default", "shop.late"])
    let copy = try client.createCollection(name: "late", scope: "shop")
    config.collections = .fromCollections([copy])
    #expect(try await run(config).error == nil)
    #expect(copy.count == 1)
    config.authenticator = nil
    #expect(try await run(config).error?.code == CBLError.httpAuthRequired)
    await listener.stopped()
    try await close()
  }

  @Test func aReadOnlyListenerRefusesChangesToNewCollections() async throws {
    let listener = try listener { config in
      config.includesNewCollections = true
      config.readOnly = true
    }
    let late = try server.createCollection(name: "late")
    let copy = try client.createCollection(name: "late")
    try copy.save(document: MutableDocument(id: "q1", json: "{}"))
    var config = try configuration(listener)
    config.collections = .fromCollections([copy])
    #expect(try await run(config).error?.code == CBLError.httpForbidden)
    #expect(late.count == 0)
    await listener.stopped()
    try await close()
  }

  /// The listener closes with 4001, so the replicator goes offline and connects again.
  @Test func aContinuousReplicatorReturnsAfterARestart() async throws {
    let first = try listener()
    let port = try #require(first.port)
    var config = try configuration(first)
    config.continuous = true
    config.maxAttempts = 20
    let replicator = try Replicator(config: config)
    var statuses = replicator.statuses().makeAsyncIterator()
    replicator.start()
    while let status = await statuses.next(), status.activity != .idle {}
    #expect(first.status.connectionCount == 1)
    await first.stopped()
    while let status = await statuses.next(), status.activity != .offline {}
    #expect(first.status.connectionCount == 0)
    try client.defaultCollection().save(document: MutableDocument(id: "later", json: "{}"))
    let second = try listener { $0.port = port }
    while try server.defaultCollection().document(id: "later") == nil {
      guard let status = await statuses.next() else { break }
      #expect(status.activity != .stopped)
    }
    #expect(try server.defaultCollection().document(id: "later") != nil)
    replicator.stop()
    while await statuses.next() != nil {}
    await second.stopped()
    try await close()
  }

  @Test(arguments: [false, true])
  func closingTheDatabaseEndsItsConnections(includesNewCollections: Bool) async throws {
    let listener = try listener { $0.includesNewCollections = includesNewCollections }
    var config = try configuration(listener)
    config.continuous = true
    let replicator = try Replicator(config: config)
    var statuses = replicator.statuses().makeAsyncIterator()
    replicator.start()
    while let status = await statuses.next(), status.activity != .idle {}
    try await server.async.close()
    while await statuses.next() != nil {}
    #expect(replicator.status.activity == .stopped)
    #expect(try await run(configuration(listener)).error != nil)
    await listener.stopped()
    try await client.async.close()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func mistakesInTheConfigurationAreErrors() async throws {
    let other = try client.defaultCollection()
    let collection = try server.defaultCollection()
    for configure: (inout URLEndpointListenerConfiguration) -> Void in [
      { $0.collections = [] }, { $0.collections = [collection, other] }, { $0.networkInterface = "nowhere0" },
      { $0.authenticator = ListenerCertificateAuthenticator(rootCerts: []) }, { $0.maximumConnectionCount = 0 },
    ] {
      let error = #expect(throws: CBLError.self) { _ = try listener(configure) }
      #expect(error?.code == CBLError.invalidParameter)
    }
    let first = try listener()
    let error = #expect(throws: CBLError.self) { _ = try listener { $0.port = first.port } }
    #expect(error?.code == CBLError.ioError)
    await first.stopped()
    try await close()
  }
}
