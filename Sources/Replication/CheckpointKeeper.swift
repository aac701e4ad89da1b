import BLIP
import JSONText

/// Determines the checkpoint at which the replication of a collection starts, and stores later ones: first on the peer,
/// then in the database.
///
/// Not `Sendable`: it is used only on the queue of its link.
final class CheckpointKeeper {
  /// The checkpoint to start from.
  private(set) var initial = Checkpoint()
  /// Returns the checkpoint to store.
  var progress: () -> Checkpoint = { Checkpoint() }
  var onError: (any Error) -> Void = { _ in }
  /// Called if the peer does not store a checkpoint. The replication continues.
  var onRefusal: (ReplicationError) -> Void = { _ in }

  /// A checkpoint is not stored if its revision on the peer is still wrong after this many attempts.
  private static let maximumAttemptCount = 3

  private let id: String
  private let link: MessageLink
  private let database: any ReplicaDatabase
  private let clock: any ReplicationClock
  private var peerRevision: String?
  private var saved: Checkpoint?
  private var isSaving = false
  /// Called after the checkpoint was stored that is being stored now.
  private var afterSaving: [() -> Void] = []

  init(_ id: String, _ link: MessageLink, _ database: any ReplicaDatabase, _ clock: any ReplicationClock) {
    self.id = id
    self.link = link
    self.database = database
    self.clock = clock
  }

  /// Determines ``initial``. A change counts as complete only if both peers have recorded that it is.
  ///
  /// - Parameters:
  ///   - members: the peer's checkpoint.
  ///   - resets: whether to start from the beginning.
  func compare(with members: [JSONMember], resets: Bool) throws {
    peerRevision = (members.first { $0.key == "rev" } ?? members.first { $0.key == "_rev" })?.value.string
    guard !resets, let local = try database.checkpoint(id).flatMap({ Checkpoint(json: $0) }) else { return }
    var writer = JSONWriter()
    writer.write(JSONValue.object(members))
    guard let remote = Checkpoint(json: writer.bytes), members.contains(where: { $0.key == "local" }) else { return }
    initial = local == remote ? local : local.intersection(with: remote)
    if local == remote { saved = local }
  }

  /// Stores the progress if it has changed. Does nothing while a checkpoint is being stored.
  func save() { if !isSaving { store {} } }

  /// Stores the progress if it has changed, after the checkpoint that is being stored, and calls `completion`.
  func saveLast(_ completion: @escaping () -> Void) {
    guard isSaving else { return store(completion) }
    afterSaving.append { [weak self] in self?.store(completion) }
  }

  private func store(_ completion: @escaping () -> Void) {
    let checkpoint = progress()
    guard checkpoint != saved else { return completion() }
    isSaving = true
    store(checkpoint, attempt: 1) { [weak self] in
      guard let self else { return }
      isSaving = false
      completion()
      let waiting = afterSaving
      afterSaving = []
      for action in waiting { action() }
    }
  }

  private func store(_ checkpoint: Checkpoint, attempt: Int, _ completion: @escaping () -> Void) {
    let body = checkpoint.json(time: clock.now)
    var request = Message(properties: ["Profile": "setCheckpoint", "client": id], body: body)
    if let revision = peerRevision { request.properties["rev"] = revision }
    link.send(request) { [weak self] response in
      guard let self, let response else { return }
      guard let error = response.errorCode else {
        peerRevision = response.properties["rev"]
        saved = checkpoint
        do { try database.setCheckpoint(id, body) } catch { return onError(error) }
        return completion()
      }
      // The peer's checkpoint has another revision, for example because the peer was restored from a backup.
      guard error.code == 409, attempt < CheckpointKeeper.maximumAttemptCount else {
        let reason = String(decoding: response.body.prefix(1000), as: UTF8.self)
        onRefusal(.peer(domain: error.domain, code: error.code, reason))
        return completion()
      }
      link.send(Message(properties: ["Profile": "getCheckpoint", "client": id])) { [weak self] response in
        guard let self, let response else { return }
        peerRevision = response.errorCode == nil ? response.properties["rev"] : nil
        store(checkpoint, attempt: attempt + 1, completion)
      }
    }
  }
}
