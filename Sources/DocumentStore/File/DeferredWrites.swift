/// What an index keeps in memory while a transaction changes it, and writes in one go: at the latest before the commit, and
/// before a savepoint, so that what is in memory is never older than it.
public struct DeferredWrites {
  /// Writes it.
  let write: (_ forReading: Bool) throws -> Void
  /// Forgets it.
  let discard: () -> Void

  /// - Parameters:
  ///   - write: writes what is in memory; where `forReading`, so that the index can be read now. Called again and again.
  ///   - discard: forgets what is in memory, because the changes are rolled back.
  public init(write: @escaping (_ forReading: Bool) throws -> Void, discard: @escaping () -> Void) {
    self.write = write
    self.discard = discard
  }
}

extension WriteTransaction {
  /// Adds what an index keeps in memory, for as long as the outermost transaction is open.
  ///
  /// Call ``writeDeferred()`` before the index is asked for its state.
  public func add(_ deferred: DeferredWrites) { state.deferredWrites.append(deferred) }

  /// Writes what indexes keep in memory, so that they can be read.
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
