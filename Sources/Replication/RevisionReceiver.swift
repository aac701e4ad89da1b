import BLIP
import Foundation
import VersionVectors

/// Receives changes to a collection: answers change lists, fetches blobs, and stores revisions in batches.
///
/// ```
/// changes or proposeChanges ──► answer ──► rev ──► missing blobs ──► batch ──► transaction ──► response
/// ```
///
/// `@unchecked Sendable`: every variable is used only on the serial queue of the link.
final class RevisionReceiver: @unchecked Sendable {
  private enum Limits {
    /// The number of expected revisions above which change lists are left unanswered.
    static let expectedCount = 2000
    /// The maximum number of unanswered lists. One more closes the connection. Couchbase Lite sends at most 5.
    static let heldListCount = 100
    static let heldListSize = 16 << 20
    static let batchCount = 500
    static let batchSize = 1 << 20
    /// How long a batch waits for more revisions before it is stored.
    static let delay = DispatchTimeInterval.milliseconds(2)
  }

  private struct Incoming {
    let request: MessageLink.Request
    var revision: ReceivedRevision
    let sequence: RemoteSequence?
    var missingBlobs: Set<MissingBlob> = []
    var size: Int { revision.body?.count ?? 0 }
    /// The size of the body and the properties, which remain in memory while blobs are fetched.
    var messageSize: Int { request.properties.pairs.reduce(size) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
  }

  /// Whether documents are purged that the user may no longer read. The peer sends their ids only if it was asked for
  /// them.
  var purgesRevoked = false
  /// Whether properties that Sync Gateway adds to documents are removed.
  var convertsBodies = false

  /// Tracks the progress of a subscription; nil on the passive side.
  private(set) var tracker: PullTracker?
  /// Whether the peer has announced all of its existing changes.
  private(set) var isCaughtUp = false
  private(set) var announcedCount: UInt64 = 0
  private(set) var doneCount: UInt64 = 0

  var onError: (any Error) -> Void = { _ in }
  var onDocument: (ReplicatedDocumentEvent) -> Void = { _ in }
  /// Called with the sequence and the id of a stored revision.
  var onInserted: (UInt64, String) -> Void = { _, _ in }
  /// Called with the id of a document whose conflict was stored.
  var onConflict: (String) -> Void = { _ in }

  private let link: MessageLink
  private let collection: any ReplicaCollection
  private let index: Int?
  private let remote: String?
  private let isReadOnly: Bool
  private let blobs: BlobFetcher

  private var held: [MessageLink.Request] = []
  private var batch: [Incoming] = []
  private var batchSize = 0
  private var isFlushScheduled = false
  private var waitingForBlobs: [Int: Incoming] = [:]
  private var nextWaiting = 0
  private var isStopped = false

  init(
    _ link: MessageLink, _ collection: any ReplicaCollection, index: Int?, remote: String?, isReadOnly: Bool,
    since: RemoteSequence?, blobs: BlobFetcher
  ) {
    self.link = link
    self.collection = collection
    self.index = index
    self.remote = remote
    self.isReadOnly = isReadOnly
    self.blobs = blobs
    if remote != nil { tracker = PullTracker(since: since) }
  }

  /// Whether the peer has announced all of its existing changes, and all of them have been processed.
  var isIdle: Bool {
    isCaughtUp && held.isEmpty && batch.isEmpty && waitingForBlobs.isEmpty && (tracker?.pendingCount ?? 0) == 0
  }

  /// Whether nothing is being processed.
  var isIdleForPassiveSide: Bool { held.isEmpty && batch.isEmpty && waitingForBlobs.isEmpty }

  func stop() { isStopped = true }

  // MARK: Lists

