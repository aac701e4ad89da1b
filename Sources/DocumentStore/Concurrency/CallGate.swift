import Foundation

/// Admits calls until it is closed. Closing waits until no call is in progress.
///
/// GRDB's pool does not synchronize closing with reads that begin at the same time, such as those of timers and live
/// queries.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
final class CallGate: @unchecked Sendable {
  private let condition = NSCondition()
  private var callCount = 0
  private var state = State.open

  private enum State {
    case open, closing, closed
  }

  /// Begins a call. If it returns true, the caller must call ``leave()``.
  ///
  /// - Returns: False if the gate is closed or being closed.
  func enter() -> Bool {
    condition.withLock {
      guard state == .open else { return false }
      callCount += 1
      return true
    }
  }

  /// Ends a call.
  func leave() {
    condition.withLock {
      callCount -= 1
      if callCount == 0 { condition.broadcast() }
    }
  }

  /// Waits until no call is in progress, calls `body`, and stays closed unless `body` throws. Has no effect if the gate
  /// is already closed; if another thread is closing it, waits for that thread.
  ///
  /// Must not be called between ``enter()`` and ``leave()`` on the same thread, which would deadlock.
  func close(_ body: () throws -> Void) throws {
    let isFirst = condition.withLock {
      while state == .closing { condition.wait() }
      guard state == .open else { return false }
      state = .closing
      while callCount > 0 { condition.wait() }
      return true
    }
    guard isFirst else { return }
    var result = State.open
    defer {
      condition.withLock {
        state = result
        condition.broadcast()
      }
    }
    try body()
    result = .closed
  }
}
