import Foundation
import GRDB
import SQLiteAccess
import Synchronization

extension Store {
  /// Returns the connection of this thread's open transaction, or nil if no transaction is open. Also returns nil in a
  /// block of another dispatch queue, because GRDB does not allow it to use the connection.
  ///
  /// - Throws: An error if the transaction can only be rolled back.
  func openConnection() throws -> Database? {
    guard isWriting, isOnWriterQueue, let db = writerState.db else { return nil }
    try WriteTransaction(db: db, state: writerState).requireIntact()
    return db
  }

  /// Calls `body` with the connection pool. ``close()`` waits until it returns.
  ///
  /// - Throws: ``StoreErrorKind/closed``.
  func usingPool<T>(_ body: (DatabasePool) throws -> T) throws -> T {
    // A nested call is allowed even while the file is being closed, because closing waits for the outer call.
    if isReading { return try body(pool.opened()) }
    guard gate.enter() else { throw StoreError(.closed, "\(path): the database is closed") }
    defer { gate.leave() }
    return try body(pool.opened())
  }

  /// Calls `body` with the connection of this thread's read, or with one that is not in use. ``close()`` waits until it
  /// returns.
  func usingReader<T>(_ body: (Database) throws -> T) throws -> T {
    if let readers {
      if let current = readers.current { return try current.readAgain(body) }
      // The connection of another read is used only from its own queue, see above. Otherwise, the pool has another one.
      if !isReading, !isOnWriterQueue, gate.enter() {
        defer { gate.leave() }
        if let reader = try readers.take() {
          defer { readers.putBack(reader) }
          return try reader.read(body)
        }
      }
    }
    return try usingPool { try $0.unsafeReentrantRead(body) }
  }

  var isOnWriterQueue: Bool {
    DispatchQueue.getSpecific(key: Store.writerKey) == ObjectIdentifier(writerState)
  }

  func enterRead() { readDepths.withLock { $0[UInt(pthread_self()), default: 0] += 1 } }

  func leaveRead() {
    readDepths.withLock { depths in
      let depth = (depths[UInt(pthread_self())] ?? 1) - 1
      depths[UInt(pthread_self())] = depth > 0 ? depth : nil
    }
  }

  /// Whether the calling thread is inside a read or a write.
  public var isReading: Bool { isWriting || readDepths.withLock { $0[UInt(pthread_self())] } != nil }

  /// Throws if this thread is inside a read or a write.
  func requireNoOpenBlock(_ operation: String) throws {
    guard !isReading else {
      throw StoreError(
        .misuse,
        "\(path): the database cannot be \(operation) inside a batch or while documents are being read; do it "
          + "afterwards"
      )
    }
  }

  func translatingErrors<T>(_ body: () throws -> T) throws -> T {
    try requireOpen()
    do {
      return try body()
    } catch {
      let cause = isWriting ? writerState.db.flatMap { remote?.cause(of: error, $0) } : nil
      let translated = StoreError.translating(cause ?? error, path: path, busyTimeout: configuration.busyTimeout)
      // SQLite reports only an I/O error if the files next to it were deleted as well.
      if let translated = translated as? StoreError, translated.kind == .io { try requireSameFile() }
      throw translated
    }
  }
}
