import Foundation

/// A value behind a lock.
///
/// `NSLock` and not `Synchronization.Mutex`, which the thread sanitizer does not understand.
///
/// `@unchecked Sendable`: `value` is reached only under `lock`.
public final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Takes the first value.
  public init(_ value: Value) { self.value = value }

  /// Calls `body` with the value while no other thread has it. The lock is not recursive: `body` runs no code of callers, and
  /// drops nothing whose end may run some.
  public func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
