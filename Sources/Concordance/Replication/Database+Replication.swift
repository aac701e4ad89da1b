/// A replication with the API of the developer builds of Couchbase Lite. New programs should use ``Replicator``.
///
/// ```swift
/// let replication = database.replication(with: DatabaseEndpoint(database: backup))
/// replication.pull = false
/// try replication.start()
/// ```
///
/// Not `Sendable`: use it on one thread at a time.
public final class Replication {
  /// Whether local changes are sent: true by default.
  public var push = true
  /// Whether changes from the peer are received: true by default.
  public var pull = true
  /// Whether the replication waits for further changes: false by default.
  public var continuous = false
  /// The replicator that ``start()`` created; nil before the first start.
  public private(set) var replicator: Replicator?

  private let database: Database
  private let target: any Endpoint

  init(_ database: Database, _ target: any Endpoint) {
    self.database = database
    self.target = target
  }

  /// Starts a replication of the default collection and returns immediately. Does nothing if ``push`` and ``pull`` are
  /// false.
  ///
  /// - Throws: the same errors as ``Replicator/init(config:)``.
  public func start() throws {
    guard push || pull else { return }
    var config = ReplicatorConfiguration(
      collections: [CollectionConfiguration(collection: try database.defaultCollection())], target: target)
    config.replicatorType = push ? (pull ? .pushAndPull : .push) : .pull
    config.continuous = continuous
    replicator?.stop()
    let replicator = try Replicator(config: config)
    self.replicator = replicator
    replicator.start()
  }

  /// Stops the replication.
  public func stop() { replicator?.stop() }
}

extension Database {
  /// Returns a replication of the default collection, which has not been started.
  ///
  /// - Parameter target: the peer.
  public func replication(with target: any Endpoint) -> Replication { Replication(self, target) }
}
