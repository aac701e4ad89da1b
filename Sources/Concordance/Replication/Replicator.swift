import DocumentStore
public import Foundation
import JSONText
import Replication
import VersionVectors

/// Copies document changes between two databases, in one or both directions.
///
/// ```swift
/// let config = ReplicatorConfiguration(
///   collections: .fromCollections([hotels]), target: DatabaseEndpoint(database: backup))
/// let replicator = try Replicator(config: config)
/// replicator.addChangeListener { change in print(change.status.activity) }
/// replicator.start()
/// ```
///
/// A replicator records in both databases which changes have been exchanged, so that a later run transfers only newer
/// ones. If a document was changed in both databases, the conflict is resolved on the side of the replicator; see
/// ``CollectionConfiguration/conflictResolver``.
///
/// A running replicator keeps itself and its database alive. ``Database/close()`` stops it.
public final class Replicator: Sendable {
  private struct State {
    var status = ActiveReplication.Status()
    var isRunning = false
    /// Whether a run has ended.
    var hasEnded = false
    var replication: ActiveReplication?
    var didEnd: (@Sendable () -> Void)?
    var serverCertificate: Data?
    var correlationID: String?
  }

  /// The configuration. Changes to the original after the replicator was created have no effect.
  public let config: ReplicatorConfiguration

  private let database: Database
  private let replica: DatabaseReplica
  private let replicas: [CollectionReplica]
  private let state = Locked(State())
  private let changes = ReplicatorListeners<ReplicatorChange>()
  private let documents = ReplicatorListeners<DocumentReplication>()
  private let queues = ReplicatorQueues()
  private let clock: any ReplicationClock
  private let connector: any EndpointConnector

  /// Creates a replicator in the stopped state.
  ///
  /// - Parameter config: the configuration.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the configuration has no collections, collections of different databases, an
  ///     invalid list of channels or negative times, or if the endpoint is invalid.
  ///   - ``CBLError/notOpen`` if the database is closed.
  public convenience init(config: ReplicatorConfiguration) throws {
    try self.init(config: config, clock: SystemReplicationClock())
  }

  init(config: ReplicatorConfiguration, clock: any ReplicationClock) throws {
    self.config = config
    self.clock = clock
    database = try config.validatedDatabase()
    connector = try config.target.makeConnector()
    let replica = DatabaseReplica(database)
    self.replica = replica
    let remoteID = connector.remoteID
    let privateID = try withPublicErrors { try replica.identity().privateID }
    replicas = try config.collections.compactMap { configuration in
      guard let collection = configuration.collection else { return nil }
      let id = try Replicator.checkpointID(configuration, collection, privateID, remoteID)
      return CollectionReplica(collection, of: replica, configuration: configuration, remote: id)
    }
  }

  /// Returns the id of a checkpoint: a digest of the options that determine which changes are exchanged. The peer never
  /// interprets it.
  ///
  /// The direction is not one of them: a checkpoint records the progress of both directions separately, and a
  /// replication in one direction keeps the progress of the other.
  private static func checkpointID(
    _ configuration: CollectionConfiguration, _ collection: Collection, _ privateID: String, _ remoteID: String
  ) throws -> String {
    let record = collection.record
    let mayReplaceAnother = try withPublicErrors {
      try collection.engine.store.read { try CollectionCatalog.mayReplaceAnother(record, $0) }
    }
    var writer = JSONWriter()
    writer.array { list in
      list.write(privateID)
      list.write(collection.fullName)
      list.write(remoteID)
      list.array { for channel in (configuration.channels ?? []).sorted() { $0.write(channel) } }
      if let ids = configuration.documentIDs {
        list.array { for id in ids.sorted() { $0.write(id) } }
      } else {
        list.writeNull()
      }
      // Written only if necessary, so that the checkpoints of other replications keep their ids.
      if let filter = configuration.filterID { list.write(filter) }
      // The checkpoint of an earlier collection with this name refers to other changes.
      if mayReplaceAnother { list.write(record.id) }
    }
    let hasher = try BlobHasher()
    try writer.bytes.withUnsafeBytes { try hasher.update($0) }
    return "cp-" + (try hasher.finish().dropFirst("sha1-".count))
  }

  // MARK: Running

  /// The current status.
  public var status: Status { Replicator.status(state.withLock { $0.status }) }

  /// The certificate of the server in DER form; nil before the first connection, or without TLS.
  public var serverCertificate: Data? { state.withLock { $0.serverCertificate } }

  /// The header `X-Correlation-Id` of the server's response, which helps to find the connection in its log; nil if the
  /// server did not send it.
  public var correlationID: String? { state.withLock { $0.correlationID } }

  /// Starts the replicator and returns immediately. Does nothing if it is running.
  public func start() { start(reset: false) }

