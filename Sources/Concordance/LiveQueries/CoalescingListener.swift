import DocumentStore
import Foundation

/// Calls a listener on a queue with the latest value. A new value replaces one that has not been delivered yet, so that
/// a slow listener neither blocks reads nor accumulates values in memory.
///
/// `@unchecked Sendable`: every variable is accessed only under `lock`. `call` is not required to be `Sendable`,
/// because programs written for Couchbase Lite pass closures that are not. It runs on the queue that the caller
/// passed, and never concurrently with itself.
final class CoalescingListener<Value: Sendable>: @unchecked Sendable {
  private let queue: DispatchQueue
  private let lock = NSLock()
  private var call: ((Value) -> Void)?
  private var pending: Value?
  private var isScheduled = false

  init(on queue: DispatchQueue, _ call: @escaping (Value) -> Void) {
    self.queue = queue
    self.call = call
  }

  func deliver(_ value: Value) {
    lock.withLock {
      guard call != nil else { return }
      pending = value
      if !isScheduled { schedule() }
    }
  }

  /// Ends the delivery. No new call begins afterwards.
  func end() {
    // Released outside the lock, because a deinitializer may call this object.
    let released = lock.withLock {
      defer { (call, pending) = (nil, nil) }
      return (call, pending)
    }
    withExtendedLifetime(released) {}
  }

  private func schedule() {
    isScheduled = true
    queue.async { self.run() }
  }

  private func run() {
    let next: (call: (Value) -> Void, value: Value)? = lock.withLock {
      guard let call, let value = pending else { return nil }
      pending = nil
      return (call, value)
    }
    if let next { next.call(next.value) }
    lock.withLock {
      isScheduled = false
      if pending != nil, call != nil { schedule() }
    }
  }
}
