public import GRDB
import GRDBSQLite
import Synchronization

/// The time limit of one request, such as a query or a search.
///
/// ```swift
/// try Deadline.run(request.timeout, of: "search") {
///   try store.read { db in … }
/// }
/// ```
///
/// SQLite asks the deadline whether to go on while it runs statements on the connections of the request; loops of ours call
/// ``check()``. Threads of a ``ReadCrew`` have the deadline of the thread that they help.
public final class Deadline: Sendable {
  /// The deadline of the request that this thread is working on; nil for none.
  @TaskLocal public static var current: Deadline?
  /// The connections whose statements are limited, the last one first installed by this thread at the end.
  @TaskLocal private static var installed: [Installation] = []

  private struct Installation: Sendable {
    let connection: UInt
    let deadline: Deadline
  }

  /// Operations of SQLite's virtual machine between two looks at the clock: a fraction of a millisecond.
  private static let operationCount: Int32 = 1000

  private let limit: Duration
  private let subject: String
  private let start: ContinuousClock.Instant
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The deadline of the request that this one is a part of.
  private let outer: Deadline?
  private let hasInterrupted = Atomic(false)
  private let suspensionCount = Atomic(0)

  /// Starts the time.
  ///
  /// - Parameters:
  ///   - limit: how long the request may take. With zero or less, its time is over at once.
  ///   - subject: what the request is, for the message of the error: "query".
  ///   - now: the clock.
  public init(
    _ limit: Duration, of subject: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limit = limit
    self.subject = subject
    self.now = now
    outer = Deadline.current
    start = now()
  }

  /// Runs a request that may take no longer than `limit`.
  ///
  /// - Parameter limit: nil for no limit.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/timeout`` once the time is over; what `body` throws.
  public static func run<T>(_ limit: Duration?, of subject: String, _ body: () throws -> T) throws -> T {
    guard let limit else { return try body() }
    return try run(Deadline(limit, of: subject), body)
  }

  /// Runs a request, or a part of one that began earlier, with its deadline.
  public static func run<T>(_ deadline: Deadline?, _ body: () throws -> T) throws -> T {
    guard let deadline else { return try body() }
    return try $current.withValue(deadline) {
      try deadline.check()
      do {
        return try body()
      } catch  where deadline.hasInterrupted.load(ordering: .relaxed) {
        // However the layers in between report that SQLite was interrupted.
        throw deadline.expired?.error ?? error
      }
    }
  }

  /// Throws once the time of the request that this thread works on is over.
  public static func check() throws { try current?.check() }

  /// Throws once the time is over.
  public func check() throws {
    if let expiration { throw expiration }
  }

  /// The error of a request whose time is over; nil as long as it is not.
  public var expiration: StoreError? { expired?.error }

  /// How much time is left, zero or less once it is over.
  public var remaining: Duration {
    let own = limit - (now() - start)
    return min(own, outer?.remaining ?? own)
  }

  /// Runs `body` with a connection whose statements end when the time of the current request is over.
  static func enforce<T>(_ deadline: Deadline?, on db: Database, _ body: () throws -> T) throws -> T {
    guard let deadline, let connection = db.sqliteConnection else { return try body() }
    let number = UInt(bitPattern: connection)
    let previous = installed.last { $0.connection == number }?.deadline
    if previous === deadline { return try body() }
    deadline.install(on: connection)
    defer {
      if let previous { previous.install(on: connection) } else { sqlite3_progress_handler(connection, 0, nil, nil) }
    }
    return try $installed.withValue(installed + [Installation(connection: number, deadline: deadline)]) {
      try run(deadline, body)
    }
  }

  /// Runs `body`, which writes: interrupting a change would roll back all of the caller's transaction.
  static func suspending<T>(_ body: () throws -> T) throws -> T {
    guard let current else { return try body() }
    current.suspensionCount.add(1, ordering: .relaxed)
    defer { current.suspensionCount.subtract(1, ordering: .relaxed) }
    return try body()
  }

  private var expired: Deadline? { now() - start >= limit ? self : outer?.expired }

  private var error: StoreError {
    StoreError(
      .timeout,
      "the \(subject) took longer than its time limit of \(limit); narrow it down, or set a longer timeout")
  }

  private func install(on connection: OpaquePointer) {
    // The caller keeps the deadline as long as it is installed.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      connection, Deadline.operationCount,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().interrupts() ? 1 : 0
      }, context)
  }

  private func interrupts() -> Bool {
    guard suspensionCount.load(ordering: .relaxed) == 0, expired != nil else { return false }
    hasInterrupted.store(true, ordering: .relaxed)
    return true
  }
}
