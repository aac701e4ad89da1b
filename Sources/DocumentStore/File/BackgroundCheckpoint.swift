import Foundation
import GRDB
import SQLiteAccess
import Synchronization

/// Checkpoints the write-ahead log on another thread, so that commits do not wait for the disk.
///
/// The frames of committed transactions are copied to the file while the next transactions run. SQLite writes to the
/// beginning of the log again only if the file contains the whole log when a transaction begins. Therefore, a
/// transaction waits for the rest of the checkpoint if the log is long.
final class BackgroundCheckpoint: Sendable {
  private struct Connection {
    var opened: DirectConnection?
    var isClosed = false
  }

  private let queue = DispatchQueue(label: "Concordance checkpoint")
  /// The connection of the checkpoints, opened by the first one.
  private let connection = Locked(Connection())
  private let open: @Sendable () throws -> DirectConnection?
  /// Whether a checkpoint on the queue has not started.
  private let isScheduled = Atomic(false)
  /// The number of checkpoints on the queue that have not ended: one may run while another one is scheduled.
  private let unendedCount = Atomic(0)
  /// The number of operations that write many transactions.
  private let bulkCount = Atomic(0)
  /// The number of frames in the log at the last commit or checkpoint; 0 if the next transaction overwrites them.
  private let frameCount = Atomic(0)
  /// The largest number of frames that a checkpoint found in the log during the current bulk operations.
  private let maximumFrameCount = Atomic(0)
  /// The number of frames in the log that the file lacked at the last commit.
  private let restCount = Atomic(0)
  /// The number of transactions that were committed since the last checkpoint began.
  private let commitCount = Atomic(0)
  private let limits: Limits
  /// A transaction of a bulk operation waits for the thread of the checkpoints if this many were committed since the
  /// last one began.
  private static let maximumCommitCount = 4

  /// The length of the log from which a transaction waits. It is higher than the limit while readers prevent that the
  /// log is overwritten.
  private let waitingLength: Atomic<Int>
  /// Whether the writing connection has the size limit of bulk operations.
  private let hasBulkLimit = Atomic(false)
  /// How long a transaction waits for readers, in seconds, in a log of ``Limits/waited`` frames: longer than most
  /// searches.
  private static let readerTimeout = 0.1

  /// Numbers of frames, and sizes of the log in bytes.
  struct Limits: Sendable {
    /// A checkpoint starts if the file lacks this many frames. With SQLite's default of 1,000, many interior pages of
    /// b-trees are written to the file several times.
    var started = 4000
    /// A transaction waits if the log has this many, 63 MiB: less than the limit of the size of the log, so that the
    /// log is not truncated.
    var waited = 8000
    /// A transaction already waits if the log has this many and the file lacks only a short rest.
    var waitedForShortRest = 6000
    /// The number of frames of a short rest, 4 MiB. If many transactions are committed, several checkpoints run one
    /// after the other until the rest, which was committed during the last one, is short.
    var shortRest = 512
    /// In bulk operations, a transaction waits if the log has this many, 128 MiB. The rest is about as long as the last
    /// transaction.
    var waitedInBulk = 16_384
    /// The size to which a longer log is truncated.
    var size = 64 << 20
    /// The same in bulk operations, which may write more than 128 MiB in one transaction.
    var sizeInBulk = 512 << 20
  }

  /// - Parameter open: opens a connection for writing; returns nil if the file must not be checkpointed.
  init(limits: Limits = Limits(), _ open: @escaping @Sendable () throws -> DirectConnection?) {
    self.limits = limits
    self.open = open
    waitingLength = Atomic(limits.waited)
  }

  /// Must be called before a transaction begins.
  ///
  /// - Parameter db: the writing connection.
  func willBegin(_ db: Database) {
    waitIfLong()
    limitLog(db)
  }

  /// Waits for the rest of the checkpoint if the log is long.
  func waitIfLong() {
    let count = frameCount.load(ordering: .relaxed)
    let length = waitingLength.load(ordering: .relaxed)
    if bulkCount.load(ordering: .relaxed) > 0 {
      if commitCount.load(ordering: .relaxed) >= BackgroundCheckpoint.maximumCommitCount { finish() }
      if count >= max(length, limits.waitedInBulk) { copyRest(count) }
    } else {
      let isDue = count >= length || isShortRest(of: count, length)
      // While a checkpoint runs, a wait would be as long as the rest of it.
      let isIdle = unendedCount.load(ordering: .acquiring) == 0
      if isDue && isIdle || count >= length + limits.waited { copyRest(count) }
    }
  }

  /// Whether the log has a short rest. While readers prevent that it is overwritten, it is not.
  private func isShortRest(of count: Int, _ length: Int) -> Bool {
    let rest = restCount.load(ordering: .relaxed)
    return count >= limits.waitedForShortRest && (1...limits.shortRest).contains(rest) && length == limits.waited
  }

  /// Sets the size above which SQLite truncates the log when a transaction overwrites its beginning. In bulk
  /// operations, the next transactions need the space again, and truncating the log takes longer than storing a
  /// thousand documents.
  private func limitLog(_ db: Database) {
    let isBulk = bulkCount.load(ordering: .relaxed) > 0
    guard hasBulkLimit.load(ordering: .relaxed) != isBulk,
      // If it fails, only the size of the log differs, and the next transaction tries it again.
      (try? db.runAll("PRAGMA journal_size_limit = \(isBulk ? limits.sizeInBulk : limits.size)")) != nil
    else { return }
    hasBulkLimit.store(isBulk, ordering: .relaxed)
  }

