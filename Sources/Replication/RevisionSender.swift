import BLIP
import Foundation
import JSONText
import VersionVectors

/// Sends the changes to a collection. An active peer proposes them; a passive peer announces them to a subscriber.
///
/// ```
/// changes of the file ──► list of ≤ 200 ──► peer wants some ──► queue ──► rev ──► response: complete
/// ```
///
/// `@unchecked Sendable`: every variable is used only on the serial queue of the link.
final class RevisionSender: @unchecked Sendable {
  /// The messages that offer changes.
  enum Mode {
    /// `proposeChanges`, by an active peer.
    case propose
    /// `changes`, by a passive peer.
    case announce
  }

  /// Determines which changes are sent.
  struct Options {
    var documentIDs: Set<ExactString>?
    /// Whether to omit documents that were deleted before the first read. Later deletions are sent, because they may be
    /// deletions of documents that were sent before.
    var skipsDeleted = false
    /// The maximum number of changes in a list.
    var batchSize = 200
    /// Whether a conflict is reported when the peer refuses the change, because nothing is pulled that could resolve
    /// it.
    var reportsConflicts = false
  }

  private enum Limits {
    static let listCount = 5
    static let queueCount = 600
    /// The maximum size in bytes of the bodies that are read before they can be sent.
    static let loadedSize = 8 << 20
    /// The number of entries to which version vectors are reduced. Peers refuse properties of more than 100 kB.
    static let vectorCount = 1000
    static let attemptCount = 10
  }

  /// A change that is being sent.
  private struct Change {
    let revision: ReplicaRevision
    /// The version that the peer presumably has.
    var known: Version?
    var attempts = 0
    var sequence: UInt64 { revision.sequence }
    var id: String { revision.id }
    /// The id, compared by bytes, as the databases do.
    var key: ExactString { ExactString(revision.id) }
  }

  /// The sequences of complete changes, which the peer has or does not want.
  private(set) var completed: SequenceSet
  /// The number of changes that were read, and how many of them are complete. Both are reported as progress.
  private(set) var readCount: UInt64 = 0
  private(set) var doneCount: UInt64 = 0
  /// Whether the peer refused a change with a transient status, so that the change remains incomplete.
  private(set) var isIncomplete = false
  /// The blobs that the peer may request, by digest: those of revisions that it has not yet acknowledged.
  private(set) var offeredBlobs: [String: Int] = [:]

  var onError: (any Error) -> Void = { _ in }
  /// Called when a document was sent or could not be sent.
  var onDocument: (ReplicatedDocumentEvent) -> Void = { _ in }

  /// Called with the sequence that the peer assigned to a revision, if the peer reports it.
  var onPeerSequence: (UInt64) -> Void = { _ in }

  private let link: MessageLink
  private let collection: any ReplicaCollection
  private let index: Int?
  private let mode: Mode
  private let options: Options

  private var position: UInt64
  /// The last sequence whose deletion is omitted; nil before the first read.
  private var lastSkipped: UInt64?
  private var isCaughtUp = false
  private var hasAnnouncedEnd = false
  private var listCount = 0
  private var queue = FIFO<Change>()
  /// The sizes in bytes of the bodies in ``queue`` and in lists that have not been answered.
  private var queuedSize = 0
  private var offeredSize = 0
  private var proposals: [Change] = []
  /// Whether this sender is waiting until the peer has answered revisions of other collections or of this one.
  private var isWaitingForRoom = false
  /// The documents that have an unfinished proposed change, each with a later change to the same document, if any.
  private var unfinished: [ExactString: Change?] = [:]
  /// The number of announced changes that are unfinished.
  private var announcedCount = 0
  /// The changes that conflict with revisions of the peer or belong to documents with unresolved conflicts.
  private(set) var waiting: [ExactString: (sequence: UInt64, isDeleted: Bool)] = [:]
  private var isStopped = false
  /// Whether the peer finds blobs in the bodies of documents. Sync Gateway needs `_attachments`.
  private var peerFindsBlobs = false

  init(
    _ link: MessageLink, _ collection: any ReplicaCollection, index: Int?, mode: Mode, completed: SequenceSet,
    options: Options
  ) {
    self.link = link
    self.collection = collection
    self.index = index
    self.mode = mode
    self.completed = completed
    self.options = options
    position = completed.completedThrough
  }

