import Synchronization

/// The time limit of one request, such as a query or a search.
///
/// ```swift
/// try Deadline.run(request.timeout, of: "search") {
///   try store.read { db in … }
/// }
/// ```
///
/// SQLite asks the deadline of the thread while it runs a statement, see ``StatementInterruption``; loops of ours call ``check()``.
/// Threads of a ``ReadCrew`` have the deadline of the thread that they help.
public final class Deadline: Sendable {
  /// The deadline of the request that this thread is working on; nil for none.
  @TaskLocal public static var current: Deadline?

  private let limit: Duration
  private let subject: String
  private let start: ContinuousClock.Instant
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The deadline of the request that this one is a part of.
  private let outer: Deadline?
  private let hasInterrupted = Atomic(false)

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
        let result = try body()
        // A single call of a function is not interrupted: what took too long is an error even if it has ended by now.
        try deadline.check()
        return result
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

  /// Runs `body`, which writes, without a limit: interrupting a change would roll back all of its transaction.
  static func withoutLimit<T>(_ body: () throws -> T) rethrows -> T { try $current.withValue(nil, operation: body) }

  private var expired: Deadline? { now() - start >= limit ? self : outer?.expired }

  private var error: StoreError {
    StoreError(
      .timeout,
      "the \(subject) took longer than its time limit of \(limit); narrow it down, or set a longer timeout")
  }

  /// Whether a statement that is running should end.
  func interrupts() -> Bool {
    guard expired != nil else { return false }
    hasInterrupted.store(true, ordering: .relaxed)
    return true
  }
}