  /// Starts a checkpoint after a commit if one is due.
  ///
  /// - Parameter log: the log after the commit; nil if it is not available.
  func didCommit(_ log: LogIndex?) {
    guard bulkCount.load(ordering: .relaxed) == 0 else {
      commitCount.add(1, ordering: .relaxed)
      return start()
    }
    // Without the index, each commit starts one.
    let count = log?.frameCount ?? limits.started
    let rest = count - (log?.copiedCount ?? 0)
    frameCount.store(count, ordering: .relaxed)
    restCount.store(rest, ordering: .relaxed)
    // In a longer log, reads prevent that the rest becomes short.
    let shortensRest = count >= limits.started && count < limits.waited && rest > limits.shortRest
    if rest >= limits.started || shortensRest { start() }
  }

  /// Calls `body`, which writes many large transactions.
  func inBulk<T>(_ body: () throws -> T) rethrows -> T {
    bulkCount.add(1, ordering: .relaxed)
    defer {
      let isLast = bulkCount.subtract(1, ordering: .relaxed).newValue == 0
      let isLong = isLast && maximumFrameCount.exchange(0, ordering: .relaxed) >= limits.waited
      if isLong { truncateLog() } else { finish() }
    }
    return try body()
  }

  /// Truncates the log unless another connection needs it. Otherwise it would keep the space of large transactions, or of one
  /// that was rolled back because the disk is full, until a later transaction overwrites it.
  func truncateLog() {
    queue.sync {
      // Opens the connection.
      run()
      // If it fails, a later transaction truncates the log.
      let isEmpty = connection.withLock { connection in (try? connection.opened?.checkpoint()) != nil }
      // Otherwise, the next transaction would wait for another checkpoint.
      if isEmpty { frameCount.store(0, ordering: .relaxed) }
    }
  }

  /// Checkpoints all committed transactions, as far as readers allow.
  func finish() { queue.sync { run() } }

  /// Closes the connection, so that SQLite can delete the log when the last one is closed. Later calls have no effect.
  func close() { connection.withLock { $0 = Connection(isClosed: true) } }

  private func start() {
    guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
    unendedCount.add(1, ordering: .relaxed)
    queue.async {
      self.isScheduled.store(false, ordering: .relaxed)
      self.run()
      self.unendedCount.subtract(1, ordering: .releasing)
    }
  }

  /// Copies all frames, so that SQLite overwrites the log: no transaction can be committed in between.
  ///
  /// SQLite appends to the log as long as a reader uses it. Readers that begin afterwards do not.
  private func copyRest(_ count: Int) {
    queue.sync {
      run()
      // In proportion to the log, so that reads that follow each other do not let it grow without limit.
      let timeout = BackgroundCheckpoint.readerTimeout * max(1, Double(count) / Double(limits.waited))
      let isUnused = connection.withLock { $0.opened?.waitForReadersOfLog(timeout) ?? false }
      if isUnused { frameCount.store(0, ordering: .relaxed) }
      // A long read should not delay each transaction.
      waitingLength.store(isUnused ? limits.waited : count + count / 2, ordering: .relaxed)
    }
  }

  /// Checkpoints the committed transactions, and notes the length of the log.
  private func run() {
    commitCount.store(0, ordering: .relaxed)
    // An error is ignored, as SQLite ignores those of automatic checkpoints: a later checkpoint copies the frames.
    let length = try? connection.withLock { connection -> Int? in
      guard !connection.isClosed else { return nil }
      let opened = try connection.opened ?? open()
      connection.opened = opened
      return try opened?.checkpointPassively().frameCount
    }
    guard let length else { return }
    frameCount.store(length, ordering: .relaxed)
    if bulkCount.load(ordering: .relaxed) > 0 { maximumFrameCount.max(length, ordering: .relaxed) }
  }
}

extension BackgroundCheckpoint {
  /// Creates the checkpoints of a file.
  ///
  /// - Parameters:
  ///   - location: a location from ``FileLocation/ofFile(_:)``.
  ///   - isReplaced: returns whether the path refers to another file. The log of the old file has the same path as that
  ///     of the new one.
  convenience init(
    _ location: String, limits: Limits = Limits(), isReplaced: @escaping @Sendable () -> Bool = { false }
  ) {
    self.init(limits: limits) {
      guard !isReplaced() else { return nil }
      let connection = try FileLocation.open(location, .writing)
      connection.setBusyTimeout(0)
      // The connection does not open the log before its first read.
      try connection.execute("PRAGMA schema_version")
      return connection
    }
  }
}

extension Store {
  /// Calls `body`, which writes many large transactions. They start a checkpoint at each commit.
  ///
  /// Must not be called inside a read or a write.
  public func checkpointingInBackground<T>(_ body: () throws -> T) throws -> T {
    guard let backgroundCheckpoint, !isFileReplaced else { return try body() }
    return try backgroundCheckpoint.inBulk(body)
  }
}