  /// Whether all changes have been read, and all lists and revisions have been answered.
  var isIdle: Bool {
    isCaughtUp && listCount == 0 && unfinished.isEmpty && proposals.isEmpty && announcedCount == 0
  }

  /// Sends the changes that were committed since the last read.
  func start() {
    isCaughtUp = false
    advance()
  }

  func stop() { isStopped = true }

  /// Records that the peer has a change because the peer sent it.
  func markComplete(_ sequence: UInt64, id: String) {
    completed.insert(sequence)
    // A revision from the peer replaces an earlier one that conflicted with it.
    let key = ExactString(id)
    if let earlier = waiting[key], earlier.sequence < sequence {
      waiting[key] = nil
      completed.insert(earlier.sequence)
    }
  }

  /// Proposes a change that is waiting again, unless its document still has a conflict. If a result was stored, it has
  /// a later sequence and replaces the change when it is read.
  func didResolveConflicts(of id: String) throws {
    let key = ExactString(id)
    guard !isStopped, mode == .propose, let sequence = waiting[key]?.sequence, sequence > 0,
      let revision = try collection.changes(after: sequence - 1, limit: 1).revisions.first,
      revision.sequence == sequence, !revision.hasConflict
    else { return }
    waiting[key] = nil
    let change = Change(revision: revision, known: RevisionSender.assumedVersion(revision.vector))
    if begin(change) { proposals.append(change) }
  }

  /// Records a change as unfinished. It replaces an earlier change to the document that has not been proposed yet.
  ///
  /// - Returns: false if the change must wait for an earlier one to the same document, which has been proposed.
  private func begin(_ change: Change) -> Bool {
    guard let later = unfinished[change.key] else {
      unfinished[change.key] = .some(nil)
      return true
    }
    if let later { complete(later.sequence) }
    unfinished[change.key] = .some(change)
    return false
  }

  // MARK: Reading

  private func advance() {
    // On a closed link, every request ends immediately, so all changes would be read.
    guard !isStopped, !link.isClosed else { return }
    do {
      while !proposals.isEmpty, listCount < Limits.listCount { offer(takeProposals()) }
      while !isCaughtUp, listCount < Limits.listCount, queue.count < Limits.queueCount,
        queuedSize + offeredSize < Limits.loadedSize
      { try read() }
    } catch {
      isStopped = true
      return onError(error)
    }
    sendRevisions()
    if isIdle, !hasAnnouncedEnd, mode == .announce {
      hasAnnouncedEnd = true
      link.send(message("changes", body: RemoteChanges.body([])))
    }
  }

  private func takeProposals() -> [Change] {
    let taken = proposals.prefix(options.batchSize)
    proposals.removeFirst(taken.count)
    return Array(taken)
  }

  private func read() throws {
    if options.skipsDeleted, lastSkipped == nil {
      lastSkipped = try collection.changes(after: UInt64(Int64.max), limit: 1).last
    }
    let changes = try collection.changes(after: position, limit: options.batchSize)
    var list: [Change] = []
    for revision in changes.revisions where revision.sequence > position {
      // The sequences between two documents belonged to earlier revisions, which no longer exist.
      completed.insert((position + 1)..<revision.sequence)
      position = revision.sequence
      guard !completed.contains(revision.sequence) else { continue }
      guard try isWanted(revision) else {
        completed.insert(revision.sequence)
        continue
      }
      readCount += 1
      let key = ExactString(revision.id)
      if let earlier = waiting.removeValue(forKey: key) { complete(earlier.sequence) }
      if revision.hasConflict, mode == .propose {
        waiting[key] = (revision.sequence, revision.isDeleted)
        continue
      }
      let change = Change(revision: revision, known: RevisionSender.assumedVersion(revision.vector))
      if mode == .announce {
        // Changes are announced in sequence order, because a peer that has everything up to a sequence stores it in its
        // checkpoint. If an earlier revision of the document arrives late, the peer has already stored this one.
        announcedCount += 1
        list.append(change)
      } else if begin(change) {
        list.append(change)
      }
    }
    if changes.isComplete {
      completed.insert((position + 1)..<(max(position, changes.last) + 1))
      position = max(position, changes.last)
      isCaughtUp = true
    }
    if !list.isEmpty {
      hasAnnouncedEnd = false
      offer(list)
    }
  }

  private func isWanted(_ revision: ReplicaRevision) throws -> Bool {
    if let ids = options.documentIDs, !ids.contains(ExactString(revision.id)) { return false }
    if revision.isDeleted, let lastSkipped, revision.sequence <= lastSkipped { return false }
    return try collection.shouldSend(revision)
  }

