import PostgresAccess

/// Savepoints of a write transaction, which SQLite begins for each statement and batch.
extension ConnectionSession {
  func beginSavepoint(_ number: Int32) {
    guard isWriting else { return }
    for channel in channels { channel.pending.beginSavepoint(Int(number)) }
  }

  func releaseSavepoint(_ number: Int32) {
    for channel in channels { channel.pending.releaseSavepoint(Int(number), isReleased: failure == nil) }
  }

  func rollBack(toSavepoint number: Int32) throws {
    guard isWriting else { return }
    let wereOpen = channels.map { $0.pending.rollBack(toSavepoint: Int(number)) }
    guard wereOpen.contains(true) else { return }
    // PostgreSQL can continue after this, whatever has failed since the savepoint. If something before it has failed,
    // the savepoint does not exist, and the next statement fails too.
    undoneFailure = failure ?? undoneFailure
    failure = nil
    for channel in channels {
      let sent = channel.finishSending()
      roundTripCount += sent.roundTripCount
      // Whether changes that were sent in the background are older than the savepoint is unknown.
      if failure == nil { failure = sent.failure }
    }
    documents.removeAll()
    smallTables.invalidate()
    citus.discardLocks()
    // Cursors that were opened after the savepoint no longer exist; the others end with the transaction.
    cursorEpoch += 1
    for channel in channels { channel.discardCursors() }
  }

  /// Reads the small tables again after a rollback.
  func reloadSmallTablesIfNeeded() throws {
    guard !smallTables.isLoaded else { return }
    smallTables.load(try query(SmallTables.selections), isOnCitus: nodes.isOnCitus)
  }
}
