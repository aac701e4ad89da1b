import DocumentStore
import Foundation
import GRDB
import Replication
import SQLiteAccess
import Testing
import TestSupport

@testable import Concordance

typealias ConcordanceDatabase = Concordance.Database

/// Runs a replicator until it has stopped.
@discardableResult
func run(
  _ config: ReplicatorConfiguration, reset: Bool = false, clock: any ReplicationClock = SystemReplicationClock(),
  documents: Received<ReplicatedDocument>? = nil
) async throws -> Replicator.Status {
  let replicator = try Replicator(config: config, clock: clock)
  let remove = documents.map(replicator.collectDocuments)
  defer { remove?() }
  var last = replicator.status
  let statuses = replicator.statuses()
  replicator.start(reset: reset)
  for await status in statuses { last = status }
  return last
}

/// Runs a replicator that makes one attempt, and passes the time for which it waits for the peer.
func runUntilTimeout(_ config: ReplicatorConfiguration) async throws -> Replicator.Status {
  var config = config
  config.maxAttempts = 1
  let clock = ManualClock()
  let replicator = try Replicator(config: config, clock: clock)
  let statuses = replicator.statuses()
  replicator.start()
  clock.scheduled.wait { $0.contains { $0.seconds == 15 } }
  clock.pass()
  for await _ in statuses {}
  return replicator.status
}

extension Replicator {
  /// Adds the documents that are replicated to a list.
  ///
  /// - Returns: a function that removes the listener after the events that wait on its queue, which it would not
  ///   receive afterwards.
  func collectDocuments(_ documents: Received<ReplicatedDocument>) -> () -> Void {
    let queue = DispatchQueue(label: "documents")
    let token = addDocumentReplicationListener(withQueue: queue) { event in
      event.documents.forEach { documents.add($0) }
    }
    return { queue.sync { token.remove() } }
  }

  /// Returns the codes of the errors of documents, 0 for none, and the activities. Call it before ``start(reset:)``.
  func recordedEvents() -> (documents: Received<Int>, activities: Received<ActivityLevel>) {
    let (documents, activities) = (Received<Int>(), Received<ActivityLevel>())
    addDocumentReplicationListener(withQueue: DispatchQueue(label: "documents")) { event in
      for document in event.documents { documents.add(document.error?.code ?? 0) }
    }
    addChangeListener(withQueue: DispatchQueue(label: "status")) { activities.add($0.status.activity) }
    return (documents, activities)
  }
}

/// Returns the configuration of a replication of the default collection.
func configuration(
  _ source: TemporaryDatabase, _ target: any Endpoint, _ type: ReplicatorType = .pushAndPull,
  _ edit: (inout CollectionConfiguration) -> Void = { _ in }
) -> ReplicatorConfiguration {
  var collection = CollectionConfiguration(collection: source.collection)
  edit(&collection)
  var config = ReplicatorConfiguration(collections: [collection], target: target)
  config.replicatorType = type
  return config
}

extension TemporaryDatabase {
  var endpoint: DatabaseEndpoint { DatabaseEndpoint(database: database) }

  /// The texts of all documents by id.
  func contents() throws -> [String: String] {
    var contents: [String: String] = [:]
    let query = try database.createQuery("SELECT META().id FROM _")
    for result in try query.execute() {
      guard let id = result.string(at: 0) else { continue }
      contents[id] = try collection.document(id: id)?.toJSON()
    }
    return contents
  }

  func delete(_ id: String) throws {
    if let document = try collection.document(id: id) { try collection.delete(document: document) }
  }
}

/// A connection that ends after a number of frames, or damages a frame.
final class FaultyTransport: ReplicationTransport, @unchecked Sendable {
  enum Fault: Sendable {
    case none
    /// The connection is cut instead of sending the frame with this number.
    case cut(Int)
    /// The frame with this number is truncated.
    case truncate(Int)
  }

  private let base: any ReplicationTransport
  private let fault: Fault
  /// Protected by `lock`.
  private var count = 0
  private let lock = NSLock()

  init(_ base: any ReplicationTransport, _ fault: Fault) {
    self.base = base
    self.fault = fault
  }

  var isLocal: Bool { false }

  func start(_ handler: any ReplicationTransportHandler) { base.start(handler) }

  func send(_ frame: [UInt8]) -> Bool {
    let number = lock.withLock {
      count += 1
      return count
    }
    switch fault {
    case .cut(let last) where number >= last:
      base.close(code: 1006, reason: "cut")
      return false
    case .truncate(number): return base.send(Array(frame.dropLast(3)))
    default: return base.send(frame)
    }
  }

  func didProcess(byteCount: Int) { base.didProcess(byteCount: byteCount) }
  func close(code: Int, reason: String) { base.close(code: code, reason: reason) }
}

/// An endpoint that connects to a database through faulty connections, one after the other; later ones are intact.
struct FaultyEndpoint: Endpoint, EndpointConnector {
  let database: ConcordanceDatabase
  let faults: Received<FaultyTransport.Fault>
  let faultCount: Int
  let connected = Received<Int>()
  var isReadOnly = false
  var collections: [Concordance.Collection]?
  let peers = Received<PassivePeer>()

  init(_ database: ConcordanceDatabase, _ faults: [FaultyTransport.Fault] = []) {
    self.database = database
    self.faults = Received()
    faultCount = faults.count
    for fault in faults { self.faults.add(fault) }
  }

  var remoteID: String { "faulty:\(database.name)" + (database.path ?? "") }
  func makeConnector() throws -> any EndpointConnector { self }

  func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
    let number = connected.all.count
    connected.add(number)
    let (active, passive) = LoopbackTransport.pair()
    let fault = number < faultCount ? faults.all[number] : .none
    let peer = PassivePeer(
      transport: passive, collections: try collections ?? [database.defaultCollection()], isReadOnly: isReadOnly)
    peers.add(peer)
    peer.start()
    return FaultyTransport(active, fault)
  }
}

/// A clock whose waiting times pass immediately and are recorded.
final class ImmediateClock: ReplicationClock {
  let delays = Received<Double>()
  private let willPass: @Sendable (Double) -> Void

  /// - Parameter willPass: called with each waiting time before it passes.
  init(willPass: @escaping @Sendable (Double) -> Void = { _ in }) { self.willPass = willPass }

  var now: Int64 { 1_700_000_000 }

  func schedule(after seconds: Double, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    // The checkpoint is stored every 5 s, which these tests do not need. After 15 s and 120 s, the peer would have to
    // respond.
    guard ![5, 15, 120].contains(seconds) else { return }
    delays.add(seconds)
    willPass(seconds)
    queue.async(execute: body)
  }
}

/// A clock whose waiting times pass when the test decides.
final class ManualClock: ReplicationClock {
  let scheduled = Received<(seconds: Double, queue: DispatchQueue, body: @Sendable () -> Void)>()
  var now: Int64 { 1_700_000_000 }

  func schedule(after seconds: Double, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    scheduled.add((seconds, queue, body))
  }

  func pass() { for (_, queue, body) in scheduled.all { queue.async(execute: body) } }

  /// Passes only the waiting times of this length.
  func pass(_ length: Double) {
    for (seconds, queue, body) in scheduled.all where seconds == length { queue.async(execute: body) }
  }
}