  /// Handles a `changes` message.
  func handleChanges(_ request: MessageLink.Request) {
    guard !isReadOnly else { return refuse(request) }
    if let tracker, tracker.pendingCount > Limits.expectedCount {
      let heldSize = held.reduce(request.message.body.count) { $0 + $1.message.body.count }
      guard held.count < Limits.heldListCount, heldSize <= Limits.heldListSize else {
        return onError(ReplicationError.malformedMessage("too many unanswered lists of changes"))
      }
      return held.append(request)
    }
    do {
      let changes = try RemoteChanges.parse(request.message.body)
      if changes.isEmpty { isCaughtUp = true }
      // Conflicts with stored revisions are detected later, when the whole version vector of a change is known.
      let stored = try collection.versions(changes.map(\.id))
      var answers: [RemoteChanges.Response] = []
      for (change, stored) in zip(changes, stored) {
        let isWanted = !change.flags.isRemoval && !(stored?.vector.includes(change.version) ?? false)
        if change.flags.isRemoval, stored != nil { try purge(change.id) }
        tracker?.add(change.sequence, isDone: !isWanted)
        if isWanted { announcedCount += 1 }
        answers.append(isWanted ? .wanted(known: stored.map { [$0.vector.current.text()] } ?? []) : .unwanted)
      }
      answer(request, RemoteChanges.responseBody(answers))
      if changes.isEmpty { drained() }
    } catch {
      fail(request, error)
    }
  }

  /// Purges a document that the user may no longer read.
  private func purge(_ id: String) throws {
    guard purgesRevoked, let isPurged = try collection.purgeRevoked(id) else { return }
    let error = isPurged ? nil : ReplicaError(status: 403, "the pull filter rejected the removal of the document")
    var event = ReplicatedDocumentEvent(id: id, isPush: false, isDeleted: false, error: error)
    event.isAccessRemoved = true
    onDocument(event)
  }

  /// Handles a `proposeChanges` message.
  func handleProposal(_ request: MessageLink.Request) {
    guard !isReadOnly else { return refuse(request) }
    do {
      let changes = try ProposedChanges.parse(request.message.body)
      let stored = try collection.versions(changes.map(\.id))
      let statuses = zip(changes, stored).map { change, stored in
        change.status(stored: stored?.vector, isDeleted: stored?.isDeleted ?? false)
      }
      answer(
        request,
        ProposedChanges.responseBody(
          statuses, includesVersions: request.properties.boolean("conflictIncludesRev")))
    } catch {
      fail(request, error)
    }
  }

  private func answer(_ request: MessageLink.Request, _ body: [UInt8]) {
    link.respond(to: request, Message(.response, properties: ["blobs": "true"], body: body))
  }

  private func refuse(_ request: MessageLink.Request) {
    link.respond(to: request, .error(domain: "HTTP", code: 403, "the database is read-only for this connection"))
  }

  /// Responds with an error to a request that could not be processed, and ends the replication.
  private func fail(_ request: MessageLink.Request, _ error: any Error) {
    if error is ReplicationError {
      link.respond(to: request, .error(domain: "BLIP", code: 400, "\(error)"))
    } else {
      link.respond(to: request, .error(domain: "HTTP", code: 503, "the database cannot be read"))
    }
    onError(error)
  }

  // MARK: Revisions

  /// Records the sequence that the peer assigned to a revision from this database.
  func addEcho(_ sequence: UInt64) { tracker?.addEcho(sequence) }

  /// Handles a `norev` message: the peer cannot send a revision that it announced. After a transient status, the next
  /// replication requests it again.
  func handleMissingRevision(_ request: MessageLink.Request) {
    let id = request.properties["id"] ?? ""
    guard let sequence = request.properties["sequence"].flatMap(RemoteSequence.init(text:)) else { return }
    guard tracker?.isPending(sequence) == true else { return }
    let status = request.properties["error"].flatMap { Int($0) } ?? 404
    let error = ReplicaError(status: status, request.properties["reason"] ?? "the peer could not send the document")
    onDocument(ReplicatedDocumentEvent(id: id, isPush: false, isDeleted: false, error: error))
    end(sequence, error)
  }

