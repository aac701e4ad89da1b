package import PostgresAccess
import Synchronization

/// The connections to one server of a database. A transaction takes one and returns it when it ends.
package final class ConnectionPool: Sendable {
  /// The address.
  package let address: String
  private let settings: PostgresSettings
  private let idle = Mutex<[Lease]>([])

  /// The maximum number of idle connections.
  private static let maximumIdleCount = 8

  /// Creates a pool without connections.
  package init(_ address: String, _ settings: PostgresSettings) {
    self.address = address
    self.settings = settings
  }

  /// Returns an idle connection or a new one.
  ///
  /// - Throws: `PostgresError`.
  package func take() throws -> PostgresConnection {
    if let lease = idle.withLock({ $0.popLast() }) { return lease.connection }
    return try PostgresConnection(address, settings)
  }

  /// Returns a connection, which is closed if it is inside a transaction or was lost.
  package func put(_ connection: PostgresConnection) {
    connection.checkInterruption = {}
    guard connection.isConnected, !connection.isInTransaction else { return }
    let lease = Lease(connection: connection)
    idle.withLock { if $0.count < ConnectionPool.maximumIdleCount { $0.append(lease) } }
  }

  /// Closes the idle connections.
  package func removeAll() { idle.withLock { $0 = [] } }
}

/// A connection, whose holder is its only user.
///
/// `@unchecked Sendable`: it is in the list of idle connections, which is accessed under its lock, or is used by the
/// transaction that took it.
private struct Lease: @unchecked Sendable {
  let connection: PostgresConnection
}
