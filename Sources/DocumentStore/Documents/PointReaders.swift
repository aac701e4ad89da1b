import Foundation

/// Connections dedicated to reading single documents by id and chunks of blobs by digest.
///
/// With GRDB's pool, getting a connection (queues, a schema check, a transaction) took 12 of the 15 µs of a lookup. A
/// lookup here takes a lock and runs one prepared statement. It reads the last committed state.
///
/// `@unchecked Sendable`: all variables are accessed only under `lock`; a connection is used only by the thread that
/// took it, and idle ones only under `lock`.
final class PointReaders: @unchecked Sendable {
  private let location: String
  private let busyTimeout: Double
  private let file: OpenedFile?
  private let lock = NSLock()
  private var idle: [PointReader] = []
  private var isClosed = false
  /// Whether ``endOldTransactions()`` will be called.
  private var isEndScheduled = false
  private let queue = DispatchQueue(label: "Concordance lookups", qos: .utility)

  /// The maximum number of idle connections to keep open.
  private static let maximumIdleCount = 4
  /// The time after which transactions of idle connections are ended.
  private static let delay = DispatchTimeInterval.milliseconds(10)

  /// - Parameter file: the file; nil if the rows are in another database.
  init(location: String, busyTimeout: Double, _ file: OpenedFile? = nil) {
    self.location = location
    self.busyTimeout = busyTimeout
    self.file = file
  }

  /// Returns the document with this id, or nil.
  func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    try withReader { try $0.document(id: id, in: collection) }
  }

  /// Returns the chunk of a blob with this number and the length of the blob; nil if the blob does not exist.
  func blobPart(digest: String, number: Int64) throws -> BlobPart? {
    try withReader { try $0.blobPart(digest: digest, number: number) }
  }

  private func withReader<T>(_ body: (PointReader) throws -> T) throws -> T {
    let reader = try lock.withLock { idle.popLast() } ?? PointReader(location: location, busyTimeout: busyTimeout, file)
    let result = try body(reader)
    // A reader that threw is not reused; its connection is closed when it is deallocated.
    lock.withLock {
      guard !isClosed, idle.count < PointReaders.maximumIdleCount else { return }
      idle.append(reader)
      if reader.isInTransaction { scheduleEnd() }
    }
    return result
  }

  func close() {
    lock.withLock {
      isClosed = true
      idle = []
    }
  }

  /// Must be called under the lock.
  private func scheduleEnd() {
    guard !isEndScheduled else { return }
    isEndScheduled = true
    queue.asyncAfter(deadline: .now() + PointReaders.delay) { [weak self] in self?.endOldTransactions() }
  }

  private func endOldTransactions() {
    lock.withLock {
      isEndScheduled = false
      idle.removeAll { reader in
        // A connection whose transaction cannot be ended is closed.
        do { try reader.endOldTransaction() } catch { return true }
        if reader.isInTransaction { scheduleEnd() }
        return false
      }
    }
  }
}
