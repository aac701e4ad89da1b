import BLIP
import Foundation
import JSONText
import VersionVectors

/// The active side of one connection: exchanges checkpoints, pushes, pulls, and resolves conflicts.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue of the link.
final class ActiveSession: @unchecked Sendable {
  /// The callbacks. They are called on the link's queue.
  struct Events {
    var connected: () -> Void = {}
    var progressed: () -> Void = {}
    var document: (Int, ReplicatedDocumentEvent) -> Void = { _, _ in }
    /// Called with the position of a collection and the id of a document whose conflict was stored.
    var conflict: (Int, String) -> Void = { _, _ in }
    /// Called once if the peer refuses to store checkpoints or does not store the last ones in time.
    var checkpointRefused: (ReplicationError) -> Void = { _ in }
    /// The connection was closed. The error is nil if a one-shot replication is complete or the session was stopped.
    var ended: (ReplicationTransportError?) -> Void = { _ in }
  }

  private final class State {
    let options: ReplicatedCollection
    let keeper: CheckpointKeeper
    /// The sequences that the peer assigned to sent revisions. Used only if nothing is pulled, so that a later pull
    /// need not compare these revisions.
    var echoes = PullTracker(since: nil)
    var sender: RevisionSender?
    var receiver: RevisionReceiver?
    var observation: (any Sendable)?

    init(_ options: ReplicatedCollection, _ keeper: CheckpointKeeper) {
      self.options = options
      self.keeper = keeper
      keeper.progress = { [weak self] in
        guard let self else { return Checkpoint() }
        return Checkpoint(
          completed: sender?.completed ?? self.keeper.initial.completed,
          remote: (receiver?.tracker ?? echoes).completed)
      }
    }
  }

  private static let autosaveInterval = 5.0

  private let link: MessageLink
  private let database: any ReplicaDatabase
  private let states: [State]
  private let options: ReplicationOptions
  private let resetsCheckpoint: Bool
  private let clock: any ReplicationClock
  private let events: Events
  private let blobs: BlobFetcher
  private let blobServer: BlobServer
  /// Whether the peer is a database of this library, which sends documents as they are stored.
  private var isPeerOwn = false
  private var hasBegun = false
  private var isFinishing = false
  /// Whether this peer has closed the connection after the checkpoints were stored, or were not stored in time.
  private var isComplete = false
  private var isStopped = false
  private var isAutosaveScheduled = false
  private var mustSaveWhenIdle = true
  /// Whether the peer has not stored a checkpoint.
  private(set) var hasReportedRefusal = false
  /// The number of conflicts that are not resolved yet. The session does not end until it is 0.
  var resolvingCount = 0 { didSet { if resolvingCount == 0 { checkIdle() } } }

  init(
    _ transport: any ReplicationTransport, database: any ReplicaDatabase, collections: [ReplicatedCollection],
    options: ReplicationOptions, resetsCheckpoint: Bool, clock: any ReplicationClock, queue: DispatchQueue,
    events: Events
  ) throws {
    let link = try MessageLink(transport, on: queue)
    self.link = link
    self.database = database
    states = collections.map { collection in
      State(collection, CheckpointKeeper(collection.checkpointID, link, database, clock))
    }
    self.options = options
    self.resetsCheckpoint = resetsCheckpoint
    self.clock = clock
    self.events = events
    let proofs = BlobProofs(link, database)
    blobs = BlobFetcher(link, database, proofs)
    blobServer = BlobServer(link: link, database: database, proofs: proofs)
  }

  /// Whether all changes have been exchanged. The session then waits for further changes.
  private(set) var isIdle = false

  /// The number of completed changes and the number of all known changes.
  var progress: (completed: UInt64, total: UInt64) {
    states.reduce((0, 0)) { sum, state in
      let (sender, receiver) = (state.sender, state.receiver)
      return (
        sum.0 + (sender?.doneCount ?? 0) + (receiver?.doneCount ?? 0),
        sum.1 + (sender?.readCount ?? 0) + (receiver?.announcedCount ?? 0)
      )
    }
  }

