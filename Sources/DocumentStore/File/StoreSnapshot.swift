public import GRDB

/// One unchanging state of the file, on a separate connection: for data that is read bit by bit over a long time.
///
/// While it exists, the write-ahead log cannot be truncated.
public final class StoreSnapshot: Sendable {
  private let store: Store
  private let snapshot: DatabaseSnapshot

  init(_ store: Store, _ snapshot: DatabaseSnapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  /// Calls `body` with the connection; one caller at a time.
  ///
  /// - Throws: Any error of `body`, and ``StoreError/Kind/closed``.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try store.translatingErrors { try snapshot.read(body) }
  }
}

extension Store {
  /// Returns the current state of the file.
  ///
  /// - Complexity: O(1); it opens a connection, about 1 ms.
  public func makeSnapshot() throws -> StoreSnapshot {
    try translatingErrors { StoreSnapshot(self, try pool.makeSnapshot()) }
  }
}
