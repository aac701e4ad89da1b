import Foundation
import GRDB

/// A task whose parts are processed by several threads and whose results are delivered in order.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`.
final class OrderedParallelTask<Result: Sendable>: @unchecked Sendable {
  /// Returns the result of a part. It may have state, so each thread has its own.
  typealias Work = (Int) throws -> Result

  /// Returns the work of a thread with this connection.
  let makeWork: @Sendable (Database) -> Work
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
  ///   - count: the number of parts.
  ///   - sizeOf: returns the approximate size of a result in bytes; nil if results are small.
  ///   - makeWork: returns the work of a thread; receives its connection.
  init(
    count: Int, sizeOf: (@Sendable (Result) -> Int)?, _ makeWork: @escaping @Sendable (Database) -> Work
  ) {
    self.makeWork = makeWork
    self.sizeOf = sizeOf
    state = State(window: ResultWindow(count: count))
  }

  /// Processes parts, each after waiting until the window has room for it, until there are no more or the task is
  /// cancelled.
  func runAll(on db: Database) {
    let work = makeWork(db)
    while let part = claim() { run(part, work) }
  }

  /// Returns the next result in order; nil after the last. Processes parts on this thread until the result is
  /// available.
  ///
  /// - Parameter work: the work of this thread.
  func next(_ work: Work) throws -> Result? {
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
      case .run(let part): run(part, work)
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

  private func run(_ part: Int, _ work: Work) {
    let result = Swift.Result { try work(part) }
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