  func start() {
    for state in states {
      state.keeper.onError = { [weak self] in self?.fail($0) }
      state.keeper.onRefusal = { [weak self] in self?.checkpointWasRefused($0) }
    }
    link.callbacks.opened = { [self] in begin() }
    link.callbacks.request = { [self] in handle($0) }
    link.callbacks.drained = { [self] in checkIdle() }
    link.callbacks.closed = { [self] in didClose($0) }
    link.start()
    // A transport detects a dead connection, but not a peer that answers nothing, or a program that never opens the
    // connection of a message endpoint.
    clock.schedule(after: ReplicationTransportError.responseTimeout, on: link.queue) { [weak self] in
      guard let self, !hasBegun else { return }
      link.fail(.noResponse, closeCode: 1000)
    }
    watchResponses()
  }

  /// Ends the session with an error if the peer does not answer a request and sends nothing else for 120 to 240 s. A
  /// peer that sends anything is alive: it may be receiving a large blob or storing many documents.
  private func watchResponses() {
    let (count, isAwaiting) = (link.receivedCount, link.isAwaitingResponse)
    clock.schedule(after: ReplicationTransportError.silenceTimeout, on: link.queue) { [weak self] in
      guard let self, !link.isClosed else { return }
      guard isAwaiting, link.isAwaitingResponse, link.receivedCount == count else { return watchResponses() }
      link.fail(.noResponse, closeCode: 1000)
    }
  }

  /// Closes the connection. The session ends without an error.
  func stop() {
    isStopped = true
    link.close(code: 1000, reason: "stopped")
  }

  /// Ends the session with an error.
  func fail(_ error: any Error) {
    var reason: String?
    let converted: (ReplicationTransportError, Int) =
      switch error {
      case let error as ReplicationTransportError: (error, 1011)
      case ReplicationError.peer(let domain, let code, _):
        (ReplicationTransportError(code: ActiveSession.code(domain, code), message: "\(error)"), 1000)
      case is ReplicationError: (ReplicationTransportError(code: 11002, message: "\(error)"), 1002)
      default: storageFailure(error)
      }
    if !(error is ReplicationTransportError || error is ReplicationError) {
      reason = database.descriptionForPeer(of: error)
    }
    link.fail(converted.0, closeCode: converted.1, reason: reason)
  }

  /// Returns the error and the close code for an error of the database. A busy database is available again later.
  private func storageFailure(_ error: any Error) -> (ReplicationTransportError, Int) {
    let converted = database.transportError(error)
    return (converted, converted.isTransient ? 4001 : 1011)
  }

  /// Whether documents were not exchanged because this or the other peer refused them with a transient status.
  var isIncomplete: Bool {
    states.contains { ($0.sender?.isIncomplete ?? false) || ($0.receiver?.tracker?.isBlocked ?? false) }
  }

  /// Stores the checkpoints and closes the connection. The session ends without an error, even if the peer does not
  /// store the checkpoints within ``ReplicationTransportError/responseTimeout``.
  func finish(reason: String) {
    guard hasBegun, !isFinishing, !link.isClosed else { return }
    isFinishing = true
    // Not an error: all documents have been exchanged, and a peer that is building an index cannot write for a long
    // time. Without the checkpoint, the next session compares the changes again.
    clock.schedule(after: ReplicationTransportError.responseTimeout, on: link.queue) { [weak self] in
      guard let self, !isComplete, !isStopped, !link.isClosed else { return }
      checkpointWasRefused(.noResponse)
      complete(reason: reason)
    }
    saveLastCheckpoints { [weak self] in self?.complete(reason: reason) }
  }

  private func complete(reason: String) {
    guard !isComplete else { return }
    events.progressed()
    isComplete = true
    link.close(code: 1000, reason: reason)
  }

  /// Converts the error of a message to a Couchbase Lite error code.
  private static func code(_ domain: String, _ code: Int) -> Int {
    switch domain {
    case "HTTP", "WebSocket": 10_000 + max(0, min(code, 5000))
    case "LiteCore": 26
    default: 11002
    }
  }

