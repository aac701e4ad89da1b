import Synchronization

/// The frames that wait to be written to a connection, and the counts that limit memory in both directions.
///
/// The threads of the engine add frames; the event loop of the connection takes them. Whoever adds something schedules
/// the event loop only if it is not scheduled yet, so a burst of frames wakes it up once.
final class SendQueue: Sendable {
  /// The number of bytes, waiting or being written, above which a sender has to wait.
  static let highWater = 256 << 10
  /// The number of bytes at which a waiting sender continues.
  static let lowWater = 64 << 10

  /// What the event loop has to do.
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
    /// The bytes that are waiting or being written.
    var pendingBytes = 0
    var isSenderWaiting = false
    /// The bytes that were delivered and not yet processed.
    var unprocessedBytes = 0
    var isReadingPaused = false
  }

  private let state = Mutex(State())
  private let maximumUnprocessed: Int

  /// - Parameter maximumUnprocessed: the number of delivered, unprocessed bytes above which reading is paused.
  init(maximumUnprocessed: Int) { self.maximumUnprocessed = maximumUnprocessed }

  /// Adds a frame.
  ///
  /// - Parameter schedule: called if the event loop has to be scheduled.
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

  /// Adds a close message. Only the first one is sent.
  func close(_ message: CloseMessage, schedule: () -> Void) {
    let isNew = state.withLock { state in
      guard !state.isClosed, state.work.closing == nil else { return false }
      state.work.closing = message
      return SendQueue.schedule(&state)
    }
    if isNew { schedule() }
  }

  /// Subtracts processed bytes.
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

  /// Counts delivered bytes.
  ///
  /// - Returns: whether reading must pause.
  func didDeliver(_ count: Int) -> Bool {
    state.withLock { state in
      state.unprocessedBytes += count
      if state.unprocessedBytes > maximumUnprocessed { state.isReadingPaused = true }
      return state.isReadingPaused
    }
  }

  /// Returns what was added since the last call.
  func take() -> Work {
    state.withLock { state in
      defer {
        // A close message stays, so that nothing is added after it.
        let closing = state.work.closing
        state.work = Work()
        state.work.closing = closing
        state.isScheduled = false
      }
      return state.work
    }
  }

  /// Subtracts written bytes.
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

  /// Discards everything, and ignores what is added later.
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
