import DocumentStore

extension DatabaseEngine {
  /// Takes objects out of `held` on another thread, and releases them on that thread.
  ///
  /// For completion handlers of transactions, which hold objects whose deinitializers may run application code. The
  /// writing thread keeps all handlers until the last one has returned. If a handler captured the objects directly, the
  /// writing thread could release the last reference, and application code would run while the next writer waits.
  func releaseOnAnotherThread<Objects: Sendable>(_ held: Locked<Objects?>) {
    workers.submit {
      // Released after the lock is.
      let taken: Objects? = held.withLock { objects in
        defer { objects = nil }
        return objects
      }
      withExtendedLifetime(taken) {}
    }
  }
}
