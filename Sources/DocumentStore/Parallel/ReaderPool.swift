import Foundation
public import GRDB

/// The threads of one read: the caller's and its helpers, all of which see the same state of the file.
///
/// ```swift
/// try store.readInParallel { db, readerPool in
///   try readerPool.map(count: ranges.count, on: db) { part, db in try rows(in: ranges[part], db) } deliver: {
///     found += $0
///     return true
///   }
/// }
/// ```
///
/// The first ``map(count:on:_:deliver:)`` with more than one part requests helpers, so a read that has no work for them
/// costs nothing extra. Before the caller's transaction begins, ``StateWatch`` reports the state of the file. If it
/// reports the same state after a helper's transaction has begun, there was no commit in between, so both see the same
/// state. Otherwise the helper leaves, and the other threads process its share. The caller never waits for a helper to
/// start.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`.
public final class ReaderPool: @unchecked Sendable {
  private let condition = NSCondition()
  private var state = State()

  private struct State {
    /// Whether helpers were requested.
    var hasRequestedHelpers = false
    var isFinished = false
    /// The number of helpers inside their transaction.
    var activeHelperCount = 0
    var task: (number: Int, run: @Sendable (Database) -> Void)?
    var taskCount = 0
  }

  /// Requests helpers; nil if this read has no helpers.
  private let requestHelpers: ((ReaderPool) -> Void)?

  /// Creates the pool of one read.
  ///
  /// - Parameter requestHelpers: requests helpers, each of which calls ``join()``; nil if the read has no helpers.
  init(requestHelpers: ((ReaderPool) -> Void)?) { self.requestHelpers = requestHelpers }

  /// Calls `work` with each part number below `count`, on any thread. Calls `deliver` with the results, in the order of
  /// the parts and on this thread, until it returns false.
  ///
  /// Parts are started at most 64 ahead of the first undelivered one, and none while results of 64 MiB or more wait for
  /// delivery, so memory is bounded.
  ///
  /// - Parameters:
  ///   - count: the number of parts.
  ///   - db: the caller's connection.
  ///   - sizeOf: returns the approximate size of a result in bytes; nil if results are small.
  ///   - work: returns the result of one part; receives the connection of its thread.
  ///   - deliver: receives a result and returns whether to continue.
  /// - Throws: The error that `work` throws for the first part that fails, after the results before it have been
  ///   delivered; any error that `deliver` throws; `CancellationError` if the operation of the caller's thread
  ///   (``Interruption``) was interrupted.
  public func map<Result: Sendable>(
    count: Int, on db: Database, sizeOf: (@Sendable (Result) -> Int)? = nil,
    _ work: @escaping @Sendable (Int, Database) throws -> Result, deliver: (Result) throws -> Bool
  ) throws {
    try map(count: count, on: db, sizeOf: sizeOf, state: { $0 }, work, deliver: deliver)
  }

  /// Calls `work` with each part number below `count` and the state of its thread, such as a prepared statement.
  /// Otherwise the same as the method without states.
  ///
  /// - Parameters:
  ///   - makeState: returns the state of a thread; receives its connection. Each thread calls it before its first part,
  ///     and releases the state inside its transaction when there are no more parts.
  public func map<ThreadState, Result: Sendable>(
    count: Int, on db: Database, sizeOf: (@Sendable (Result) -> Int)? = nil,
    state makeState: @escaping @Sendable (Database) throws -> ThreadState,
    _ work: @escaping @Sendable (Int, ThreadState) throws -> Result, deliver: (Result) throws -> Bool
  ) throws {
    let deadline = Deadline.current
    let interruption = Interruption.current
    // Helpers need both. Otherwise they would finish their parts even though the caller should stop, and this call
    // waits for them before it returns.
    let parts = OrderedParallelTask<Result>(count: count, sizeOf: sizeOf) { db in
      var known: ThreadState?
      return { part in
        try Interruption.$current.withValue(interruption) { () throws -> Result in
          try Interruption.check()
          return try Deadline.run(deadline) { () throws -> Result in
            let state = try known ?? makeState(db)
            known = state
            return try work(part, state)
          }
        }
      }
    }
    let task: @Sendable (Database) -> Void = { db in parts.runAll(on: db) }
    let needsHelpers = condition.withLock {
      state.taskCount += 1
      state.task = (state.taskCount, task)
      condition.broadcast()
      defer { if count > 1 { state.hasRequestedHelpers = true } }
      return count > 1 && !state.hasRequestedHelpers
    }
    if needsHelpers { requestHelpers?(self) }
    defer {
      condition.withLock { state.task = nil }
      parts.cancel()
    }
    let ownWork = parts.makeWork(db)
    while let result = try parts.next(ownWork) {
      guard try deliver(result) else { return }
    }
  }

  // MARK: The caller's side

  /// Signals that there is no more work. Returns when no helper is working.
  func finish() {
    condition.withLock {
      state.isFinished = true
      condition.broadcast()
      while state.activeHelperCount > 0 { condition.wait() }
    }
  }

  // MARK: The helpers' side

  /// Signals that a helper has begun its transaction, which sees the same state as the caller's.
  ///
  /// - Returns: Whether there may be work.
  func join() -> Bool {
    condition.withLock {
      guard !state.isFinished else { return false }
      state.activeHelperCount += 1
      return true
    }
  }

  /// Processes tasks until there are no more.
  func work(on db: Database) {
    var done = 0
    while true {
      let task = condition.withLock { () -> (@Sendable (Database) -> Void)? in
        while !state.isFinished {
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

  /// Signals that a helper has left its transaction.
  func leave() {
    condition.withLock {
      state.activeHelperCount -= 1
      condition.broadcast()
    }
  }
}
