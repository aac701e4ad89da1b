/// The changes that an index buffers in memory during a transaction and writes together: before the commit at the
/// latest, and before a savepoint, so that buffered changes are never older than the savepoint.
public struct DeferredWrites {
  /// Writes the buffered changes.
  let write: (_ forReading: Bool) throws -> Void
  /// Discards the buffered changes.
  let discard: () -> Void

  /// Creates the callbacks of an index.
  ///
  /// - Parameters:
  ///   - write: Writes the buffered changes; if `forReading`, the index must be readable afterwards. May be called
  ///     repeatedly.
  ///   - discard: Discards the buffered changes, because they are rolled back.
  public init(write: @escaping (_ forReading: Bool) throws -> Void, discard: @escaping () -> Void) {
    self.write = write
    self.discard = discard
  }
}

extension WriteTransaction {
  /// Registers the buffered changes of an index until the outermost transaction ends.
  ///
  /// Call ``writeDeferred()`` before reading the index.
  public func add(_ deferred: DeferredWrites) { state.deferredWrites.append(deferred) }

  /// Writes the buffered changes of all indexes, so that they can be read.
  public func writeDeferred() throws { try state.writeDeferred(forReading: true) }
}

extension WriterState {
  func writeDeferred(forReading: Bool) throws {
    for deferred in deferredWrites { try deferred.write(forReading) }
  }

  func discardDeferred() {
    for deferred in deferredWrites { deferred.discard() }
  }
}