  /// Starts the replicator and returns immediately. Does nothing if it is running.
  ///
  /// Code inside ``Database/inBatch(using:)`` must not wait for the replicator: the replicator waits for the batch, so
  /// both would wait forever.
  ///
  /// - Parameter reset: whether to compare all documents again, instead of only those that have changed since the last
  ///   run. Documents that both databases already contain are not transferred.
  public func start(reset: Bool) {
    let replication = makeReplication()
    let mayStart = state.withLock { state in
      guard !state.isRunning else { return false }
      state.isRunning = true
      // From here on, stop() ends this run.
      state.replication = replication
      state.status.activity = .connecting
      return true
    }
    guard mayStart else {
      database.engine.log.debug("a replicator is already running")
      return
    }
    let didEnd = database.engine.replications.add { replication.stop() }
    state.withLock { $0.didEnd = didEnd }
    replication.start(reset: reset)
  }

  /// Begins to stop the replicator and returns immediately. The status changes to ``ActivityLevel/stopped`` once the
  /// replicator has stopped.
  public func stop() { state.withLock { $0.replication }?.stop() }

  private func makeReplication() -> ActiveReplication {
    var events = ActiveReplication.Events()
    // The references are strong, so that a running replicator is not released.
    events.statusChanged = { [self] in didChange($0) }
    events.documents = { [self] in didReplicate($0, isPush: $1, $2) }
    events.checkpointRefused = { [self] error in
      database.engine.log.warning(
        "the peer did not store a checkpoint, so the next replication compares the changes again", error)
    }
    var options = config.connectionOptions
    options.didReceive = { [weak self] event in self?.didReceive(event) }
    let collections = zip(replicas, config.collections).map { replica, configuration in
      ReplicatedCollection(
        collection: replica, checkpointID: replica.remote ?? "",
        documentIDs: configuration.documentIDs.map { Set($0.map { ExactString($0) }) },
        channels: configuration.channels ?? [])
    }
    return ActiveReplication(
      database: replica, collections: collections, options: config.replicationOptions, clock: clock,
      queue: DispatchQueue(label: "concordance.replicator"), events: events
    ) { [connector, options] in try await connector.connect(options) }
  }

  private func didReceive(_ event: EndpointConnectionEvent) {
    state.withLock { state in
      switch event {
      case .serverCertificate(let certificate): state.serverCertificate = certificate
      case .correlationID(let id): state.correlationID = id
      }
    }
  }

  private func didChange(_ status: ActiveReplication.Status) {
    typealias Ended = (
      receivers: ReplicatorListeners<ReplicatorChange>.Receivers, replication: ActiveReplication?,
      didEnd: (@Sendable () -> Void)?
    )
    // The replicator can be started again before the change is delivered. A listener that is added then belongs to the
    // next run, and must not receive the end of this one.
    let ended: Ended = state.withLock { state in
      state.status = status
      guard status.activity == .stopped else { return (changes.receivers, nil, nil) }
      (state.isRunning, state.hasEnded) = (false, true)
      defer { (state.replication, state.didEnd) = (nil, nil) }
      return (changes.receivers, state.replication, state.didEnd)
    }
    // Released outside the lock: it refers to the replicator and the database.
    withExtendedLifetime(ended.replication) {}
    if status.activity == .stopped, let error = status.error {
      database.engine.log.warning("a replicator has stopped", error)
    }
    ended.receivers.deliver(ReplicatorChange(replicator: self, status: Replicator.status(status)))
    ended.didEnd?()
  }

  private func didReplicate(_ position: Int, isPush: Bool, _ events: [ReplicatedDocumentEvent]) {
    guard !documents.isEmpty else { return }
    documents.deliver(
      DocumentReplication(
        replicator: self, isPush: isPush,
        documents: events.map { ReplicatedDocument($0, in: replicas[position].collection) }))
  }

  static func status(_ status: ActiveReplication.Status) -> Status {
    Status(
      activity: ActivityLevel(rawValue: status.activity.rawValue) ?? .stopped,
      progress: Progress(completed: status.completed, total: status.total),
      error: status.error.map { CBLError($0.code, $0.message) }, retry: status.retry.map(Retry.init))
  }

  // MARK: Listeners

  /// Registers a listener for status changes.
  ///
  /// - Parameters:
  ///   - queue: the queue on which it is called; nil for a serial queue of the database.
  ///   - listener: called with each change, in order.
  /// - Returns: a token that removes the listener.
  @discardableResult
  public func addChangeListener(
    withQueue queue: DispatchQueue? = nil, _ listener: @escaping (ReplicatorChange) -> Void
  ) -> ListenerToken {
    changes.add(on: serialQueue(queue), listener)
  }

