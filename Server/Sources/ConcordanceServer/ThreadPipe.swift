import Foundation
import NIOCore
import Synchronization

/// Passes bytes from a thread to a task. The thread waits while `capacity` parts are unconsumed, so memory is bounded.
/// The thread may block because it belongs to the database, not to Swift's cooperative thread pool.
final class ThreadPipe: Sendable {
  /// The parts for the task, which calls ``consumed()`` after processing each part.
  let parts: AsyncStream<ByteBuffer>

  private struct State {
    var buffer = ByteBuffer()
    var isCancelled = false
    var lastWrite: ContinuousClock.Instant?
  }

  private static let capacity = 16
  private static let partSize = 16 << 10
  /// The time after which a write sends even a small part, so that results appear as they are found. Bytes that no
  /// other write follows wait until the end.
  private static let delay: Duration = .milliseconds(20)

  private let state = Mutex(State())
  private let continuation: AsyncStream<ByteBuffer>.Continuation
  private let slots = DispatchSemaphore(value: 0)
  private let deadline: DispatchTime

  /// - Parameter timeLimit: the time after which the thread no longer waits for the task.
  init(timeLimit: Duration) {
    (parts, continuation) = AsyncStream.makeStream()
    deadline = .now() + .nanoseconds(Int(clamping: Int64(min(timeLimit / .seconds(1), 1e6) * 1e9)))
    // The initial value is not the capacity, because a semaphore must not be deallocated while its value is lower than
    // its initial value.
    for _ in 0..<ThreadPipe.capacity { slots.signal() }
  }

  /// Writes bytes. Called on the thread.
  ///
  /// - Returns: whether to continue: false if the task has ended or the time limit was exceeded.
  func write(_ bytes: [UInt8]) -> Bool {
    let isDue = state.withLock { state in
      state.buffer.writeBytes(bytes)
      let now = ContinuousClock.now
      let isDue = state.lastWrite.map { now - $0 >= ThreadPipe.delay } ?? true
      return state.buffer.readableBytes >= ThreadPipe.partSize || isDue
    }
    return !isDue || flush()
  }

  /// Sends the bytes that were written. Called on the thread.
  ///
  /// - Returns: whether all bytes were sent.
  func flush() -> Bool {
    let (isCancelled, isEmpty) = state.withLock { ($0.isCancelled, $0.buffer.readableBytes == 0) }
    if isCancelled { return false }
    // The task frees a slot only for a part that it receives, so an empty part must not take one.
    if isEmpty { return true }
    guard slots.wait(timeout: deadline) == .success else {
      // This part was not sent, so no later bytes may be sent either.
      state.withLock { $0.isCancelled = true }
      return false
    }
    return state.withLock { state in
      guard !state.isCancelled else { return false }
      continuation.yield(state.buffer)
      state.buffer = ByteBuffer()
      state.lastWrite = .now
      return true
    }
  }

  /// Ends the stream of parts.
  func end() { continuation.finish() }

  /// Makes room for another part. Called in the task.
  func consumed() { slots.signal() }

  /// Stops the thread at its next write. Called in the task.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    slots.signal()
  }
}
