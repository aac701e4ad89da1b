/// The callbacks that write or discard the changes that an index buffers in memory during a transaction. Changes are
/// written before each savepoint and before the commit, so that a rollback to a savepoint never discards changes that
/// were made before it.
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
  ///   - discard: Discards the buffered changes after a rollback. Also called after a commit, when none are left.
  public init(write: @escaping (_ forReading: Bool) throws -> Void, discard: @escaping () -> Void) {
    self.write = write
    self.discard = discard
  }
}

extension WriteTransaction {
  /// Registers the callbacks of an index until the outermost transaction ends.
  ///
  /// Call ``writeDeferred()`` before reading the index.
  public func add(_ deferred: DeferredWrites) { state.deferredWrites.append(deferred) }

  /// Registers callbacks that are called before the others, because they write to the buffers of the others.
  public func addFirst(_ deferred: DeferredWrites) { state.deferredWrites.insert(deferred, at: 0) }

  /// Writes the buffered changes of all indexes, so that they can be read.
  public func writeDeferred() throws { try state.writeDeferred(forReading: true) }
}

extension WriterState {
  func writeDeferred(forReading: Bool) throws {
    do {
      for deferred in deferredWrites { try deferred.write(forReading) }
    } catch {
      // Some of the buffered changes may be lost.
      failure = error
      throw error
    }
  }

  func discardDeferred() {
    for deferred in deferredWrites { deferred.discard() }
  }
}