  /// Registers a listener for documents that were sent or received, or whose transfer failed.
  ///
  /// - Parameters:
  ///   - queue: the queue on which it is called; nil for a serial queue of the database.
  ///   - listener: called with the documents in groups, at most 50 ms after their transmission.
  /// - Returns: a token that removes the listener.
  @discardableResult
  public func addDocumentReplicationListener(
    withQueue queue: DispatchQueue? = nil, _ listener: @escaping (DocumentReplication) -> Void
  ) -> ListenerToken {
    documents.add(on: serialQueue(queue), listener)
  }

  private func serialQueue(_ queue: DispatchQueue?) -> DispatchQueue {
    queues.serialQueue(targeting: queue ?? database.engine.changes.listenerQueue)
  }

  /// Returns an asynchronous sequence of the status: the current one, and each change. It ends after the replicator has
  /// stopped.
  ///
  /// ```swift
  /// let statuses = replicator.statuses()
  /// replicator.start()
  /// for await status in statuses { print(status.activity, status.progress.completed) }
  /// ```
  ///
  /// If the loop is slower than the changes, it receives only the latest status; the final one is never skipped. If the
  /// replicator has run and is not running, the sequence contains only the final status, so for another run call this
  /// method after ``start()``.
  public func statuses() -> AsyncStream<Status> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let queue = queues.serialQueue(targeting: database.engine.changes.queue)
      // The status does not change under the lock, so every later change reaches the listener.
      let token: ListenerToken? = state.withLock { state in
        continuation.yield(Replicator.status(state.status))
        guard state.isRunning || !state.hasEnded else { return nil }
        return changes.add(on: queue) { change in
          continuation.yield(change.status)
          if change.status.activity == .stopped { continuation.finish() }
        }
      }
      guard let token else { return continuation.finish() }
      continuation.onTermination = { _ in token.remove() }
    }
  }

  /// Returns an asynchronous sequence of the documents that are sent or received after this call. It ends after the
  /// replicator has stopped.
  ///
  /// ```swift
  /// let replications = replicator.documentReplications()
  /// replicator.start()
  /// for await replication in replications { print(replication.documents.map(\.id)) }
  /// ```
  ///
  /// The elements are buffered without limit until they are read, so that none is missing. If the replicator has run
  /// and is not running, the sequence is empty, so for another run call this method after ``start()``.
  public func documentReplications() -> AsyncStream<DocumentReplication> {
    AsyncStream { continuation in
      let queue = DispatchQueue(label: "concordance.replicator.documents")
      let tokens: [ListenerToken] = state.withLock { state in
        guard state.isRunning || !state.hasEnded else { return [] }
        return [
          documents.add(on: queue) { continuation.yield($0) },
          changes.add(on: queue) { if $0.status.activity == .stopped { continuation.finish() } },
        ]
      }
      guard !tokens.isEmpty else { return continuation.finish() }
      continuation.onTermination = { _ in tokens.forEach { $0.remove() } }
    }
  }

  // MARK: Pending documents

  /// Returns the ids of documents with changes that have not been sent.
  ///
  /// - Parameter collection: a collection of the configuration.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/unsupported`` if the replicator only pulls.
  ///   - ``CBLError/notFound`` if the configuration does not contain the collection.
  /// - Complexity: O(n) in the number of documents that have changed since the last run.
  public func pendingDocumentIds(collection: Collection) throws -> Set<String> {
    Set(try pendingIDs(of: collection).map(\.text))
  }

  /// Returns whether the document with this id has a change that has not been sent.
  ///
  /// - Throws: the same errors as ``pendingDocumentIds(collection:)``.
  public func isDocumentPending(_ id: String, collection: Collection) throws -> Bool {
    try pendingIDs(of: collection).contains(ExactString(id))
  }

  private func pendingIDs(of collection: Collection) throws -> Set<ExactString> {
    try withPublicErrors {
      guard config.replicatorType != .pull else {
        throw CBLError(CBLError.unsupported, "a replicator that only pulls has no pending documents")
      }
      guard let index = replicas.firstIndex(where: { $0.collection == collection }) else {
        throw CBLError(
          CBLError.notFound, "the configuration of the replicator does not contain \(collection.fullName)")
      }
      let source = replicas[index]
      let wanted = config.collections[index].documentIDs.map { Set($0.map { ExactString($0) }) }
      let completed =
        try source.remote.flatMap { try replica.checkpoint($0) }.flatMap { Checkpoint(json: $0)?.completed }
        ?? SequenceSet()
      var pending: Set<ExactString> = []
      var position = completed.completedThrough
      while true {
        let changes = try source.changes(after: position, limit: 1000)
        for revision in changes.revisions where !completed.contains(revision.sequence) {
          guard wanted?.contains(ExactString(revision.id)) ?? true, try source.shouldSend(revision) else { continue }
          pending.insert(ExactString(revision.id))
        }
        guard !changes.isComplete, changes.last > position else { return pending }
        position = changes.last
      }
    }
  }
}
