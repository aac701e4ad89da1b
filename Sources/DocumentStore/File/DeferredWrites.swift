/// The callbacks that write or discard the changes that an index buffers in memory during a transaction. Changes are
/// written before each savepoint and before the commit, so that a rollback to a savepoint never discards changes that
/// were made before it.
public struct DeferredWrites {
  /// The buffers of an index, in the order in which they are written.
  public enum Stage: Sendable {
    /// Documents that are not analyzed yet. Their entries are added to the other buffer.
    case analysis
    /// Entries that are not in the tables yet.
    case entries
  }

  /// The row id of the index in the catalog.
  let index: Int64
  let stage: Stage
  /// Writes the buffered changes.
  let write: (_ forReading: Bool) throws -> Void
  /// Discards the buffered changes.
  let discard: () -> Void

  /// Creates the callbacks of an index.
  ///
  /// - Parameters:
  ///   - index: the row id of the index in the catalog.
  ///   - stage: the buffer.
  ///   - write: writes the buffered changes; if `forReading`, the index must be readable afterwards. May be called
  ///     repeatedly.
  ///   - discard: discards the buffered changes after a rollback. Also called after a commit, when none are left.
  public init(
    index: Int64, _ stage: Stage, write: @escaping (_ forReading: Bool) throws -> Void, discard: @escaping () -> Void
  ) {
    self.index = index
    self.stage = stage
    self.write = write
    self.discard = discard
  }
}

extension WriteTransaction {
  /// Registers the callbacks of an index until the outermost transaction ends, or until others are registered for the
  /// same buffer: its writer is created again after an inner transaction has failed. The buffer of the earlier
  /// callbacks must be empty.
  ///
  /// Call ``writeDeferred()`` before reading the index.
  public func add(_ deferred: DeferredWrites) {
    state.deferredWrites.removeAll { $0.index == deferred.index && $0.stage == deferred.stage }
    switch deferred.stage {
    case .analysis: state.deferredWrites.insert(deferred, at: 0)
    case .entries: state.deferredWrites.append(deferred)
    }
  }

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
