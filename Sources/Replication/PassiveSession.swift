import BLIP
public import Foundation
import JSONText

/// The passive side of a replication, which serves the requests of an active peer.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue of the link.
public final class PassiveSession: @unchecked Sendable {
  /// The callbacks of a session. They are called on its queue.
  public struct Events: Sendable {
    /// Called when the session starts (true) or stops (false) processing messages.
    public var activityChanged: @Sendable (Bool) -> Void = { _ in }
    /// Called with the index of a collection and a document in it that was received or sent.
    public var document: @Sendable (Int, ReplicatedDocumentEvent) -> Void = { _, _ in }
    /// Called with an error of the database that closes the connection. The peer receives a description without
    /// details.
    public var failed: @Sendable (ReplicationTransportError) -> Void = { _ in }
    /// Called when the connection is closed, with an error unless it was closed normally.
    public var closed: @Sendable (ReplicationTransportError?) -> Void = { _ in }

    /// Creates callbacks that do nothing.
    public init() {}
  }

  /// The property of the response to `getCollections` that marks peers of this library.
  static let ownPeerProperty = "concordance"

  private let link: MessageLink
  private let database: any ReplicaDatabase
  private let collections: [any ReplicaCollection]
  private let isReadOnly: Bool
  private let events: Events
  private let blobs: BlobFetcher
  private let blobServer: BlobServer
  /// The collections by their index in messages. The index is nil if the peer does not use collections.
  private var states: [Int?: PassiveCollection] = [:]
  /// The ids under which the checkpoints of the peer are stored, by the ids that the peer has chosen. Empty if the peer
  /// does not use collections: it replicates the default one, which cannot be deleted.
  private var checkpointIDs: [String: String] = [:]
  /// The ids of the checkpoints that the peer has stored.
  private var storedCheckpoints: Set<String> = []
  private var isActive = false

  /// Creates a session on a transport that has not been started.
  ///
  /// - Parameters:
  ///   - collections: the collections that the peer may access.
  ///   - isReadOnly: whether pushed revisions are rejected.
  public init(
    _ transport: any ReplicationTransport, database: any ReplicaDatabase, collections: [any ReplicaCollection],
    isReadOnly: Bool, queue: DispatchQueue, events: Events
  ) throws {
    link = try MessageLink(transport, on: queue)
    self.database = database
    self.collections = collections
    self.isReadOnly = isReadOnly
    self.events = events
    let proofs = BlobProofs(link, database)
    blobs = BlobFetcher(link, database, proofs)
    blobServer = BlobServer(link: link, database: database, proofs: proofs)
  }

  /// Starts the transport.
  public func start() {
    link.queue.async { [self] in
      link.callbacks.request = { [self] in
        reportActivity(true)
        handle($0)
      }
      link.callbacks.drained = { [self] in reportActivity() }
      link.callbacks.failed = { [self] in fail($0) }
      link.callbacks.closed = { [self] in didClose($0) }
      link.start()
    }
  }

  /// Closes the connection.
  public func close(code: Int, reason: String) { link.close(code: code, reason: reason) }

  private func didClose(_ closure: TransportClosure) {
    for state in states.values {
      state.sender?.stop()
      state.receiver?.stop()
      state.observation = nil
    }
    states = [:]
    switch closure {
    case .closed(let code, let reason, _):
      let isNormal = code == 1000 || code == 1001
      events.closed(
        isNormal
          ? nil
          : ReplicationTransportError(code: 10_000 + code, message: "the connection was closed: \(code) \(reason)"))
    case .failed(let error): events.closed(error)
    }
  }

  private func reportActivity() {
    let isBusy = states.values.contains { state in
      !(state.sender?.isIdle ?? true) || !(state.receiver?.isIdleForPassiveSide ?? true)
    }
    if !isBusy { reportActivity(false) }
  }

  private func reportActivity(_ isActive: Bool) {
    guard self.isActive != isActive else { return }
    self.isActive = isActive
    events.activityChanged(isActive)
  }

  private func fail(_ error: any Error) {
    guard !(error is ReplicationError) else {
      return link.fail(ReplicationTransportError(code: 11_002, message: "\(error)"), closeCode: 1002)
    }
    let failure = database.transportError(error)
    // After 4001, the active peer connects again later.
    let closeCode = failure.isTransient ? 4001 : 1011
    if !link.isClosed { events.failed(failure) }
    link.fail(
      ReplicationTransportError(code: 10_000 + closeCode, message: failure.message), closeCode: closeCode,
      reason: database.descriptionForPeer(of: error))
  }

  // MARK: Requests

