import Synchronization

/// A value that several tasks share, protected by a lock.
final class Locked<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }

  func set(_ value: Value) { mutex.withLock { $0 = value } }
}

extension Locked<Int> {
  /// Adds one and returns the new value.
  func increment() -> Int {
    mutex.withLock {
      $0 += 1
      return $0
    }
  }
}
