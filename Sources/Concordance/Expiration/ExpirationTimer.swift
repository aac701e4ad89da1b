import DocumentStore
import Foundation

/// Fires when documents expire. There is no timer if no document has an expiration.
final class ExpirationTimer: Sendable {
  private struct State {
    /// Nil before the start and after the end.
    var purge: (@Sendable () throws -> Int64?)?
    var timer: (any DispatchSourceTimer)?
    /// When the timer fires, in milliseconds since 1970.
    var fireTime = Int64.max
    var lastAsked: Int64 = 0
  }

  /// The longest time until the file is asked again, while it has any expirations, in milliseconds: another process may
  /// have set an earlier one, and the clock may have been set.
  private static let longestWait: Int64 = 60_000
  /// How long to wait when documents could not be purged, in milliseconds: another process was writing too long, or the
  /// disk is full.
  private static let retryWait: Int64 = 10_000
  /// The shortest time between two questions because of what others have written, in milliseconds.
  private static let shortestWait: Int64 = 1_000

  private let queue = DispatchQueue(label: "concordance.expiration")
  private let state = Locked(State())
  private let log: DatabaseLog

  init(_ log: DatabaseLog) { self.log = log }

  deinit { stop() }

  /// The time now, in milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Whether there is nothing to purge any more, because the database is being closed.
  var isStopped: Bool { state.withLock { $0.purge == nil } }

  /// Begins.
  ///
  /// - Parameters:
  ///   - next: the earliest expiration of the file in milliseconds since 1970, if any.
  ///   - purge: purges what has expired and returns the earliest expiration that is left.
  func start(next: Int64?, purge: @escaping @Sendable () throws -> Int64?) {
    state.withLock { state in
      state.purge = purge
      if let next { reschedule(to: next, &state) }
    }
  }

  /// Notes that a document expires at this time, in milliseconds since 1970.
  func note(_ expiration: Int64) { state.withLock { reschedule(to: expiration, &$0) } }

  /// Asks the file soon, since others have changed it.
  func noteCommitOfOtherProcess() {
    state.withLock { reschedule(to: max(ExpirationTimer.now, $0.lastAsked + ExpirationTimer.shortestWait), &$0) }
  }

  /// Stops permanently. It does not wait for a running purge, which ends with its batch.
  func stop() {
    let purge = state.withLock { state in
      state.timer?.cancel()
      state.timer = nil
      defer { state.purge = nil }
      return state.purge
    }
    withExtendedLifetime(purge) {}
  }

  private func reschedule(to time: Int64, _ state: inout State) {
    let now = ExpirationTimer.now
    let fireTime = max(now, min(time, now + ExpirationTimer.longestWait))
    guard state.purge != nil, state.timer == nil || fireTime < state.fireTime else { return }
    state.timer?.cancel()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(wallDeadline: .now() + .milliseconds(Int(fireTime - now)))
    timer.setEventHandler { [weak self] in self?.fire() }
    timer.activate()
    state.timer = timer
    state.fireTime = fireTime
  }

  private func fire() {
    let purge = state.withLock { state in
      state.timer?.cancel()
      state.timer = nil
      state.lastAsked = ExpirationTimer.now
      return state.purge
    }
    guard let purge else { return }
    do {
      if let next = try purge() { note(next) }
    } catch {
      // No caller can receive the error. Expired documents remain hidden, and other calls on the file throw the same
      // error.
      log.warning("expired documents cannot be purged; trying again", error)
      note(ExpirationTimer.now + ExpirationTimer.retryWait)
    }
  }
}
