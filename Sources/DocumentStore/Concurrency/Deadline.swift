public import SQLiteAccess
import Synchronization

/// The time limit of one request, such as a query or a search.
///
/// ```swift
/// try Deadline.run(request.timeout, of: "search") {
///   try store.read { db in … }
/// }
/// ```
///
/// SQLite checks the deadline of the thread while it runs a statement (``StatementInterruption``); long loops in Swift
/// call ``check()``. Functions that SQLite calls count their work with a ``LongCall``. The threads of a
/// ``ReaderPool`` have the deadline of the thread that they help.
public final class Deadline: Sendable {
  /// The deadline of the request that this thread is working on; nil for none.
  @TaskLocal public static var current: Deadline?

  private let limit: Duration
  private let subject: String
  private let start: ContinuousClock.Instant
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The deadline of the enclosing request.
  private let outer: Deadline?
  private let hasInterrupted = Atomic(false)

  /// Starts the time limit.
  ///
  /// - Parameters:
  ///   - limit: the time that the request may take. If it is not positive, the deadline has passed already.
  ///   - subject: the name of the request in the error message: "query".
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
  /// - Parameter limit: the time limit; nil for none.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/timeout`` when the limit is exceeded; any error that `body`
  ///   throws.
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
        let result = try body()
        // Exceeding the limit is an error even if `body` has returned.
        try deadline.check()
        return result
      } catch  where deadline.hasInterrupted.load(ordering: .relaxed) {
        // An interrupted statement ends with an SQLite error, which other layers may have translated.
        throw deadline.expired?.error ?? error
      }
    }
  }

  /// Throws if the deadline of this thread's request has passed.
  public static func check() throws { try current?.check() }

  /// Throws if the deadline has passed.
  public func check() throws {
    if let expiration { throw expiration }
  }

  /// The error of a request whose deadline has passed, otherwise nil.
  public var expiration: StoreError? { expired?.error }

  /// The remaining time, not positive if the deadline has passed.
  public var remaining: Duration {
    let own = limit - (now() - start)
    return min(own, outer?.remaining ?? own)
  }

  /// Runs `body`, which writes, without a limit: interrupting a change would roll back its whole transaction.
  static func withoutLimit<T>(_ body: () throws -> T) rethrows -> T { try $current.withValue(nil, operation: body) }

  private var expired: Deadline? { now() - start >= limit ? self : outer?.expired }

  private var error: StoreError {
    StoreError(
      .timeout,
      "the \(subject) took longer than its time limit of \(limit); narrow it down, or set a longer timeout")
  }

  /// Returns whether a running statement should end.
  func interrupts() -> Bool {
    guard expired != nil else { return false }
    hasInterrupted.store(true, ordering: .relaxed)
    return true
  }
}