  /// Returns the version that the peer probably has: the latest one by another author. If the guess is wrong, the peer
  /// rejects the change and returns its version.
  private static func assumedVersion(_ vector: VersionVector) -> Version? {
    vector.entries.dropFirst().first { $0.author != vector.current.author }
  }

  // MARK: Offering

  private func offer(_ list: [Change]) {
    listCount += 1
    offeredSize += RevisionSender.size(list)
    switch mode {
    case .propose:
      let body = ProposedChanges.body(
        list.map {
          ProposedChange(id: $0.id, version: $0.revision.vector.current, known: $0.known, size: $0.revision.body.count)
        })
      var request = message("proposeChanges", body: body)
      request.properties["conflictIncludesRev"] = "true"
      link.send(request) { [weak self] response in self?.didPropose(list, response) }
    case .announce:
      let body = RemoteChanges.body(
        list.compactMap { change in
          RemoteSequence(change.sequence).map {
            RemoteChange(
              sequence: $0, id: change.id, version: change.revision.vector.current,
              flags: change.revision.isDeleted ? .deleted : [], size: change.revision.body.count)
          }
        })
      link.send(message("changes", body: body)) { [weak self] response in self?.didAnnounce(list, response) }
    }
  }

  private static func size(_ list: [Change]) -> Int { list.reduce(0) { $0 + $1.revision.body.count } }

  private func enqueue(_ change: Change) {
    queue.append(change)
    queuedSize += change.revision.body.count
  }

  private func didPropose(_ list: [Change], _ response: Message?) {
    if let response { peerFindsBlobs = response.properties.boolean("blobs") }
    handle(response, to: list, ProposedChanges.parseResponse) { change, status in
      switch status {
      case .wanted: enqueue(change)
      case .exists: finish(change)
      case .conflict(let current): handleConflict(change, current)
      case .refused(let code): reject(change, code)
      }
    }
  }

  private func didAnnounce(_ list: [Change], _ response: Message?) {
    handle(response, to: list, RemoteChanges.parseResponse) { change, answer in
      switch answer {
      case .wanted: enqueue(change)
      case .unwanted: finish(change)
      case .refused(let code): reject(change, code)
      }
    }
  }

  /// Handles the answer to each change of a list.
  private func handle<Answer>(
    _ response: Message?, to list: [Change], _ parse: ([UInt8], Int) throws -> [Answer],
    _ handleAnswer: (Change, Answer) -> Void
  ) {
    guard let response = accepted(response, to: list) else { return }
    do {
      for (change, answer) in zip(list, try parse(response.body, list.count)) { handleAnswer(change, answer) }
      advance()
    } catch {
      onError(error)
    }
  }

  private func reject(_ change: Change, _ code: Int) {
    fail(change, ReplicaError(status: code, "the peer rejected the document"))
  }

  /// Returns the response to a list; nil if the connection was closed or the peer rejected the list.
  private func accepted(_ response: Message?, to list: [Change]) -> Message? {
    listCount -= 1
    offeredSize -= RevisionSender.size(list)
    guard let response, !isStopped else { return nil }
    if let error = response.errorCode {
      onError(
        ReplicationError.peer(domain: error.domain, code: error.code, String(decoding: response.body, as: UTF8.self)))
      return nil
    }
    return response
  }

  /// Proposes a change again if its version vector includes the peer's version. Otherwise, the change waits until the
  /// conflicting revision has been pulled.
  private func handleConflict(_ change: Change, _ current: Version?) {
    var change = change
    change.attempts += 1
    if let current, change.revision.vector.includes(current), change.attempts < Limits.attemptCount {
      change.known = current
      proposals.append(change)
      return
    }
    // A later change to the document replaces this one, for example after the conflict was resolved.
    if let later = unfinished[change.key], later != nil { return finish(change) }
    unfinished[change.key] = nil
    waiting[change.key] = (change.sequence, change.revision.isDeleted)
    if options.reportsConflicts { reportConflict(change.id, isDeleted: change.revision.isDeleted) }
  }

  /// Reports the changes that are still waiting because the peer's revisions were not pulled.
  func failWaiting() {
    for (key, change) in waiting { reportConflict(key.text, isDeleted: change.isDeleted) }
    waiting = [:]
  }

