import Foundation
public import GRDB

/// The threads of one read: the caller's and those that help it, all of which see the same state of the file.
///
/// ```swift
/// try store.readInParallel { db, crew in
///   try crew.map(count: ranges.count, on: db) { part, db in try rows(in: ranges[part], db) } deliver: { found += $0; return true }
/// }
/// ```
///
/// A helper opens a connection of its own and notes its `PRAGMA data_version` before the caller's transaction begins. If the number
/// is the same once the helper's own transaction has begun, nobody committed in between, so both see the same state. Otherwise the
/// helper leaves, and the others do its share. No helper is waited for.
///
/// `@unchecked Sendable`: `state` is reached only under the lock of `condition`.
public final class ReadCrew: @unchecked Sendable {
  private let condition = NSCondition()
  private var state = State()

  private struct State {
    /// Helpers that have noted the version and wait for the caller's transaction.
    var waiting = 0
    /// Helpers that were asked and did not answer yet.
    var expected = 0
    var hasStarted = false
    var isOver = false
    /// Helpers that are inside their transaction.
    var present = 0
    var task: (number: Int, run: @Sendable (Database) -> Void)?
    var taskCount = 0
  }

  init() {}

  /// Calls `work` with each part number below `count`, in any thread, and `deliver` with the results, in the order of the
  /// parts and in this thread, until it returns false.
  ///
  /// At most 64 results wait for those before them, so memory is bounded.
  ///
  /// - Parameters:
  ///   - count: how many parts there are.
  ///   - db: the caller's connection.
  ///   - work: makes the result of one part, with the connection of the thread that it runs in.
  ///   - deliver: takes a result and returns whether to go on.
  /// - Throws: what `work` throws for the first part that fails, once those before it are delivered; what `deliver` throws.
  public func map<Result: Sendable>(
    count: Int, on db: Database, _ work: @escaping @Sendable (Int, Database) throws -> Result,
    deliver: (Result) throws -> Bool
  ) throws {
    let deadline = Deadline.current
    let parts = OrderedParts(count: count) { part, db in
      try Deadline.run(deadline) { try work(part, db) }
    }
    let task: @Sendable (Database) -> Void = { db in while parts.runNext(db) {} }
    condition.withLock {
      state.taskCount += 1
      state.task = (state.taskCount, task)
      condition.broadcast()
    }
    defer {
      condition.withLock { state.task = nil }
      parts.cancel()
    }
    while let result = try parts.next(on: db) {
      guard try deliver(result) else { return }
    }
  }

  // MARK: The caller's side

  func expect(_ helpers: Int) { condition.withLock { state.expected += helpers } }

  /// Waits for the helpers to note the version of the file, but not for long: one may have to wait for a connection.
  func awaitHelpers() {
    let deadline = Date(timeIntervalSinceNow: 0.01)
    condition.withLock {
      while state.waiting < state.expected, condition.wait(until: deadline) {}
    }
  }

  /// The caller's transaction has begun.
  func start() {
    condition.withLock {
      state.hasStarted = true
      condition.broadcast()
    }
  }

  /// There is no more work. Returns when no helper is inside of any.
  func dismiss() {
    condition.withLock {
      state.isOver = true
      condition.broadcast()
      while state.present > 0 { condition.wait() }
    }
  }

  // MARK: The helpers' side

  /// A helper has noted the version.
  ///
  /// - Returns: whether the caller's transaction began after it.
  func reportForWork() -> Bool {
    condition.withLock {
      guard !state.hasStarted, !state.isOver else { return false }
      state.waiting += 1
      condition.broadcast()
      while !state.hasStarted, !state.isOver { condition.wait() }
      guard !state.isOver else { return false }
      state.present += 1
      return true
    }
  }

  /// Does tasks until there will be no more.
  func work(on db: Database) {
    var done = 0
    while true {
      let task = condition.withLock { () -> (@Sendable (Database) -> Void)? in
        while !state.isOver {
          if let task = state.task, task.number > done {
            done = task.number
            return task.run
          }
          condition.wait()
        }
        return nil
      }
      guard let task else { return }
      task(db)
    }
  }

  /// A helper that reported for work has left its transaction.
  func leave() {
    condition.withLock {
      state.present -= 1
      condition.broadcast()
    }
  }
}
