/// The options of an active peer.
public struct ReplicationOptions: Sendable {
  /// Whether local changes are sent.
  public var pushes = true
  /// Whether the peer's changes are received.
  public var pulls = true
  /// Whether the replication keeps running and waits for further changes.
  public var isContinuous = false
  /// Whether documents are purged that the user may no longer read on the server.
  public var purgesRevoked = true
  /// The maximum number of consecutive attempts to connect.
  public var maximumAttempts: UInt64 = 10
  /// The maximum time between two attempts, in seconds.
  public var maximumWait: Double = 300

  /// Creates the default options.
  public init() {}
}