  private func didClose(_ closure: TransportClosure) {
    for state in states {
      state.sender?.stop()
      state.receiver?.stop()
      state.observation = nil
    }
    let isExpected = isStopped || isComplete
    switch closure {
    case .failed(let error): events.ended(isStopped ? nil : error)
    case .closed(let code, let reason, let isRemote):
      // A peer that closes the connection normally before the replication is complete is reported as going away.
      let reported = code == 1000 && isRemote ? 1001 : code
      events.ended(
        isExpected
          ? nil
          : ReplicationTransportError(
            code: 10_000 + reported,
            message: "the peer closed the connection (\(code)\(reason.isEmpty ? "" : ", \(reason)"))"))
    }
  }

  // MARK: Checkpoints

  private func begin() {
    events.connected()
    do {
      var writer = JSONWriter()
      try writer.object { (object: inout JSONWriter) throws(ReplicationError) in
        object.member("checkpoint_ids") { $0.array { list in states.forEach { list.write($0.options.checkpointID) } } }
        object.member("collections") {
          $0.array { list in states.forEach { list.write($0.options.collection.path) } }
        }
      }
      var request = Message(properties: ["Profile": "getCollections"], body: writer.bytes)
      request.properties["uuid"] = try database.publicID().description
      link.send(request) { [weak self] in self?.didGetCollections($0) }
    } catch {
      fail(error)
    }
  }

  private func didGetCollections(_ response: Message?) {
    guard let response else { return }
    do {
      if let error = response.errorCode {
        throw ReplicationError.peer(
          domain: error.domain, code: error.code, String(decoding: response.body, as: UTF8.self))
      }
      isPeerOwn = response.properties.boolean(PassiveSession.ownPeerProperty)
      guard case .array(let entries) = try MessageBody.value(response.body), entries.count == states.count else {
        throw ReplicationError.malformedMessage("the response to getCollections")
      }
      for (state, entry) in zip(states, entries) {
        guard case .object(let members) = entry else {
          throw ReplicationTransportError(
            code: 10404,
            message: "the peer has no collection \(CollectionPath.fullName(state.options.collection.path))")
        }
        try state.keeper.compare(with: members, resets: resetsCheckpoint)
        state.echoes = PullTracker(since: state.keeper.initial.remote)
      }
      try startCollections()
    } catch {
      fail(error)
    }
  }

  /// Stores the changed checkpoints. A checkpoint that is being stored is stored again by the next call.
  private func saveCheckpoints() { for state in states { state.keeper.save() } }

  /// Stores the changed checkpoints and calls `completion` when all are stored, also those that are being stored.
  private func saveLastCheckpoints(_ completion: @escaping () -> Void) {
    var remaining = 1
    let didSave = {
      remaining -= 1
      if remaining == 0 { completion() }
    }
    for state in states {
      remaining += 1
      state.keeper.saveLast(didSave)
    }
    didSave()
  }

  private func checkpointWasRefused(_ error: ReplicationError) {
    guard !hasReportedRefusal else { return }
    hasReportedRefusal = true
    events.checkpointRefused(error)
  }

  private func scheduleAutosave() {
    guard !isAutosaveScheduled else { return }
    isAutosaveScheduled = true
    clock.schedule(after: ActiveSession.autosaveInterval, on: link.queue) { [weak self] in
      guard let self, !link.isClosed, !isFinishing else { return }
      isAutosaveScheduled = false
      saveCheckpoints()
      if !isIdle { scheduleAutosave() }
    }
  }

  // MARK: Collections

  private func startCollections() throws {
    for (position, state) in states.enumerated() {
      if options.pushes {
        var sending = RevisionSender.Options()
        sending.documentIDs = state.options.documentIDs
        // A one-shot session reports them at its end.
        sending.reportsConflicts = options.isContinuous && !options.pulls
        let sender = RevisionSender(
          link, state.options.collection, index: position, mode: .propose, completed: state.keeper.initial.completed,
          options: sending)
        sender.onError = { [weak self] in self?.fail($0) }
        sender.onDocument = { [weak self] in self?.events.document(position, $0) }
        sender.onPeerSequence = { [weak state] in
          if let receiver = state?.receiver { receiver.addEcho($0) } else { state?.echoes.addEcho($0) }
        }
        state.sender = sender
        if options.isContinuous {
          state.observation = try state.options.collection.observeChanges { [weak self, weak sender] in
            guard let self, let sender else { return }
            link.perform {
              sender.start()
              self.checkIdle()
            }
          }
        }
      }
      if options.pulls { subscribe(state, position) }
    }
    hasBegun = true
    scheduleAutosave()
    for state in states { state.sender?.start() }
    checkIdle()
  }

