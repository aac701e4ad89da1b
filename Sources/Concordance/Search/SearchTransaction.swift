import DocumentStore
import GRDB

/// What a search reads with: the connection of its transaction, and other threads where they are of use.
struct SearchTransaction {
  /// Thrown where a search should begin again with threads that help.
  struct NeedsThreads: Error {}

  let db: GRDB.Database
  /// The threads; nil before they are started.
  let readerPool: ReaderPool?
  /// Whether threads could help.
  let mayUseThreads: Bool

  /// Documents from which on several threads are faster than one.
  private static let manyDocuments = 8192

  /// The threads for reading so many documents; nil where one is enough.
  ///
  /// - Throws: ``NeedsThreads``.
  func readerPool(forDocuments count: Int) throws -> ReaderPool? {
    guard count >= SearchTransaction.manyDocuments else { return nil }
    if readerPool == nil, mayUseThreads { throw NeedsThreads() }
    return readerPool
  }
}

extension Store {
  /// Calls `body` in a transaction that sees all changes of full-text indexes, first alone, and once more with threads where it
  /// asks for them.
  func readForSearch<T>(_ body: (SearchTransaction) throws -> T) throws -> T {
    do {
      return try readIndexes { try body(SearchTransaction(db: $0, readerPool: nil, mayUseThreads: !isWriting)) }
    } catch is SearchTransaction.NeedsThreads {
      return try readInParallel { try body(SearchTransaction(db: $0, readerPool: $1, mayUseThreads: true)) }
    }
  }
}
