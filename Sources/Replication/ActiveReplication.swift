public import Foundation

/// A replication that connects to a peer and reconnects if the connection fails.
///
/// ```
/// stopped ──► connecting ──► busy ◄──► idle
///    ▲            ▲           │
///    └── offline ─┴───────────┘
/// ```
///
/// `@unchecked Sendable`: every variable is used only on the serial queue ``queue``.
public final class ActiveReplication: @unchecked Sendable {
  /// The activity of a replication.
  public enum Activity: UInt8, Sendable {
    case stopped = 0
    case offline
    case connecting
    case idle
    case busy
  }

  /// An attempt to connect that follows a failed one.
  public struct Retry: Hashable, Sendable {
    /// The number of consecutive failed attempts, and the number after which the replication ends.
    public var failureCount: UInt64
    public var maximumAttempts: UInt64
    /// The time between the last attempt and the next one, in seconds: 2, 4, 8 and so on, up to a maximum.
    public var delay: Double

    /// Creates the description of the next attempt.
    public init(_ failureCount: UInt64, of options: ReplicationOptions) {
      self.failureCount = failureCount
      maximumAttempts = options.maximumAttempts
      delay = ActiveReplication.delay(failureCount, options.maximumWait)
    }
  }

  /// The status of a replication.
  public struct Status: Hashable, Sendable {
    public var activity: Activity
    /// The number of completed changes and the number of all known changes.
    public var completed: UInt64 = 0
    public var total: UInt64 = 0
    /// The error that ended the replication or the last connection.
    public var error: ReplicationTransportError?
    /// The next attempt to connect, if the replication is offline because the last one failed.
    public var retry: Retry?

    /// Creates a status.
    public init(activity: Activity = .stopped) { self.activity = activity }
  }

  /// The callbacks of a replication. They are called on its queue.
  public struct Events: Sendable {
    public var statusChanged: @Sendable (Status) -> Void = { _ in }
    /// Called with the position of a collection, whether its documents were pushed, and the documents.
    public var documents: @Sendable (Int, Bool, [ReplicatedDocumentEvent]) -> Void = { _, _, _ in }
    /// Called once for each connection on which the peer refuses to store a checkpoint. The replication continues.
    public var checkpointRefused: @Sendable (ReplicationError) -> Void = { _ in }

    /// Creates callbacks that do nothing.
    public init() {}
  }

  public let queue: DispatchQueue
  private let database: any ReplicaDatabase
  private let collections: [ReplicatedCollection]
  private let options: ReplicationOptions
  private let clock: any ReplicationClock
  private let connect: @Sendable () async throws -> any ReplicationTransport
  private let events: Events

  private var status = Status()
  private var session: ActiveSession?
  /// Identifies the current attempt to connect, so that the results of earlier attempts are ignored.
  private var attempt: UInt64 = 0
  private var failureCount: UInt64 = 0
  private var connection: Task<Void, Never>?
  private var resetsCheckpoint = false
  private var hasStarted = false
  private(set) var isStopping = false
  /// The number of consecutive sessions that ended without documents that a peer refused with a transient status.
  private var documentRetryCount: UInt64 = 0
  /// The attempt whose connection will be closed so that refused documents are exchanged again.
  private var restartedAttempt: UInt64?
  /// A replication that is not continuous ends after this many retries, 14 s after the first refusal.
  private static let maximumDocumentRetryCount = 3
  private let conflicts: ConflictResolutionQueue
  /// Runs the connecting task even if the program blocks every thread of the cooperative thread pool.
  private let executor = QueueExecutor()
  private var documents: [(position: Int, event: ReplicatedDocumentEvent)] = []
  private var isReportScheduled = false

  /// Creates a stopped replication.
  ///
  /// - Parameter connect: returns a transport that has not been started.
  public init(
    database: any ReplicaDatabase, collections: [ReplicatedCollection], options: ReplicationOptions,
    clock: any ReplicationClock = SystemReplicationClock(), queue: DispatchQueue, events: Events,
    connect: @escaping @Sendable () async throws -> any ReplicationTransport
  ) {
    self.queue = queue
    self.database = database
    self.collections = collections
    self.options = options
    self.clock = clock
    self.connect = connect
    self.events = events
    conflicts = ConflictResolutionQueue(of: collections, database, options, clock: clock, queue: queue)
    conflicts.delegate = self
  }