  private func subscribe(_ state: State, _ position: Int) {
    let receiver = RevisionReceiver(
      link, state.options.collection, index: position, remote: state.options.checkpointID, isReadOnly: false,
      since: state.keeper.initial.remote, blobs: blobs)
    receiver.convertsBodies = !isPeerOwn
    receiver.purgesRevoked = options.purgesRevoked && state.options.documentIDs == nil
    receiver.onError = { [weak self] in self?.fail($0) }
    receiver.onDocument = { [weak self] in self?.events.document(position, $0) }
    receiver.onInserted = { [weak state] sequence, id in state?.sender?.markComplete(sequence, id: id) }
    receiver.onConflict = { [weak self] in self?.events.conflict(position, $0) }
    receiver.drained = { [weak self] in self?.checkIdle() }
    state.receiver = receiver
    var request = Message(properties: ["Profile": "subChanges", "collection": String(position)])
    request.properties["versioning"] = "version-vectors"
    request.properties["batch"] = "200"
    if let since = state.keeper.initial.remote { request.properties["since"] = since.text }
    if options.isContinuous { request.properties["continuous"] = "true" }
    if receiver.purgesRevoked { request.properties["revocations"] = "true" }
    if !state.options.channels.isEmpty {
      request.properties["filter"] = "sync_gateway/bychannel"
      request.properties["channels"] = state.options.channels.joined(separator: ",")
    }
    if let ids = state.options.documentIDs {
      var writer = JSONWriter()
      writer.object { object in
        object.member("docIDs") { $0.array { list in ids.sorted().forEach { list.write($0.text) } } }
      }
      request.body = writer.bytes
    }
    link.send(request) { [weak self] response in
      guard let response, let error = response.errorCode else { return }
      self?.fail(
        ReplicationError.peer(
          domain: error.domain, code: error.code, String(decoding: response.body, as: UTF8.self)))
    }
  }

  /// Continues after a document's conflicts were resolved.
  func didResolve(_ position: Int, _ id: String, _ resolution: ConflictResolution?) {
    guard let sender = states[position].sender, !link.isClosed else { return }
    if let resolution, resolution.isRemote { sender.markComplete(resolution.sequence, id: id) }
    do { try sender.didResolveConflicts(of: id) } catch { return fail(error) }
    sender.start()
  }

  private func checkIdle() {
    guard hasBegun, !isFinishing, !link.isClosed else { return }
    let wasIdle = isIdle
    isIdle =
      resolvingCount == 0
      && states.allSatisfy { ($0.sender?.isIdle ?? true) && ($0.receiver?.isIdle ?? true) }
    if !isIdle {
      mustSaveWhenIdle = true
      scheduleAutosave()
      return events.progressed()
    }
    guard !options.isContinuous else {
      if !wasIdle || mustSaveWhenIdle {
        mustSaveWhenIdle = false
        saveCheckpoints()
      }
      return events.progressed()
    }
    for state in states { state.sender?.failWaiting() }
    finish(reason: "")
  }

  // MARK: Requests from the peer

  private func handle(_ request: MessageLink.Request) {
    let senders = states.compactMap(\.sender)
    switch request.profile {
    case "getAttachment": return blobServer.handleRequest(request, offered: senders)
    case "proveAttachment": return blobServer.handleProof(request, offered: senders)
    default: break
    }
    guard let index = request.properties["collection"].flatMap({ Int($0) }), states.indices.contains(index),
      let receiver = states[index].receiver
    else {
      return link.respond(
        to: request, .error(domain: "HTTP", code: 400, "this peer has not subscribed to the collection"))
    }
    switch request.profile {
    case "changes": receiver.handleChanges(request)
    case "rev": receiver.handleRevision(request)
    case "norev": receiver.handleMissingRevision(request)
    default: link.respond(to: request, .error(domain: "BLIP", code: 404, "there is no handler for the message"))
    }
  }
}