  private func handle(_ request: MessageLink.Request) {
    switch request.profile {
    case "getCollections": return getCollections(request)
    case PeerCollections.profile:
      return link.respond(to: request, Message(.response, body: PeerCollections.body(collections.map(\.path))))
    case "getCheckpoint": return getCheckpoint(request)
    case "setCheckpoint": return setCheckpoint(request)
    case "getAttachment": return blobServer.handleRequest(request, offered: senders)
    case "proveAttachment": return blobServer.handleProof(request, offered: senders)
    case "subChanges", "unsubChanges", "changes", "proposeChanges", "rev", "norev": break
    default:
      return link.respond(
        to: request, .error(domain: "BLIP", code: 404, "there is no handler for the message"))
    }
    guard let state = state(of: request) else { return }
    switch request.profile {
    case "subChanges": subscribe(request, state)
    case "unsubChanges":
      state.sender?.stop()
      state.sender = nil
      // Otherwise, it would restart the sender of a later subscription that is not continuous.
      state.observation = nil
      link.respond(to: request, Message(.response))
    case "changes": receiver(of: state, request).handleChanges(request)
    case "proposeChanges": receiver(of: state, request).handleProposal(request)
    case "rev": receiver(of: state, request).handleRevision(request)
    // It is sent only to subscribers.
    default: break
    }
  }

  private var senders: [RevisionSender] { states.values.compactMap(\.sender) }

  /// Returns the collection that a request is for. If there is none, responds with an error and returns nil.
  private func state(of request: MessageLink.Request) -> PassiveCollection? {
    if let text = request.properties["collection"] {
      if let index = Int(text), let state = states[index] { return state }
    } else if states.isEmpty, let collection = collections.firstIndex(where: { $0.path == "_default" }) {
      // The peer does not use collections.
      let state = PassiveCollection(collections[collection], position: collection)
      states[nil] = state
      return state
    } else if let state = states[nil] {
      return state
    }
    link.respond(
      to: request, .error(domain: "HTTP", code: 400, "the message has no valid collection index"))
    return nil
  }

  private func receiver(of state: PassiveCollection, _ request: MessageLink.Request) -> RevisionReceiver {
    if let receiver = state.receiver { return receiver }
    let receiver = RevisionReceiver(
      link, state.collection, index: request.properties["collection"].flatMap { Int($0) }, remote: nil,
      isReadOnly: isReadOnly, since: nil, blobs: blobs)
    receiver.onError = { [weak self] in self?.fail($0) }
    // The state refers to the receiver, so a strong reference back to it would never be released.
    receiver.onDocument = { [weak self, position = state.position] in self?.events.document(position, $0) }
    receiver.onInserted = { [weak state] sequence, id in state?.sender?.markComplete(sequence, id: id) }
    receiver.drained = { [weak self] in self?.reportActivity() }
    state.receiver = receiver
    return receiver
  }

  private func getCollections(_ request: MessageLink.Request) {
    let body = try? MessageBody.value(request.message.body)
    guard states.isEmpty, case .array(let ids)? = body?["checkpoint_ids"],
      case .array(let names)? = body?["collections"],
      !names.isEmpty, ids.count == names.count, ids.allSatisfy({ $0.string != nil }),
      Set(names.compactMap { $0.string.map(CollectionPath.path) }).count == names.count
    else {
      return link.respond(
        to: request, .error(domain: "BLIP", code: 400, "the lists of collections and checkpoints are invalid"))
    }
    do {
      var writer = JSONWriter()
      try writer.array { list in
        for (index, (id, name)) in zip(ids, names).enumerated() {
          guard let position = collections.firstIndex(where: { $0.path == CollectionPath.path(name.string ?? "") })
          else {
            list.writeNull()
            continue
          }
          states[index] = PassiveCollection(collections[position], position: position)
          let checkpoint = id.string ?? ""
          let storedID = try collections[position].peerCheckpointID(checkpoint)
          checkpointIDs[checkpoint] = storedID
          let stored = try database.peerCheckpoint(storedID)
          list.write(rawJSON: PassiveSession.entry(stored))
        }
      }
      link.respond(
        to: request, Message(.response, properties: [PassiveSession.ownPeerProperty: "1"], body: writer.bytes))
    } catch {
      fail(error)
    }
  }

  /// Returns a checkpoint with its revision. Couchbase Lite reads the key `rev`; Sync Gateway writes `_rev`.
  private static func entry(_ stored: (revision: Int64, body: [UInt8])?) -> [UInt8] {
    var writer = JSONWriter()
    let members: [JSONMember]
    if let stored, case .object(let found)? = try? MessageBody.value(stored.body) {
      members = found
    } else {
      members = []
    }
    writer.object { object in
      for member in members where member.key != "rev" && member.key != "_rev" {
        object.member(member.key) { $0.write(member.value) }
      }
      if let stored {
        object.member("rev", revisionText(stored.revision))
        object.member("_rev", revisionText(stored.revision))
      }
    }
    return writer.bytes
  }

  private static func revisionText(_ revision: Int64) -> String { "\(revision)-cc" }