  /// Handles a `rev` message.
  func handleRevision(_ request: MessageLink.Request) {
    guard !isReadOnly else { return refuse(request) }
    do {
      var incoming = try decode(request)
      if convertsBodies, let body = incoming.revision.body {
        guard body.count <= GatewayBody.maximumSize else {
          throw ReplicaError(
            status: 413, "the document \"\(incoming.revision.id)\" has \(body.count) bytes, which is too large")
        }
        switch GatewayBody.content(of: body) {
        case .document(let text): incoming.revision.body = text
        case .removal:
          try purge(incoming.revision.id)
          link.respond(to: request, Message(.response))
          end(incoming.sequence, nil)
          return drained()
        }
      }
      // Filters and blobs are checked before anything is stored.
      guard try collection.shouldStore(incoming.revision) else {
        return finish(incoming, refusedBy: ReplicaError(status: 403, "the pull filter rejected the document"))
      }
      if let body = incoming.revision.body {
        incoming.revision.mayReferenceBlobs = collection.mayReferenceBlobs(body)
        if incoming.revision.mayReferenceBlobs {
          let missing = try collection.missingBlobs(in: body, of: incoming.revision.id)
          incoming.missingBlobs = Set(missing.filter { blobs.mustFetch($0) })
        }
      }
      if incoming.missingBlobs.isEmpty { add(incoming) } else { fetchBlobs(of: incoming) }
    } catch let error as ReplicaError {
      let sequence = RevisionReceiver.sequence(of: request)
      let revision = request.revision?.id ?? request.properties["id"] ?? ""
      respond(to: request, error)
      end(sequence, error)
      onDocument(ReplicatedDocumentEvent(id: revision, isPush: false, isDeleted: false, error: error))
    } catch {
      fail(request, error)
    }
  }

  private static func sequence(of request: MessageLink.Request) -> RemoteSequence? {
    if let revision = request.revision { return RemoteSequence(revision.sequence) }
    return request.properties["sequence"].flatMap(RemoteSequence.init(text:))
  }

  private func decode(_ request: MessageLink.Request) throws -> Incoming {
    if let revision = request.revision {
      guard (1...255).contains(revision.id.utf8.count) else {
        throw ReplicaError(status: 400, "a revision has no valid id")
      }
      return Incoming(
        request: request,
        revision: ReceivedRevision(
          id: revision.id, vector: revision.vector, isDeleted: revision.isDeleted,
          body: revision.isDeleted ? nil : revision.body),
        sequence: RevisionReceiver.sequence(of: request))
    }
    let properties = request.properties
    guard let id = properties["id"], (1...255).contains(id.utf8.count), let revision = properties["rev"] else {
      throw ReplicaError(status: 400, "a revision has no valid id or rev")
    }
    let sequence = RevisionReceiver.sequence(of: request)
    guard tracker == nil || sequence != nil else {
      throw ReplicaError(status: 400, "the revision of \"\(id)\" has no valid sequence")
    }
    guard properties["deltaSrc"] == nil else {
      throw ReplicaError(status: 422, "deltas are not supported; send the whole document")
    }
    let vector: VersionVector
    do {
      vector = try VersionVector(revision: revision, history: properties["history"])
    } catch {
      throw ReplicaError(status: 400, "\(error)")
    }
    guard vector.entries.allSatisfy({ $0.author != nil }) else {
      throw ReplicaError(status: 400, "the version vector of \"\(id)\" has an entry without an author")
    }
    let isDeleted = properties.boolean("deleted")
    return Incoming(
      request: request,
      revision: ReceivedRevision(
        id: id, vector: vector, isDeleted: isDeleted, body: isDeleted ? nil : request.message.body),
      sequence: sequence)
  }

  private func fetchBlobs(of incoming: Incoming) {
    guard blobs.reserve(incoming.messageSize) else {
      return finish(
        incoming, refusedBy: ReplicaError(status: 503, "too many documents are waiting for blobs; send it again"))
    }
    let number = nextWaiting
    nextWaiting += 1
    waitingForBlobs[number] = incoming
    for blob in incoming.missingBlobs {
      blobs.fetch(blob, documentID: incoming.revision.id, index: index) { [weak self] result in
        self?.didFetch(blob, result, number)
      }
    }
  }

