import Foundation
import NIOCore
import Synchronization

/// Passes bytes from a thread to a task. The thread waits while the task is `capacity` parts behind, so memory is
/// bounded; it is a thread of the database, not of Swift's tasks.
final class ThreadPipe: Sendable {
  /// The parts for the task. It calls ``consumed()`` after each.
  let parts: AsyncStream<ByteBuffer>

  private struct State {
    var buffer = ByteBuffer()
    var isCancelled = false
    var lastWrite: ContinuousClock.Instant?
  }

  private static let capacity = 16
  private static let partSize = 16 << 10
  /// A part is sent after this time even if it is small, so that results appear as they are found.
  private static let delay: Duration = .milliseconds(20)

  private let state = Mutex(State())
  private let continuation: AsyncStream<ByteBuffer>.Continuation
  private let slots = DispatchSemaphore(value: 0)
  private let deadline: DispatchTime

  /// - Parameter timeLimit: the time after which the thread no longer waits for the task.
  init(timeLimit: Duration) {
    (parts, continuation) = AsyncStream.makeStream()
    deadline = .now() + .nanoseconds(Int(clamping: Int64(min(timeLimit / .seconds(1), 1e6) * 1e9)))
    // Not the initial value, because a semaphore must not be released below it.
    for _ in 0..<ThreadPipe.capacity { slots.signal() }
  }

  /// Writes bytes, on the thread.
  ///
  /// - Returns: whether to continue: false if the task has ended or is too slow.
  func write(_ bytes: [UInt8]) -> Bool {
    let isDue = state.withLock { state in
      state.buffer.writeBytes(bytes)
      let now = ContinuousClock.now
      let isDue = state.lastWrite.map { now - $0 >= ThreadPipe.delay } ?? true
      return state.buffer.readableBytes >= ThreadPipe.partSize || isDue
    }
    return !isDue || flush()
  }

  /// Sends the rest, on the thread.
  func flushAll() { _ = flush() }

  /// Ends the parts.
  func end() { continuation.finish() }

  /// Makes room for a part, in the task.
  func consumed() { slots.signal() }

  /// Lets the thread stop, in the task.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    slots.signal()
  }

  private func flush() -> Bool {
    guard state.withLock({ !$0.isCancelled }) else { return false }
    guard slots.wait(timeout: deadline) == .success else { return false }
    return state.withLock { state in
      guard !state.isCancelled else { return false }
      if state.buffer.readableBytes > 0 { continuation.yield(state.buffer) }
      state.buffer = ByteBuffer()
      state.lastWrite = .now
      return true
    }
  }
}
