import Replication

/// The events and the state of a ``Replicator``.
extension Replicator {
  /// The activity of a replicator.
  public enum ActivityLevel: UInt8, Sendable {
    /// It has not been started, has finished, or has failed.
    case stopped = 0
    /// The connection was lost. The replicator tries again later.
    case offline
    /// It is connecting to the peer.
    case connecting
    /// All changes have been exchanged. The replicator waits for further changes.
    case idle
    /// Changes are being exchanged.
    case busy
  }

  /// The progress of a replicator.
  public struct Progress: Sendable, Hashable {
    /// The number of changes that have been exchanged.
    public let completed: UInt64
    /// The number of known changes, which grows while changes are read.
    public let total: UInt64
  }

  /// The status of a replicator.
  public struct Status: Sendable {
    /// What the replicator is doing.
    public let activity: ActivityLevel
    /// The progress. Only the ratio of the two numbers is meaningful; both are 0 if no changes are known yet.
    public let progress: Progress
    /// The error that stopped the replicator, or the last error of the connection; nil if there was none.
    public let error: CBLError?
    /// The next attempt to connect, if the replicator is offline because the last one failed.
    @_spi(Command) public var retry: Retry?
  }

  /// An attempt to connect that follows a failed one.
  @_spi(Command) public struct Retry: Sendable {
    /// The number of consecutive failed attempts.
    public let failureCount: UInt64
    /// The number of failed attempts after which the replicator stops; nil if it is unlimited.
    public let maximumAttempts: UInt64?
    /// The time between the last attempt and the next one, in seconds.
    public let delay: Double

    init(_ retry: ActiveReplication.Retry) {
      failureCount = retry.failureCount
      maximumAttempts = retry.maximumAttempts > UInt64(UInt32.max) ? nil : retry.maximumAttempts
      delay = retry.delay
    }
  }
}

/// A status change of a ``Replicator``.
public struct ReplicatorChange: Sendable {
  /// The replicator.
  public let replicator: Replicator
  /// The new status of the replicator.
  public let status: Replicator.Status
}

/// Documents that a ``Replicator`` has sent or received, or failed to transfer.
public struct DocumentReplication: Sendable {
  /// The replicator.
  public let replicator: Replicator
  /// Whether the documents were sent; otherwise they were received.
  public let isPush: Bool
  /// The documents.
  public let documents: [ReplicatedDocument]
}

/// A document that was replicated.
public struct ReplicatedDocument: Sendable {
  /// The id of the document.
  public let id: String
  /// The name of the scope of its collection.
  public let scope: String
  /// The name of its collection.
  public let collection: String
  /// Whether the document was deleted or the user lost access to it.
  public let flags: DocumentFlags
  /// The error that prevented the replication of the document; nil if it was replicated.
  public let error: CBLError?

  init(_ event: ReplicatedDocumentEvent, in collection: Collection) {
    id = event.id
    scope = collection.scope.name
    self.collection = collection.name
    flags = event.isDeleted ? .deleted : event.isAccessRemoved ? .accessRemoved : []
    error = event.error.map { CBLError($0.code, $0.message) }
  }
}
