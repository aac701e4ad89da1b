import Foundation
import GRDB

/// A connection for reading that its owner keeps between two reads.
///
/// GRDB's pool takes one sixth of the time of a short search to get a connection and to compare the version of the
/// schema, for a cache that this library does not use.
///
/// `@unchecked Sendable`: `outer` needs no lock, because only the thread that took the connection from
/// ``ReaderConnections`` accesses it.
final class ReaderConnection: @unchecked Sendable {
  /// The connections that this one belongs to.
  let owner: ObjectIdentifier
  private let queue: DatabaseQueue
  /// The connection to another file whose read contains the current read; nil if no such read is open.
  private var outer: ReaderConnection?

  private static let key = DispatchSpecificKey<Reference>()

  /// The connection of a dispatch queue. A strong reference would keep the connection and its queue alive.
  private struct Reference: Sendable {
    unowned let connection: ReaderConnection
  }

  init(_ location: String, _ settings: Configuration, owner: ObjectIdentifier) throws {
    self.owner = owner
    var settings = settings
    let target = DispatchQueue(label: "concordance.reader")
    settings.targetQueue = target
    settings.readonly = true
    // The time that GRDB's pool waits for a lock, for example while another process recovers the write-ahead log.
    settings.busyMode = .timeout(10)
    queue = try DatabaseQueue(path: location, configuration: settings)
    target.setSpecific(key: ReaderConnection.key, value: Reference(connection: self))
  }

  /// The innermost connection whose read runs on the current dispatch queue, or nil. It is nil, for example, if the
  /// body of a read runs a block of another queue, because GRDB terminates the process if a connection is used there.
  static var current: ReaderConnection? { DispatchQueue.getSpecific(key: key)?.connection }

  /// This connection and those whose reads contain its read.
  var nested: some Sequence<ReaderConnection> { sequence(first: self) { $0.outer } }

  /// Calls `body` with the connection, which this thread has taken.
  func read<T>(_ body: (Database) throws -> T) rethrows -> T {
    outer = ReaderConnection.current
    defer { outer = nil }
    return try queue.unsafeRead(body)
  }

  /// Makes a connection the current one of a queue while `body` runs on it, for a write inside a read.
  static func carry<T>(_ outer: ReaderConnection?, to queue: DispatchQueue, _ body: () throws -> T) rethrows -> T {
    guard let outer else { return try body() }
    queue.setSpecific(key: key, value: Reference(connection: outer))
    defer { queue.setSpecific(key: key, value: nil) }
    return try body()
  }

  /// Closes the connection, which must not be in use.
  ///
  /// - Returns: false if a statement still exists; the connection is then closed when it is released.
  func close() -> Bool { (try? queue.close()) != nil }

  /// Calls `body` with the connection inside its read.
  func readAgain<T>(_ body: (Database) throws -> T) rethrows -> T { try queue.unsafeReentrantRead(body) }
}

/// The connections for reading that are kept for the next read, at most one for each processor.
///
/// Further concurrent reads use GRDB's pool, which limits the number of connections.
final class ReaderConnections: Sendable {
  private struct State {
    var idle: [ReaderConnection] = []
    /// The number of connections, idle or in use.
    var count = 0
  }

  private let location: String
  private let settings: Configuration
  private let maximumCount: @Sendable () -> Int
  private let state = Locked(State())

  init(
    _ location: String, _ settings: Configuration, maximumCount: @escaping @autoclosure @Sendable () -> Int
  ) {
    self.location = location
    self.settings = settings
    self.maximumCount = maximumCount
  }

  /// Returns a connection that no other thread uses; nil if the maximum number is in use. The caller must pass it to
  /// ``putBack(_:)``.
  func take() throws -> ReaderConnection? {
    let (known, isAllowed) = state.withLock { state -> (ReaderConnection?, Bool) in
      if let known = state.idle.popLast() { return (known, true) }
      guard state.count == 0 || state.count < maximumCount() else { return (nil, false) }
      state.count += 1
      return (nil, true)
    }
    guard known == nil, isAllowed else { return known }
    do { return try ReaderConnection(location, settings, owner: ObjectIdentifier(self)) } catch {
      state.withLock { $0.count -= 1 }
      throw error
    }
  }

  /// Keeps a connection for the next read.
  func putBack(_ connection: ReaderConnection) { state.withLock { $0.idle.append(connection) } }

  /// The connection of these whose read runs on the current dispatch queue, or contains a read of another file that
  /// does; nil outside such a read.
  var current: ReaderConnection? {
    ReaderConnection.current?.nested.first { $0.owner == ObjectIdentifier(self) }
  }

  /// Closes all connections. None may be in use.
  func close() {
    let open = state.withLock { state in
      defer { state = State() }
      return state.idle
    }
    // Closed outside the lock. They are released with this object: Dispatch releases their queues on threads that it
    // starts.
    let closed = open.filter { $0.close() }
    state.withLock { $0.idle = closed }
  }
}
