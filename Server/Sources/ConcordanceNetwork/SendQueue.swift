import Synchronization

/// The frames waiting to be written to a connection, and the byte counts that bound memory use in both directions.
///
/// The replication engine's threads add frames; the connection's event loop takes them. A thread that adds something
/// schedules the event loop only if it is not already scheduled, so a burst of frames wakes it only once.
final class SendQueue: Sendable {
  /// The number of bytes, queued or being written, above which a sender must wait.
  static let highWater = 256 << 10
  /// The number of bytes at which a waiting sender may continue.
  static let lowWater = 64 << 10

  /// The work for the event loop.
  struct Work {
    var frames: [[UInt8]] = []
    /// The close message to send after the frames.
    var closing: CloseMessage?
    var resumesReading = false
  }

  private struct State {
    var work = Work()
    var isScheduled = false
    var isClosed = false
    /// The number of bytes that are queued or being written.
    var pendingBytes = 0
    var isSenderWaiting = false
    /// The number of bytes that were delivered but not yet processed.
    var unprocessedBytes = 0
    var isReadingPaused = false
  }

  private let state = Mutex(State())
  private let maximumUnprocessed: Int

  /// - Parameter maximumUnprocessed: the number of delivered but unprocessed bytes above which reading pauses.
  init(maximumUnprocessed: Int) { self.maximumUnprocessed = maximumUnprocessed }

  /// Adds a frame.
  ///
  /// - Parameter schedule: called if the event loop must be scheduled.
  /// - Returns: whether the sender may continue.
  func add(_ frame: [UInt8], schedule: () -> Void) -> Bool {
    let (isWritable, isNew) = state.withLock { state in
      guard !state.isClosed, state.work.closing == nil else { return (false, false) }
      state.work.frames.append(frame)
      state.pendingBytes += frame.count
      let isWritable = state.pendingBytes <= SendQueue.highWater
      if !isWritable { state.isSenderWaiting = true }
      return (isWritable, SendQueue.schedule(&state))
    }
    if isNew { schedule() }
    return isWritable
  }

  /// Queues a close message. Only the first one is sent.
  func close(_ message: CloseMessage, schedule: () -> Void) {
    let isNew = state.withLock { state in
      guard !state.isClosed, state.work.closing == nil else { return false }
      state.work.closing = message
      return SendQueue.schedule(&state)
    }
    if isNew { schedule() }
  }

  /// Records that delivered bytes were processed.
  func didProcess(_ count: Int, schedule: () -> Void) {
    let isNew = state.withLock { state in
      state.unprocessedBytes = max(0, state.unprocessedBytes - max(0, count))
      guard state.isReadingPaused, state.unprocessedBytes <= maximumUnprocessed / 2 else { return false }
      state.isReadingPaused = false
      state.work.resumesReading = true
      return SendQueue.schedule(&state)
    }
    if isNew { schedule() }
  }

  /// Records that bytes were delivered.
  ///
  /// - Returns: whether reading must pause.
  func didDeliver(_ count: Int) -> Bool {
    state.withLock { state in
      state.unprocessedBytes += count
      if state.unprocessedBytes > maximumUnprocessed { state.isReadingPaused = true }
      return state.isReadingPaused
    }
  }

  /// Takes the work that was added since the last call.
  func take() -> Work {
    state.withLock { state in
      defer {
        // A close message is kept, so that nothing is queued after it.
        let closing = state.work.closing
        state.work = Work()
        state.work.closing = closing
        state.isScheduled = false
      }
      return state.work
    }
  }

  /// Records that bytes were written.
  ///
  /// - Returns: whether a waiting sender may continue.
  func didWrite(_ count: Int) -> Bool {
    state.withLock { state in
      state.pendingBytes -= count
      guard state.isSenderWaiting, !state.isClosed, state.pendingBytes <= SendQueue.lowWater else { return false }
      state.isSenderWaiting = false
      return true
    }
  }

  /// Discards all queued work and ignores later additions.
  func end() {
    state.withLock { state in
      state.isClosed = true
      state.work = Work()
    }
  }

  private static func schedule(_ state: inout State) -> Bool {
    defer { state.isScheduled = true }
    return !state.isScheduled
  }
}

/// The content of a close frame.
struct CloseMessage: Hashable, Sendable {
  let code: Int
  let reason: String
}
