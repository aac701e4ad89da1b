import Foundation
import GRDB

/// A task whose parts are processed by several threads and whose results are delivered in order.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`.
final class OrderedParallelTask<Result: Sendable>: @unchecked Sendable {
  private let count: Int
  private let work: @Sendable (Int, Database) throws -> Result
  private let condition = NSCondition()
  private var state = State()

  /// The maximum number of parts that may be started ahead of the first undelivered one.
  private static var window: Int { 64 }

  private struct State {
    var nextToRun = 0
    var nextToDeliver = 0
    var running = 0
    var isCancelled = false
    var results: [Int: Swift.Result<Result, any Error>] = [:]
  }

  /// The next step of the caller's thread.
  private enum Step {
    case result(Swift.Result<Result, any Error>)
    case run(Int)
    case end
  }

  init(count: Int, _ work: @escaping @Sendable (Int, Database) throws -> Result) {
    self.count = count
    self.work = work
  }

  /// Processes the next part, after waiting until the window has room for it.
  ///
  /// - Returns: False if there are no more parts or the task was cancelled.
  func runNext(_ db: Database) -> Bool {
    guard let part = claim() else { return false }
    run(part, db)
    return true
  }

  /// Returns the next result in order; nil after the last. Processes parts on this thread until the result is
  /// available.
  func next(on db: Database) throws -> Result? {
    while true {
      try Interruption.check()
      let step: Step = condition.withLock {
        while true {
          if state.nextToDeliver >= count { return .end }
          if let result = state.results.removeValue(forKey: state.nextToDeliver) {
            state.nextToDeliver += 1
            condition.broadcast()
            return .result(result)
          }
          if let part = claimLocked() { return .run(part) }
          condition.wait()
        }
      }
      switch step {
      case .result(let result): return try result.get()
      case .end: return nil
      case .run(let part): run(part, db)
      }
    }
  }

  /// Cancels the task, and waits until no thread is processing a part.
  func cancel() {
    condition.withLock {
      state.isCancelled = true
      condition.broadcast()
      while state.running > 0 { condition.wait() }
    }
  }

  private func claim() -> Int? {
    condition.withLock {
      while !state.isCancelled, state.nextToRun < count {
        if let part = claimLocked() { return part }
        condition.wait()
      }
      return nil
    }
  }

  private func claimLocked() -> Int? {
    guard !state.isCancelled, state.nextToRun < count,
      state.nextToRun < state.nextToDeliver + OrderedParallelTask.window
    else { return nil }
    defer { state.nextToRun += 1 }
    state.running += 1
    return state.nextToRun
  }

  private func run(_ part: Int, _ db: Database) {
    let result = Swift.Result { try work(part, db) }
    condition.withLock {
      state.results[part] = result
      state.running -= 1
      condition.broadcast()
    }
  }
}