  private func reportConflict(_ id: String, isDeleted: Bool) {
    onDocument(
      ReplicatedDocumentEvent(
        id: id, isPush: true, isDeleted: isDeleted,
        error: ReplicaError(
          status: 409, "the document \"\(id)\" conflicts with a revision of the peer; pull it to resolve the conflict"
        )))
  }

  // MARK: Revisions

  private func sendRevisions() {
    while !isWaitingForRoom, let change = queue.first {
      guard link.revisions.take(change.revision.body.count) else { return waitForRoom() }
      _ = queue.popFirst()
      queuedSize -= change.revision.body.count
      send(change)
    }
  }

  private func waitForRoom() {
    isWaitingForRoom = true
    link.revisions.wait { [weak self] in
      guard let self else { return }
      isWaitingForRoom = false
      // Not only `sendRevisions`: the shorter queue allows further changes to be read.
      advance()
    }
  }

  private func send(_ change: Change) {
    let revision = change.revision
    let blobs = revision.isDeleted ? [] : (try? collection.blobs(in: revision.body)) ?? []
    for blob in blobs { offeredBlobs[blob, default: 0] += 1 }
    let onResponse: (Message?) -> Void = { [weak self, revisions = link.revisions] response in
      // Also if this sender no longer exists, because the peer has unsubscribed.
      defer { revisions.release(revision.body.count) }
      guard let self else { return }
      for blob in blobs {
        offeredBlobs[blob, default: 1] -= 1
        if offeredBlobs[blob] == 0 { offeredBlobs[blob] = nil }
      }
      didSend(change, response)
    }
    if link.sendsRevisions {
      link.send(revision, message("rev", body: []), onResponse: onResponse)
    } else {
      link.send(message(for: revision, hasBlobs: !blobs.isEmpty), onResponse: onResponse)
    }
  }

  private func message(for revision: ReplicaRevision, hasBlobs: Bool) -> Message {
    let needsAttachments = hasBlobs && mode == .propose && !peerFindsBlobs
    let body = needsAttachments ? GatewayBody.addingAttachments(to: revision.body) : revision.body
    var message = message("rev", body: body, flags: link.flags(forBodyOf: body.count))
    message.properties.append("id", revision.id)
    message.properties.append("rev", revision.vector.current.text())
    message.properties.append("sequence", String(revision.sequence))
    let history = revision.vector.pruned(to: Limits.vectorCount).restText()
    if !history.isEmpty { message.properties.append("history", history) }
    // The peer refuses the revision if the document was changed after it had been proposed.
    if mode == .propose { message.properties.append("noconflicts", "true") }
    if revision.isDeleted {
      message.properties.append("deleted", "1")
      message.body = Array("{}".utf8)
    }
    return message
  }

  private func didSend(_ change: Change, _ response: Message?) {
    guard let response, !isStopped else { return }
    guard let error = response.errorCode else {
      if let sequence = response.properties["sequence"].flatMap({ UInt64($0) }) { onPeerSequence(sequence) }
      onDocument(
        ReplicatedDocumentEvent(id: change.id, isPush: true, isDeleted: change.revision.isDeleted, error: nil))
      finish(change)
      return advance()
    }
    if error.code == 409, mode == .propose {
      handleConflict(change, nil)
    } else {
      fail(change, ReplicaError(status: error.code, String(decoding: response.body.prefix(1000), as: UTF8.self)))
    }
    advance()
  }

  /// Ends the transmission of a change with an error. The change remains incomplete if a later attempt may succeed.
  private func fail(_ change: Change, _ error: ReplicaError) {
    onDocument(
      ReplicatedDocumentEvent(id: change.id, isPush: true, isDeleted: change.revision.isDeleted, error: error))
    if error.isTransient { isIncomplete = true }
    finish(change, isComplete: !error.isTransient)
  }

  private func finish(_ change: Change, isComplete: Bool = true) {
    if isComplete { complete(change.sequence) }
    guard mode == .propose else {
      announcedCount -= 1
      return
    }
    guard let later = unfinished.removeValue(forKey: change.key), let later else { return }
    unfinished[change.key] = .some(nil)
    proposals.append(later)
  }

  private func complete(_ sequence: UInt64) {
    completed.insert(sequence)
    doneCount += 1
  }

  private func message(_ profile: String, body: [UInt8], flags: MessageFlags = []) -> Message {
    var message = Message(flags: flags, properties: ["Profile": profile], body: body)
    if let index { message.properties.append("collection", String(index)) }
    return message
  }
}