  /// Starts the replication unless it has already been started; it can be started once.
  ///
  /// - Parameter reset: whether the stored checkpoints are ignored.
  public func start(reset: Bool) {
    queue.async { [self] in
      guard !hasStarted else { return }
      hasStarted = true
      status = Status(activity: .connecting)
      // It was stopped before it started, because the database is being closed.
      guard !isStopping else { return finish(nil) }
      resetsCheckpoint = reset
      tryToConnect()
    }
  }

  /// Stops the replication asynchronously. When it has ended, the status changes to `stopped`.
  public func stop() {
    queue.async { [self] in
      guard !isStopping else { return }
      isStopping = true
      guard status.activity != .stopped else { return }
      attempt += 1
      connection?.cancel()
      connection = nil
      if let session { session.stop() } else { finish(nil) }
    }
  }

  // MARK: Connecting

  private func tryToConnect() {
    attempt += 1
    let current = attempt
    status.activity = .connecting
    status.retry = nil
    report()
    do { try conflicts.readStored() } catch { return didFail(database.transportError(error)) }
    connection = Task(executorPreference: executor) { [weak self, connect] in
      let result: Result<any ReplicationTransport, any Error>
      do { result = .success(try await connect()) } catch { result = .failure(error) }
      guard let self else {
        if case .success(let transport) = result { transport.close(code: 1001, reason: "stopped") }
        return
      }
      queue.async { self.didConnect(result, current) }
    }
  }

  private func didConnect(_ result: Result<any ReplicationTransport, any Error>, _ current: UInt64) {
    guard current == attempt, !isStopping else {
      if case .success(let transport) = result { transport.close(code: 1001, reason: "stopped") }
      return
    }
    connection = nil
    do {
      let transport = try result.get()
      var sessionEvents = ActiveSession.Events()
      sessionEvents.connected = { [self] in
        status.activity = .busy
        status.error = nil
        report()
      }
      sessionEvents.progressed = { [self] in didProgress() }
      sessionEvents.document = { [self] in
        // An open connection does not show that the next attempt will succeed; an exchanged document does.
        if $1.error == nil { failureCount = 0 }
        add($1, of: $0)
      }
      sessionEvents.conflict = { [self] in conflicts.add($0, $1) }
      sessionEvents.checkpointRefused = { [self] in events.checkpointRefused($0) }
      sessionEvents.ended = { [self] in sessionDidEnd($0) }
      let session = try ActiveSession(
        transport, database: database, collections: collections, options: options,
        resetsCheckpoint: resetsCheckpoint, clock: clock, queue: queue, events: sessionEvents)
      self.session = session
      session.resolvingCount = conflicts.count
      session.start()
    } catch let error as ReplicationTransportError {
      didFail(error)
    } catch {
      didFail(ReplicationTransportError(code: 10, message: "\(error)"))
    }
  }

  private func sessionDidEnd(_ error: ReplicationTransportError?) {
    let isIncomplete = session?.isIncomplete ?? false
    let hasStoredCheckpoint = !(session?.hasReportedRefusal ?? false)
    session = nil
    if let error, !isStopping { return didFail(error) }
    guard isIncomplete, !isStopping, mayRetryDocuments else { return finish(nil) }
    // An earlier checkpoint may contain the refused documents.
    if hasStoredCheckpoint { resetsCheckpoint = false }
    // A continuous replication has waited before it closed the connection.
    guard !options.isContinuous else { return tryToConnect() }
    documentRetryCount += 1
    let delay = ActiveReplication.delay(documentRetryCount, options.maximumWait)
    goOffline(
      ReplicationTransportError(
        code: 10503, message: "documents were refused temporarily; they are exchanged again in \(Int(delay)) s"),
      after: delay)
  }

