public import Foundation

/// The clock of a replication, which tests replace.
public protocol ReplicationClock: Sendable {
  /// The system time in seconds since 1970.
  var now: Int64 { get }
  /// Calls `body` on a queue after a delay in seconds. The call may be late but is never early.
  func schedule(after seconds: Double, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
}

/// The system clock.
public struct SystemReplicationClock: ReplicationClock {
  /// Creates the clock.
  public init() {}

  public var now: Int64 { Int64(Foundation.time(nil)) }

  public func schedule(after seconds: Double, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + seconds, execute: body)
  }
}