  private func didFetch(_ missing: MissingBlob, _ result: Result<BlobFetcher.Blob?, ReplicaError>, _ number: Int) {
    // The revision is no longer waiting if another of its blobs could not be fetched. It is taken out of the
    // dictionary, because a second reference would copy its list of blobs for every blob.
    guard !isStopped, var incoming = waitingForBlobs.removeValue(forKey: number) else { return }
    switch result {
    case .success(let blob):
      if let blob { incoming.revision.blobs.append((missing.digest, blob.length, blob.content)) }
      incoming.missingBlobs.remove(missing)
      guard incoming.missingBlobs.isEmpty else {
        waitingForBlobs[number] = incoming
        return
      }
      blobs.release(incoming.messageSize)
      add(incoming)
    case .failure(let error):
      blobs.release(incoming.messageSize)
      finish(incoming, refusedBy: error)
    }
  }

  // MARK: Storing

  private func add(_ incoming: Incoming) {
    batch.append(incoming)
    batchSize += incoming.size
    if batch.count >= Limits.batchCount || batchSize >= Limits.batchSize { return flush() }
    guard !isFlushScheduled else { return }
    isFlushScheduled = true
    link.queue.asyncAfter(deadline: .now() + Limits.delay) { [weak self] in
      guard let self else { return }
      isFlushScheduled = false
      flush()
    }
  }

  private func flush() {
    guard !batch.isEmpty, !isStopped else { return }
    let current = batch
    batch = []
    batchSize = 0
    do {
      let results = try collection.insert(current.map(\.revision), remote: remote)
      for (incoming, result) in zip(current, results) { finish(incoming, result) }
      drained()
      link.flush()
    } catch {
      for incoming in current {
        respond(to: incoming.request, ReplicaError(status: 503, "the document could not be stored; send it again"))
      }
      onError(error)
    }
  }

  /// Called when work has been completed, so that the session can check whether it is idle.
  var drained: () -> Void = {}

  private func finish(_ incoming: Incoming, _ result: InsertionResult) {
    switch result {
    case .inserted(let sequence):
      onInserted(sequence, incoming.revision.id)
      // The response reports the sequence, so that no change list needs to announce it to the sender.
      let properties: MessageProperties = remote == nil ? ["sequence": String(sequence)] : [:]
      link.respond(to: incoming.request, Message(.response, properties: properties))
      report(incoming, nil)
      end(incoming.sequence, nil)
    case .exists:
      link.respond(to: incoming.request, Message(.response, properties: ["noop": "true"]))
      end(incoming.sequence, nil)
    case .conflict:
      link.respond(to: incoming.request, Message(.response))
      end(incoming.sequence, nil)
      onConflict(incoming.revision.id)
    case .refused(let error): finish(incoming, refusedBy: error)
    }
  }

  private func finish(_ incoming: Incoming, refusedBy error: ReplicaError) {
    respond(to: incoming.request, error)
    report(incoming, error)
    end(incoming.sequence, error)
    drained()
  }

  private func report(_ incoming: Incoming, _ error: ReplicaError?) {
    onDocument(
      ReplicatedDocumentEvent(
        id: incoming.revision.id, isPush: false, isDeleted: incoming.revision.isDeleted, error: error))
  }

  private func respond(to request: MessageLink.Request, _ error: ReplicaError) {
    link.respond(to: request, .error(domain: "HTTP", code: error.status, error.message))
  }

  /// Ends the transmission of an announced change.
  private func end(_ sequence: RemoteSequence?, _ error: ReplicaError?) {
    if let sequence, tracker != nil {
      if let error, error.isTransient { tracker?.abandon(sequence) } else { tracker?.finish(sequence) }
      doneCount += 1
    }
    releaseHeld()
  }

  private func releaseHeld() {
    while let request = held.first, (tracker?.pendingCount ?? 0) <= Limits.expectedCount {
      held.removeFirst()
      handleChanges(request)
    }
  }
}