  private var mayRetryDocuments: Bool {
    options.maximumAttempts > 1
      && (options.isContinuous || documentRetryCount < ActiveReplication.maximumDocumentRetryCount)
  }

  /// Opens a new connection after a delay if a peer has refused documents temporarily: both peers then read these
  /// documents again, because they are not in the checkpoint. Until then, other changes are exchanged.
  private func scheduleRestart() {
    guard let session, session.isIncomplete, restartedAttempt != attempt, mayRetryDocuments else { return }
    restartedAttempt = attempt
    documentRetryCount += 1
    let current = attempt
    let delay = ActiveReplication.delay(documentRetryCount, options.maximumWait)
    clock.schedule(after: delay, on: queue) { [weak self] in
      guard let self, current == attempt, !isStopping else { return }
      self.session?.finish(reason: "documents are sent again")
    }
  }

  /// Handles a lost or failed connection: schedules another attempt or ends the replication.
  private func didFail(_ error: ReplicationTransportError) {
    failureCount += 1
    let mayRetry = error.isTransient && (options.isContinuous || !error.isNetworkDependent)
    guard mayRetry, failureCount < options.maximumAttempts, !isStopping else { return finish(error) }
    let retry = Retry(failureCount, of: options)
    status.retry = retry
    goOffline(error, after: retry.delay)
  }

  private func goOffline(_ error: ReplicationTransportError, after delay: Double) {
    status.activity = .offline
    status.error = error
    report()
    attempt += 1
    let current = attempt
    clock.schedule(after: delay, on: queue) { [weak self] in
      guard let self, current == attempt, !isStopping else { return }
      tryToConnect()
    }
  }

  /// Returns the delay before the next attempt in seconds: 2, 4, 8 and so on.
  static func delay(_ failureCount: UInt64, _ maximum: Double) -> Double {
    min(Double(UInt64(1) << min(failureCount, 30)), maximum)
  }

  private var ending: ReplicationTransportError??

  /// Ends the replication once all conflicts have been resolved.
  private func finish(_ error: ReplicationTransportError?) {
    if isStopping { conflicts.discardWaiting() }
    guard conflicts.isEmpty else {
      ending = .some(error)
      return
    }
    ending = nil
    status.activity = .stopped
    status.retry = nil
    status.error = error
    report()
  }

  // MARK: Reporting

  private func didProgress() {
    guard let session else { return }
    let progress = session.progress
    if options.isContinuous {
      scheduleRestart()
      if session.isIdle { failureCount = 0 }
      if session.isIdle, !session.isIncomplete { documentRetryCount = 0 }
    }
    let activity: Activity = session.isIdle && options.isContinuous ? .idle : .busy
    guard status.activity != activity || status.completed != progress.completed || status.total != progress.total
    else { return }
    status.activity = activity
    status.completed = progress.completed
    status.total = progress.total
    report()
  }

  private func report() {
    reportDocuments()
    events.statusChanged(status)
  }

  private func add(_ event: ReplicatedDocumentEvent, of position: Int) {
    documents.append((position, event))
    if documents.count >= 1000 { return reportDocuments() }
    guard !isReportScheduled else { return }
    isReportScheduled = true
    queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
      self?.isReportScheduled = false
      self?.reportDocuments()
    }
  }

  private func reportDocuments() {
    let documents = documents
    self.documents = []
    var start = 0
    while start < documents.count {
      let (position, first) = documents[start]
      let end =
        documents[start...].firstIndex { $0.position != position || $0.event.isPush != first.isPush } ?? documents.count
      events.documents(position, first.isPush, documents[start..<end].map(\.event))
      start = end
    }
  }
}

extension ActiveReplication: ConflictResolutionDelegate {
  func conflictCountDidIncrease() { session?.resolvingCount += 1 }

  func didResolveConflicts(
    _ position: Int, _ id: String, _ resolution: ConflictResolution?, _ event: ReplicatedDocumentEvent?
  ) {
    if let event { add(event, of: position) }
    session?.didResolve(position, id, resolution)
  }

  func conflictCountDidDecrease() {
    session?.resolvingCount -= 1
    if let ending, conflicts.isEmpty { finish(ending) }
  }
}
