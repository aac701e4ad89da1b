import DocumentStore
import Foundation
public import Replication

/// The passive side of a replication: serves a connection that a listener has accepted.
///
/// ```swift
/// let peer = PassivePeer(transport: transport, collections: [hotels], isReadOnly: false) { status in … }
/// peer.start()
/// …
/// peer.close()
/// ```
///
/// The other peer can access only the given collections, and blobs that their documents refer to. The passive side
/// never resolves conflicts: it refuses revisions that conflict with its own.
///
/// A started peer keeps itself and the database alive until the connection is closed. ``Database/close()`` closes it.
public final class PassivePeer: Sendable {
  /// The state of a connection.
  public struct Status: Sendable, Hashable {
    /// Whether the connection is closed. It does not change afterwards.
    public var isClosed = false
    /// Whether messages are being processed.
    public var isActive = false
    /// The error that closed the connection; nil if it was closed normally.
    public var error: ReplicationTransportError?
    /// The error of this side's database that closed the connection; nil if there was none. It contains paths, and is
    /// for the operator: the other peer receives a description without details.
    public var databaseError: ReplicationTransportError?
  }

  private struct State {
    var status = Status()
    var session: PassiveSession?
    var didEnd: (@Sendable () -> Void)?
  }

  private let transport: any ReplicationTransport
  private let collections: [Collection]
  /// Why the collections cannot be served; nil if they can.
  private let mistake: String?
  private let database: Database?
  private let isReadOnly: Bool
  private let onStatus: @Sendable (Status) -> Void
  private let state = Locked(State())

  /// Creates a peer, which does nothing until ``start()`` is called.
  ///
  /// - Parameters:
  ///   - transport: the accepted connection, which has not been started.
  ///   - collections: the collections that the other peer may access, at least one, all of one `Database` object.
  ///     Otherwise, ``start()`` closes the connection, and ``Status/databaseError`` describes the mistake.
  ///   - isReadOnly: whether revisions that the other peer pushes are refused with HTTP/403.
  ///   - onStatus: called after each status change, on any thread, never concurrently. The connection waits for it, so
  ///     ``Database/close()`` throws ``CBLError/transactionNotClosed`` in it before ``Status/isClosed`` is true.
  public convenience init(
    transport: any ReplicationTransport, collections: [Collection], isReadOnly: Bool = false,
    onStatus: @escaping @Sendable (Status) -> Void = { _ in }
  ) {
    let database = collections.first?.database
    let mistake: String? =
      if database == nil {
        "the listener has no collections; pass at least one"
      } else if collections.contains(where: { $0.database !== database }) {
        "the collections of the listener belong to different Database objects; open the database once"
      } else {
        nil
      }
    self.init(
      transport: transport, collections: collections, database: database, isReadOnly: isReadOnly, mistake: mistake,
      onStatus: onStatus)
  }

  init(
    transport: any ReplicationTransport, collections: [Collection], database: Database?, isReadOnly: Bool = false,
    mistake: String? = nil, onStatus: @escaping @Sendable (Status) -> Void = { _ in }
  ) {
    self.transport = transport
    self.collections = collections
    self.mistake = mistake
    self.database = database
    self.isReadOnly = isReadOnly
    self.onStatus = onStatus
  }

  /// The current status.
  public var status: Status { state.withLock { $0.status } }

  /// Starts the transport and serves the connection.
  public func start() {
    if let mistake {
      transport.close(code: 1011, reason: mistake)
      return change { status in
        status.isClosed = true
        status.databaseError = ReplicationTransportError(code: CBLError.invalidParameter, message: mistake)
      }
    }
    guard let database, database.engine.store.isOpen else {
      transport.close(code: 1011, reason: "the database is closed")
      return change { $0.isClosed = true }
    }
    let replica = DatabaseReplica(database)
    var events = PassiveSession.Events()
    // The references are strong, so that an open connection is not released.
    events.activityChanged = { [self] isActive in
      if status.isActive != isActive { change { $0.isActive = isActive } }
    }
    events.failed = { [self] error in change { $0.databaseError = $0.databaseError ?? error } }
    events.closed = { [self] in didClose($0) }
    do {
      let session = try PassiveSession(
        transport, database: replica, collections: collections.map { CollectionReplica($0, of: replica) },
        isReadOnly: isReadOnly || database.config.isReadOnly,
        queue: DispatchQueue(label: "concordance.passive"), events: events)
      let didEnd = database.engine.replications.add { session.close(code: 1001, reason: "the database is closed") }
      state.withLock { state in
        state.session = session
        state.didEnd = didEnd
      }
      session.start()
    } catch {
      transport.close(code: 1011, reason: "\(error)")
      change { $0.isClosed = true }
    }
  }

  /// Closes the connection. The status becomes closed when the transport is closed.
  ///
  /// - Parameter code: the WebSocket close code. After 1001, active peers stop. A listener that will be restarted
  ///   closes with 4001, after which active peers retry.
  public func close(code: Int = 1001) { transport.close(code: code, reason: "the listener was stopped") }

  private func didClose(_ error: ReplicationTransportError?) {
    typealias Ended = (session: PassiveSession?, didEnd: (@Sendable () -> Void)?)
    let ended: Ended = state.withLock { state in
      state.status.isClosed = true
      state.status.isActive = false
      state.status.error = error
      defer { (state.session, state.didEnd) = (nil, nil) }
      return (state.session, state.didEnd)
    }
    // Called first, because the callback may close the database, which waits for this call.
    ended.didEnd?()
    report(status)
  }

  private func change(_ body: (inout Status) -> Void) {
    let status = state.withLock { state in
      body(&state.status)
      return state.status
    }
    report(status)
  }

  private func report(_ status: Status) {
    guard let database, !status.isClosed else { return onStatus(status) }
    database.engine.replications.call { onStatus(status) }
  }
}