  private func getCheckpoint(_ request: MessageLink.Request) {
    guard let client = request.properties["client"] else {
      return link.respond(to: request, .error(domain: "BLIP", code: 400, "the request has no property \"client\""))
    }
    do {
      guard let stored = try database.peerCheckpoint(checkpointIDs[client] ?? client) else {
        return link.respond(to: request, .error(domain: "HTTP", code: 404, "there is no such checkpoint"))
      }
      link.respond(
        to: request,
        Message(
          .response, properties: ["rev": PassiveSession.revisionText(stored.revision)], body: stored.body))
    } catch {
      fail(error)
    }
  }

  private func setCheckpoint(_ request: MessageLink.Request) {
    guard let client = request.properties["client"], (1...1000).contains(client.utf8.count),
      request.message.body.count <= 1 << 20, case .object? = try? MessageBody.value(request.message.body)
    else {
      return link.respond(to: request, .error(domain: "BLIP", code: 400, "the checkpoint is invalid"))
    }
    // A peer has one checkpoint for each collection.
    guard storedCheckpoints.contains(client) || storedCheckpoints.count < max(1, states.count) else {
      return link.respond(
        to: request, .error(domain: "HTTP", code: 403, "there are more checkpoints than collections"))
    }
    let expected = request.properties["rev"].map { Int64($0.prefix { $0 != "-" }) ?? -1 } ?? 0
    do {
      let storedID = checkpointIDs[client] ?? client
      guard let revision = try database.setPeerCheckpoint(storedID, request.message.body, replacing: expected) else {
        return link.respond(to: request, .error(domain: "HTTP", code: 409, "the checkpoint was changed"))
      }
      storedCheckpoints.insert(client)
      link.respond(
        to: request, Message(.response, properties: ["rev": PassiveSession.revisionText(revision)]))
    } catch {
      fail(error)
    }
  }

  private func subscribe(_ request: MessageLink.Request, _ state: PassiveCollection) {
    guard request.properties["filter"] == nil else {
      return link.respond(to: request, .error(domain: "LiteCore", code: 19, "filters are not supported"))
    }
    if let versioning = request.properties["versioning"], versioning != "version-vectors" {
      return link.respond(
        to: request, .error(domain: "LiteCore", code: 501, "the database uses version vectors"))
    }
    guard state.sender == nil else {
      return link.respond(to: request, .error(domain: "HTTP", code: 400, "the peer is already subscribed"))
    }
    var options = RevisionSender.Options()
    options.skipsDeleted = request.properties.boolean("activeOnly")
    if let size = request.properties["batch"].flatMap({ Int($0) }), size > 0 {
      options.batchSize = min(max(size, 10), 200)
    }
    guard request.message.body.count <= MessageBody.maximumSize else {
      return link.respond(
        to: request,
        .error(domain: "HTTP", code: 413, "the list of ids has more than \(MessageBody.maximumSize) bytes"))
    }
    do {
      options.documentIDs = try PassiveSession.documentIDs(in: request.message.body)
    } catch {
      return link.respond(to: request, .error(domain: "BLIP", code: 400, "\(error)"))
    }
    let since = request.properties["since"].flatMap(RemoteSequence.init(text:))?.number ?? 0
    let sender = RevisionSender(
      link, state.collection, index: request.properties["collection"].flatMap { Int($0) }, mode: .announce,
      completed: SequenceSet(through: since), options: options)
    sender.onError = { [weak self] in self?.fail($0) }
    sender.onDocument = { [weak self, position = state.position] in self?.events.document(position, $0) }
    state.sender = sender
    link.respond(to: request, Message(.response))
    do {
      if request.properties.boolean("continuous") {
        state.observation = try state.collection.observeChanges { [weak self, weak state] in
          guard let self, let state else { return }
          link.perform { state.sender?.start() }
        }
      }
      sender.start()
    } catch {
      fail(error)
    }
  }
}

extension PassiveSession {
  /// Returns the ids of the documents that a peer subscribes to; nil for all. A malformed body is an error, because the
  /// peer would otherwise receive documents that it did not ask for.
  private static func documentIDs(in body: [UInt8]) throws(ReplicationError) -> Set<ExactString>? {
    guard !body.isEmpty else { return nil }
    let value = try MessageBody.value(body)
    guard case .object = value else { throw .malformedMessage("the body of subChanges is not an object") }
    guard let list = value["docIDs"] else { return nil }
    guard case .array(let items) = list, items.allSatisfy({ $0.string != nil }) else {
      throw .malformedMessage("the docIDs of subChanges are not an array of strings")
    }
    return Set(items.compactMap(\.string).map { ExactString($0) })
  }
}

/// `@unchecked Sendable`: used only on the serial queue of the link.
private final class PassiveCollection: @unchecked Sendable {
  let collection: any ReplicaCollection
  let position: Int
  var sender: RevisionSender?
  var receiver: RevisionReceiver?
  var observation: (any Sendable)?

  init(_ collection: any ReplicaCollection, position: Int) {
    self.collection = collection
    self.position = position
  }
}
