import Foundation
import GRDB

/// A task whose parts are processed by several threads and whose results are delivered in order.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`.
final class OrderedParallelTask<Result: Sendable>: @unchecked Sendable {
  private let work: @Sendable (Int, Database) throws -> Result
  private let sizeOf: (@Sendable (Result) -> Int)?
  private let condition = NSCondition()
  private var state: State

  private struct State {
    var window: ResultWindow
    var running = 0
    var isCancelled = false
    var results: [Int: Finished] = [:]
  }

  /// The result of a part and its size.
  private struct Finished {
    let result: Swift.Result<Result, any Error>
    let size: Int
  }

  /// The next step of the caller's thread.
  private enum Step {
    case result(Swift.Result<Result, any Error>)
    case run(Int)
    case end
  }

  /// - Parameters:
  ///   - count: The number of parts.
  ///   - sizeOf: Returns the approximate size of a result in bytes; nil if results are small.
  ///   - work: Returns the result of one part; receives the connection of its thread.
  init(
    count: Int, sizeOf: (@Sendable (Result) -> Int)?, _ work: @escaping @Sendable (Int, Database) throws -> Result
  ) {
    self.work = work
    self.sizeOf = sizeOf
    state = State(window: ResultWindow(count: count))
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
          if state.window.isDelivered { return .end }
          if let finished = state.results.removeValue(forKey: state.window.nextToDeliver) {
            state.window.deliver(size: finished.size)
            condition.broadcast()
            return .result(finished.result)
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
      while !state.isCancelled, !state.window.isStarted {
        if let part = claimLocked() { return part }
        condition.wait()
      }
      return nil
    }
  }

  private func claimLocked() -> Int? {
    guard !state.isCancelled, let part = state.window.start() else { return nil }
    state.running += 1
    return part
  }

  private func run(_ part: Int, _ db: Database) {
    let result = Swift.Result { try work(part, db) }
    var size = 0
    if let sizeOf, case .success(let output) = result { size = sizeOf(output) }
    let finished = Finished(result: result, size: size)
    condition.withLock {
      state.results[part] = finished
      state.window.add(size: size)
      state.running -= 1
      condition.broadcast()
    }
  }
}
