import Foundation
import GRDB
import SQLiteAccess
import Synchronization

/// Checkpoints the write-ahead log on another thread while an operation writes many transactions.
///
/// The frames of committed transactions are copied to the file while the next transaction runs. SQLite writes to the
/// beginning of the log again only if the file contains the whole log when a transaction begins. Therefore, a
/// transaction waits for the rest of the checkpoint if the log is long.
final class BackgroundCheckpoint: Sendable {
  private let queue = DispatchQueue(label: "Concordance checkpoint")
  /// Nil after ``close()``.
  private let connection: Locked<DirectConnection?>
  /// Whether a checkpoint on the queue has not started.
  private let isScheduled = Atomic(false)
  /// The number of frames in the log at the last checkpoint; 0 if the next transaction overwrites them.
  private let frameCount = Atomic(0)
  /// The number of transactions that were committed since the last checkpoint began.
  private let commitCount = Atomic(0)
  private let maximumFrameCount: Int
  /// A transaction waits for the thread of the checkpoints if this many were committed since the last one began.
  private static let maximumCommitCount = 4

  /// - Parameters:
  ///   - location: A location from ``FileLocation/ofFile(_:)``.
  ///   - maximumFrameCount: A transaction waits if the log has this many frames, by default 128 MiB. The rest that it
  ///     waits for is about as long as the last transaction.
  /// - Throws: ``StoreError``, `DatabaseError`.
  init(_ location: String, maximumFrameCount: Int = 16_384) throws {
    self.maximumFrameCount = maximumFrameCount
    let connection = try FileLocation.open(location, .writing)
    connection.setBusyTimeout(0)
    // The connection does not open the log before its first read.
    try connection.execute("PRAGMA schema_version")
    self.connection = Locked(connection)
  }

  /// Must be called before a transaction begins.
  func willBegin() {
    if commitCount.load(ordering: .relaxed) >= BackgroundCheckpoint.maximumCommitCount { finish() }
    guard frameCount.load(ordering: .relaxed) >= maximumFrameCount else { return }
    // No transaction can be committed in between, so SQLite overwrites the log if the file contains all of it.
    queue.sync { if run() { frameCount.store(0, ordering: .relaxed) } }
  }

  /// Starts to checkpoint the committed transaction.
  func didCommit() {
    commitCount.add(1, ordering: .relaxed)
    guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
    queue.async {
      self.isScheduled.store(false, ordering: .relaxed)
      _ = self.run()
    }
  }

  /// Checkpoints all committed transactions, as far as readers allow.
  func finish() { queue.sync { _ = run() } }

  /// Closes the connection, so that SQLite can delete the log when the last one is closed. Later calls have no effect.
  func close() { connection.withLock { $0 = nil } }

  /// Returns whether the file contains the whole log.
  private func run() -> Bool {
    commitCount.store(0, ordering: .relaxed)
    // An error is ignored, as SQLite ignores those of automatic checkpoints: a later checkpoint copies the frames.
    guard let (all, copied) = connection.withLock({ try? $0?.checkpointPassively() }) else { return false }
    frameCount.store(all, ordering: .relaxed)
    return copied == all
  }
}

extension Store {
  /// Calls `body`, which writes many transactions. They do not wait for checkpoints, unless the log becomes long.
  ///
  /// Must not be called inside a read or a write.
  public func checkpointingInBackground<T>(_ body: () throws -> T) throws -> T {
    // The log of a file that was replaced has the same path as that of the new file.
    guard remote == nil, !configuration.isReadOnly, !isFileReplaced,
      let checkpoint = try? BackgroundCheckpoint(location)
    else { return try body() }
    let isFirst = backgroundCheckpoint.withLock { active in
      guard active == nil else { return false }
      active = checkpoint
      return true
    }
    guard isFirst else { return try body() }
    defer {
      backgroundCheckpoint.withLock { $0 = nil }
      // If the store was closed, its connection does not need the setting.
      try? setBulkWriting(false)
      checkpoint.finish()
      checkpoint.close()
    }
    // If the store is closed, the first transaction reports it.
    try? setBulkWriting(true)
    return try body()
  }

  /// Sets whether the writing connection leaves checkpoints to another one, and joins its writes to the log.
  private func setBulkWriting(_ isBulk: Bool) throws {
    try usingPool { pool in
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(isBulk ? 0 : Store.checkpointPages)")
        if isBulk { JoinedLogWrites.begin(db) } else { JoinedLogWrites.end(db) }
      }
    }
  }
}
