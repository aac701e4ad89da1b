import BLIP
import Foundation
import Logging
import Replication
import Testing

@testable import Concordance

/// Calls a function with each message.
private struct CallingHandler: LogHandler {
  let call: @Sendable (String) -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { call("\(event.message)") }
}

@Suite(.timeLimit(.minutes(10)), .filesOnly("replication is not available on PostgreSQL")) struct ReplicatorLogTests {
  private let folder: TemporaryFolder
  private let two: TemporaryDatabase

  init() throws {
    folder = try TemporaryFolder()
    two = try TemporaryDatabase()
  }

  private func open(_ call: @escaping @Sendable (String) -> Void) throws -> ConcordanceDatabase {
    var config = DatabaseConfiguration()
    config.directory = folder.url.path
    config.logger = Logger(label: "test") { _ in CallingHandler(call: call) }
    return try ConcordanceDatabase(name: "test", config: config)
  }

  private func configuration(_ database: ConcordanceDatabase, _ target: any Endpoint) throws -> ReplicatorConfiguration
  {
    ReplicatorConfiguration(
      collections: [CollectionConfiguration(collection: try database.defaultCollection())], target: target)
  }

  @Test func aCheckpointThatThePeerRefusesIsLogged() async throws {
    let messages = Received<String>()
    let database = try open { messages.add($0) }
    try database.defaultCollection().save(document: MutableDocument(id: "a", data: ["n": 1]))
    let endpoint = ScriptedEndpoint { _, _, _, request in
      guard request.properties["Profile"] == "setCheckpoint" else {
        return ScriptedEndpoint.standardResponse(to: request)
      }
      return Message.error(domain: "HTTP", code: 403, "no")
    }
    var config = try configuration(database, endpoint)
    config.replicatorType = .push
    #expect(try await run(config).error == nil)
    #expect(messages.all.filter { $0.contains("did not store a checkpoint") }.count == 1)
    try database.close()
  }

  /// Fails the first time, and then connects to a database.
  private struct SecondTimeEndpoint: Endpoint, EndpointConnector {
    let base: FaultyEndpoint
    let attempts = Received<Int>()
    var remoteID: String { base.remoteID }
    func makeConnector() throws -> any EndpointConnector { self }
    func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
      attempts.add(0)
      guard attempts.all.count > 1 else {
        throw ReplicationTransportError(code: CBLError.httpForbidden, message: "refused")
      }
      return try await base.connect(options)
    }
  }

  /// Regression test: the sequence of the second run received the end of the first one, if the replicator was started
  /// again before this end was delivered.
  @Test func aSequenceDoesNotReceiveTheEndOfAnEarlierRun() async throws {
    typealias Statuses = AsyncStream<Replicator.Status>
    let (replicators, streams) = (Received<Replicator>(), Received<Statuses>())
    // The end is logged after the status has changed and before it is delivered.
    let database = try open { message in
      guard message == "a replicator has stopped", streams.all.isEmpty, let replicator = replicators.all.first else {
        return
      }
      replicator.start()
      streams.add(replicator.statuses())
    }
    let replicator = try Replicator(
      config: try configuration(database, SecondTimeEndpoint(base: FaultyEndpoint(two.database))))
    replicators.add(replicator)
    replicator.start()
    let stream = try #require(streams.wait { !$0.isEmpty }.first)
    var last: Replicator.Status?
    for await status in stream { last = status }
    #expect(last?.activity == .stopped && last?.error == nil)
    try database.close()
  }
}
