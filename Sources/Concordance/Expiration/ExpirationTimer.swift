import DocumentStore
import Foundation

/// Purges documents when they expire. No timer runs if no document has an expiration.
final class ExpirationTimer: Sendable {
  /// Two timers of which the first that fires cancels the other.
  private struct Timers {
    /// Fires at a time of the system clock.
    let wall: any DispatchSourceTimer
    /// Fires after a duration, because the other one fires too late if the system clock is set back.
    let monotonic: any DispatchSourceTimer

    init(delay: Int64, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
      wall = DispatchSource.makeTimerSource(queue: queue)
      wall.schedule(wallDeadline: .now() + .milliseconds(Int(delay)))
      monotonic = DispatchSource.makeTimerSource(queue: queue)
      // Slightly later, so that it does not fire just before the document expires.
      monotonic.schedule(deadline: .now() + .milliseconds(Int(delay) + 100))
      for timer in [wall, monotonic] {
        timer.setEventHandler(handler: handler)
        timer.activate()
      }
    }

    func cancel() {
      wall.cancel()
      monotonic.cancel()
    }
  }

  private struct State {
    /// The function that purges documents; nil before `start` and after `stop`.
    var purge: (@Sendable () throws -> Int64?)?
    var timers: Timers?
    /// The time at which the timers fire, in milliseconds since 1970.
    var fireTime = Int64.max
    /// The time of the last purge, in milliseconds since 1970.
    var lastPurgeTime: Int64 = 0
  }

  /// The maximum time until a file that contains expirations is read again, in milliseconds. Another process may have
  /// set an earlier expiration, and the system clock may have been changed.
  private static let maximumInterval: Int64 = 60_000
  /// The time until the next attempt after an error, such as a full disk or a write lock that another process held for
  /// too long, in milliseconds.
  static let retryInterval: Int64 = 10_000
  /// The minimum time between two reads of the file that commits by other processes trigger, in milliseconds.
  private static let minimumInterval: Int64 = 1_000

  private let queue = DispatchQueue(label: "concordance.expiration")
  private let state = Locked(State())
  private let log: DatabaseLog

  init(_ log: DatabaseLog) { self.log = log }

  deinit { stop() }

  /// The current time, in milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Whether the timer was stopped because the database is being closed.
  var isStopped: Bool { state.withLock { $0.purge == nil } }

  /// Starts the timer.
  ///
  /// - Parameters:
  ///   - next: the earliest expiration in the file, in milliseconds since 1970; nil if there is none.
  ///   - purge: purges expired documents and returns the earliest remaining expiration.
  func start(next: Int64?, purge: @escaping @Sendable () throws -> Int64?) {
    state.withLock { state in
      state.purge = purge
      if let next { reschedule(to: next, &state) }
    }
  }

  /// Reschedules the timer if a document expires before it fires. `expiration` is in milliseconds since 1970.
  func note(_ expiration: Int64) { state.withLock { reschedule(to: expiration, &$0) } }

  /// Schedules a read of the file after a commit by another process, which may have set an expiration.
  func noteCommitOfOtherProcess() {
    state.withLock { state in
      let time = max(ExpirationTimer.now, state.lastPurgeTime + ExpirationTimer.minimumInterval)
      reschedule(to: time, &state)
    }
  }

  /// Stops permanently. It does not wait for a running purge, which ends after its current batch.
  func stop() {
    let purge = state.withLock { state in
      state.timers?.cancel()
      state.timers = nil
      defer { state.purge = nil }
      return state.purge
    }
    withExtendedLifetime(purge) {}
  }

  private func reschedule(to time: Int64, _ state: inout State) {
    let now = ExpirationTimer.now
    let fireTime = max(now, min(time, now + ExpirationTimer.maximumInterval))
    guard state.purge != nil, state.timers == nil || fireTime < state.fireTime else { return }
    state.timers?.cancel()
    state.timers = Timers(delay: fireTime - now, on: queue) { [weak self] in self?.fire() }
    state.fireTime = fireTime
  }

  private func fire() {
    let purge = state.withLock { state in
      state.timers?.cancel()
      state.timers = nil
      state.lastPurgeTime = ExpirationTimer.now
      return state.purge
    }
    guard let purge else { return }
    do {
      if let next = try purge() { note(next) }
    } catch {
      // No caller can receive the error. Expired documents remain hidden, and other calls that access the file throw
      // the same error.
      log.warning("expired documents cannot be purged; trying again", error)
      note(ExpirationTimer.now + ExpirationTimer.retryInterval)
    }
  }
}
