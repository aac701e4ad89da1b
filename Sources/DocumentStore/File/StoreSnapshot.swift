public import GRDB

/// A read transaction on a separate connection, for data that is read in small parts over a long time.
///
/// While it exists, the write-ahead log cannot be truncated.
public final class StoreSnapshot: Sendable {
  private let store: Store
  private let snapshot: DatabaseSnapshot
  /// The number that ``StateWatch`` reported before the transaction began.
  private let version: Int64?

  init(_ store: Store) throws {
    self.store = store
    version = store.stateWatch.current()
    snapshot = try store.usingPool { try $0.makeSnapshot() }
  }

  /// Calls `body` with the connection; one caller at a time.
  ///
  /// - Throws: Any error that `body` throws, and ``StoreErrorKind/closed``.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try store.translatingErrors { try snapshot.read(body) }
  }

  /// Calls `body` with the connection and with threads that see the same state, unless the file has changed since the
  /// snapshot was created; see ``ReaderPool``.
  ///
  /// - Throws: The same errors as ``read(_:)``.
  public func readInParallel<T>(_ body: (Database, ReaderPool) throws -> T) throws -> T {
    let readerPool = store.readerPool(seeing: version)
    defer { readerPool.finish() }
    return try read { try body($0, readerPool) }
  }

  /// Sets the size of the page cache for reading a whole table once; see ``Store/scanning(_:_:)``.
  public func useScanCache() throws {
    try read { try store.setScanCache($0) }
  }
}

extension Store {
  /// Returns the current state of the file.
  ///
  /// - Complexity: O(1); opening the connection takes about 1 ms.
  public func makeSnapshot() throws -> StoreSnapshot {
    try translatingErrors { try StoreSnapshot(self) }
  }
}
