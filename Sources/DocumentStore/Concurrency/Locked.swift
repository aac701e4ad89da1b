import Foundation

/// A value protected by a lock.
///
/// Uses `NSLock` instead of `Synchronization.Mutex`, which the thread sanitizer does not support.
///
/// `@unchecked Sendable`: `value` is accessed only under `lock`.
public final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Creates the lock with an initial value.
  public init(_ value: Value) { self.value = value }

  /// Calls `body` with exclusive access to the value. The lock is not recursive: `body` must not run code that callers
  /// pass in, or release objects whose deinitializers may run such code.
  public func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
