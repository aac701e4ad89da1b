import Foundation

/// Receives the results of a ``ConflictResolutionQueue``. The methods are called on the queue of the replication.
protocol ConflictResolutionDelegate: AnyObject, Sendable {
  /// Whether the replication ends without further attempts to resolve conflicts.
  var isStopping: Bool { get }
  /// Called after a document was added.
  func conflictCountDidIncrease()
  /// Called when the resolution of a document has ended.
  ///
  /// - Parameters:
  ///   - position: the position of the collection.
  ///   - id: the id of the document.
  ///   - resolution: the result; nil if there was no conflict, or if an error has occurred.
  ///   - event: the event for the program; nil if there was no conflict.
  func didResolveConflicts(
    _ position: Int, _ id: String, _ resolution: ConflictResolution?, _ event: ReplicatedDocumentEvent?)
  /// Called after a document was removed.
  func conflictCountDidDecrease()
}

/// The documents whose conflicts a replication must resolve. Several are resolved at the same time, because the
/// program's conflict resolver may block.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue of the replication.
final class ConflictResolutionQueue: @unchecked Sendable {
  private struct UnresolvedDocument {
    let position: Int
    let id: String
    var attempts: UInt64 = 0
  }

  weak var delegate: (any ConflictResolutionDelegate)?

  private let collections: [ReplicatedCollection]
  private let database: any ReplicaDatabase
  private let options: ReplicationOptions
  private let clock: any ReplicationClock
  private let queue: DispatchQueue
  private let resolvers = DispatchQueue(label: "concordance.resolvers", attributes: .concurrent)
  private static let maximumResolverCount = 4
  private static let maximumResolverAttempts: UInt64 = 5

  /// The documents that wait for a resolver.
  private var waiting = FIFO<UnresolvedDocument>()
  private var hasReadStored = false
  /// The number of documents whose conflicts are being resolved, including those in ``postponed``.
  private var resolvingCount = 0
  /// The documents whose conflicts could not be resolved because the database was busy, by a number.
  private var postponed: [UInt64: UnresolvedDocument] = [:]
  private var lastPostponed: UInt64 = 0

  /// - Parameter queue: the queue of the replication.
  init(
    of collections: [ReplicatedCollection], _ database: any ReplicaDatabase, _ options: ReplicationOptions,
    clock: any ReplicationClock, queue: DispatchQueue
  ) {
    self.collections = collections
    self.database = database
    self.options = options
    self.clock = clock
    self.queue = queue
  }

  /// The number of documents.
  var count: Int { resolvingCount + waiting.count }

  /// Whether there are no documents.
  var isEmpty: Bool { resolvingCount == 0 && waiting.isEmpty }

  /// Adds the documents whose conflicts earlier runs have left. Does nothing after the first call that succeeds.
  func readStored() throws {
    guard !hasReadStored else { return }
    var found: [(Int, String)] = []
    for (position, collection) in collections.enumerated() where options.pulls {
      found += try collection.collection.conflicts().map { (position, $0) }
    }
    hasReadStored = true
    for (position, id) in found { add(position, id) }
  }

  /// Adds a document.
  ///
  /// - Parameter position: the position of its collection.
  func add(_ position: Int, _ id: String) {
    guard let delegate else { return }
    waiting.append(UnresolvedDocument(position: position, id: id))
    delegate.conflictCountDidIncrease()
    resolveNext(delegate)
  }

  /// Removes the documents that wait or are postponed.
  func discardWaiting() {
    waiting = FIFO()
    resolvingCount -= postponed.count
    postponed = [:]
  }

  private func resolveNext(_ delegate: any ConflictResolutionDelegate) {
    while resolvingCount < ConflictResolutionQueue.maximumResolverCount, let document = waiting.popFirst() {
      resolvingCount += 1
      resolve(document, delegate)
    }
  }

  /// Resolves the conflicts of a document on another thread, which keeps the replication alive.
  private func resolve(_ document: UnresolvedDocument, _ delegate: any ConflictResolutionDelegate) {
    let collection = collections[document.position].collection
    resolvers.async { [self] in
      let result = Result { try collection.resolveConflicts(document.id) }
      queue.async { [self] in didResolve(document, result, delegate) }
    }
  }

  private func didResolve(
    _ document: UnresolvedDocument, _ result: Result<ConflictResolution?, any Error>,
    _ delegate: any ConflictResolutionDelegate
  ) {
    let (position, id) = (document.position, document.id)
    switch result {
    case .success(let resolution):
      let event = resolution.map {
        ReplicatedDocumentEvent(id: id, isPush: false, isDeleted: $0.isDeleted, error: nil)
      }
      delegate.didResolveConflicts(position, id, resolution, event)
    case .failure(let error):
      guard !postpone(document, after: error, delegate) else { return }
      let reported = error as? ReplicaError ?? ReplicaError(status: 409, "\(error)")
      // Other conflicts of the document may have been resolved before.
      delegate.didResolveConflicts(
        position, id, nil, ReplicatedDocumentEvent(id: id, isPush: false, isDeleted: false, error: reported))
    }
    resolvingCount -= 1
    resolveNext(delegate)
    delegate.conflictCountDidDecrease()
  }

  /// Schedules another attempt to resolve the conflicts of a document if the database is busy.
  ///
  /// - Returns: whether an attempt was scheduled.
  private func postpone(
    _ document: UnresolvedDocument, after error: any Error, _ delegate: any ConflictResolutionDelegate
  ) -> Bool {
    var document = document
    document.attempts += 1
    guard !delegate.isStopping, document.attempts < ConflictResolutionQueue.maximumResolverAttempts,
      !(error is ReplicaError), database.transportError(error).isTransient
    else { return false }
    lastPostponed += 1
    let number = lastPostponed
    postponed[number] = document
    clock.schedule(after: ActiveReplication.delay(document.attempts, options.maximumWait), on: queue) { [weak self] in
      // It is nil if the replication was stopped.
      if let self, let delegate = self.delegate, let document = postponed.removeValue(forKey: number) {
        resolve(document, delegate)
      }
    }
    return true
  }
}
