public import GRDB
import TextIndex

/// Inserts and removes documents in a pattern index, in the transaction that changes the documents.
///
/// Inserted trigrams are buffered in memory. ``flush()`` must be called before the transaction is committed, before a
/// savepoint, before the index is read, and before another writer of the index is created. ``discard()`` must be called
/// after the transaction ends or its changes are rolled back.
public struct PatternIndexWriter {
  private enum Target {
    case tables(PatternTableWriter)
    case remote(any RemotePatternWriter)
  }

  private let target: Target

  /// Creates a writer on the writing connection.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - smallestSegment: the size in bytes from which buffered documents become a segment of their own.
  ///   - memory: the maximum size of the buffer in bytes.
  ///   - db: the writing connection.
  /// - Throws: ``TextIndexError`` for an index that is outdated, `DatabaseError`.
  public init(
    _ index: StoredPatternIndex, smallestSegment: Int = 64 << 10, memory: Int = 256 << 20, _ db: Database
  ) throws {
    try index.requireCurrent()
    if let remote = db.remotePatternIndexes {
      target = .remote(try remote.patternWriter(index.id))
    } else {
      target = .tables(try PatternTableWriter(index, smallestSegment: smallestSegment, memory: memory, db))
    }
  }

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - document: its trigrams.
  ///   - rowID: its row.
  /// - Throws: `DatabaseError`.
  public func insert(_ document: DocumentTrigrams, rowID: Int64) throws {
    switch target {
    case .tables(let writer): try writer.insert(document, rowID: rowID)
    case .remote(let writer): try writer.insert(document, rowID: rowID)
    }
  }

  /// Removes a document. In another database, it remains a candidate, which is verified, until the index is rebuilt.
  ///
  /// - Parameters:
  ///   - document: the trigrams with which it was added.
  ///   - rowID: its row.
  /// - Throws: `DatabaseError`.
  public func remove(_ document: DocumentTrigrams, rowID: Int64) throws {
    if case .tables(let writer) = target { try writer.remove(document, rowID: rowID) }
  }

  /// Writes the buffered changes.
  ///
  /// - Throws: `DatabaseError`.
  public func flush() throws {
    switch target {
    case .tables(let writer): try writer.flush()
    case .remote(let writer): try writer.flush()
    }
  }

  /// Discards the buffered changes at the end of the transaction.
  public func discard() {
    switch target {
    case .tables(let writer): writer.discard()
    case .remote(let writer): writer.discard()
    }
  }
}
