public import GRDB
import SQLiteAccess
import TextAnalysis

/// Inserts and removes documents in an index, in the transaction that changes the documents.
///
/// Changes and document lengths are buffered in memory. ``flush(syncing:)`` must be called before the
/// transaction is committed, before a savepoint, and before the index is read. ``discard()`` must be called after the
/// transaction ends or its changes are rolled back. Until then, FTS5 runs queries if changes may be unwritten.
///
/// An index has one writer at a time: before another one is created, call ``flush(syncing:)`` or ``discard()``, and do
/// not use this one afterwards.
public struct FullTextWriter {
  private let target: Target

  private enum Target {
    case tables(FullTextTableWriter)
    case remote(any RemoteIndexWriter)
  }

  /// Creates a writer on the writing connection.
  ///
  /// - Parameters:
  ///   - smallestSegment: the minimum number of bytes of terms for writing changes as a segment of their own instead of
  ///     through FTS5.
  ///   - memory: the number of bytes of postings in memory after which a segment is written.
  /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/outdated`` if the index must be rebuilt first.
  public init(
    _ index: StoredFullTextIndex, smallestSegment: Int = 64 << 10, memory: Int = 256 << 20, _ db: Database
  ) throws {
    try index.requireCurrent()
    if let remote = RemoteIndexes.storage(of: db) {
      target = .remote(try remote.writer(index, memory: memory, db))
    } else {
      target = .tables(try FullTextTableWriter(index, smallestSegment: smallestSegment, memory: memory, db))
    }
  }

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - document: the terms of the document.
  ///   - rowID: the row of the document.
  /// - Throws: `DatabaseError`.
  public func insert(_ document: AnalyzedDocument, rowID: Int64) throws {
    switch target {
    case .tables(let writer): try writer.insert(document, rowID: rowID)
    case .remote(let writer): try writer.insert(document, rowID: rowID)
    }
  }

  /// Adds the document of a row of prepared postings; see ``StoredFullTextIndex/preparation(memory:_:)``.
  ///
  /// - Returns: false if the postings do not contain the row. In that case, nothing is added.
  package func insert(rowID: Int64, from prepared: PreparedPostings<AnalyzedDocument>) throws -> Bool {
    guard (prepared.firstRow..<prepared.endRow).contains(rowID), case .tables(let writer) = target else { return false }
    try writer.insert(rowID: rowID, from: prepared)
    return true
  }

  /// Removes a document.
  ///
  /// - Parameters:
  ///   - document: the terms with which the document was added.
  ///   - rowID: the row of the document.
  /// - Throws: `DatabaseError`.
  public func remove(_ document: AnalyzedDocument, rowID: Int64) throws {
    switch target {
    case .tables(let writer): try writer.remove(document, rowID: rowID)
    case .remote(let writer): try writer.remove(document, rowID: rowID)
    }
  }

  /// Writes the buffered changes.
  ///
  /// - Parameter syncing: whether FTS5 also flushes its hash table, so that the index can be read afterwards.
  /// - Throws: `DatabaseError`.
  public func flush(syncing: Bool) throws {
    switch target {
    case .tables(let writer): try writer.flush(syncing: syncing)
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

/// Inserts and removes documents in the tables of FTS5; see ``FullTextWriter``.
private final class FullTextTableWriter {
  private let changes: ChangeBuffer<AnalyzedDocument>
  private let lengths: LengthWriter
  private let cache: IndexCache
  private let db: Database
  /// Whether changes may be in memory, here or in the hash table of FTS5. Searches read this from `cache`, which
  /// belongs to the index and not to this writer.
  private var isUnwritten = false

  init(_ index: StoredFullTextIndex, smallestSegment: Int, memory: Int, _ db: Database) throws {
    let insertion = try SQLStatement(cached: index.table.insertion, in: db)
    let removal = try SQLStatement(cached: index.table.removal, in: db)
    cache = index.cache
    self.db = db
    let lengths = LengthWriter(LengthTable(of: index), db)
    try lengths.prepare()
    self.lengths = lengths
    changes = ChangeBuffer(
      index.appender, columnCount: index.table.columnCount,
      smallestSegment: smallestSegment, memory: memory,
      ChangeBuffer.Actions(
        insert: { document, row in try FullTextTableWriter.run(insertion, document, row) },
        remove: { document, row in try FullTextTableWriter.run(removal, document, row) },
        addTerms: { document, row, postings in document.addTerms(to: postings, row: row) },
        removeTerms: { document, row, postings in document.removeTerms(from: postings, row: row) },
        lengths: { $0.lengths }), db)
  }

  func insert(_ document: AnalyzedDocument, rowID: Int64) throws {
    setUnwritten(true)
    try changes.insert(document, row: rowID, size: document.size)
    try lengths.record(document.lengths[...], rowID: rowID, sign: 1, writeChanges: changes.write)
  }

  /// Adds the document of a row of prepared postings.
  func insert(rowID: Int64, from prepared: PreparedPostings<AnalyzedDocument>) throws {
    setUnwritten(true)
    try changes.insert(row: rowID, from: prepared)
    let document = prepared.lengths.inserted(Int(rowID - prepared.firstRow))
    try lengths.record(document, rowID: rowID, sign: 1, writeChanges: changes.write)
  }

  /// FTS5 needs exactly the terms that were inserted.
  func remove(_ document: AnalyzedDocument, rowID: Int64) throws {
    setUnwritten(true)
    try changes.remove(document, row: rowID, size: document.size)
    try lengths.record(document.lengths[...], rowID: rowID, sign: -1, writeChanges: changes.write)
  }

  func flush(syncing: Bool) throws {
    try lengths.flush(writeChanges: changes.write)
    changes.discard()
    guard syncing, isUnwritten else { return }
    try SegmentAppender.flushFTS5(db)
    setUnwritten(false)
  }

  func discard() {
    changes.discard()
    lengths.discard()
    setUnwritten(false)
  }

  private func setUnwritten(_ isUnwritten: Bool) {
    self.isUnwritten = isUnwritten
    cache.setUnwritten(isUnwritten, db)
  }

  private static func run(_ statement: SQLStatement, _ document: AnalyzedDocument, _ rowID: Int64) throws {
    try document.withStream { stream in
      statement.bind(1, rowID)
      for column in 0..<document.columnCount {
        // The bytes remain valid until the statement is reset, so SQLite need not copy them.
        statement.bind(Int32(column) + 2, text: UnsafeRawBufferPointer(rebasing: stream[document.column(column)]))
      }
      try statement.run()
    }
  }
}

extension PreparedPostings where Document == AnalyzedDocument {
  /// Adds the next document. Waits while too many documents wait for the other thread.
  ///
  /// Other modules cannot call ``append(_:size:lengths:)``, which is not specialized there, and several times as slow.
  package func append(_ document: AnalyzedDocument) {
    document.withLengths { append(document, size: document.size, lengths: $0) }
  }
}

extension StoredFullTextIndex {
  var appender: SegmentAppender { SegmentAppender(table: table.name, detail: .full, hasSizes: true) }

  /// Returns a function that creates postings for documents that will be inserted in consecutive rows; see
  /// ``FullTextWriter``. Returns nil if not all documents are indexed, or if segments cannot be added to the index.
  ///
  /// - Parameters:
  ///   - memory: the memory for the postings of a batch, in bytes, which limits the terms that wait.
  ///   - db: a connection.
  package func preparation(memory: Int, _ db: Database) -> ((_ firstRow: Int64) -> PreparedPostings<AnalyzedDocument>)?
  {
    guard !isOutdated, definition.condition == nil, RemoteIndexes.storage(of: db) == nil,
      let pageSize = appender.supportedPageSize(db)
    else { return nil }
    let pool = PostingsPool(.full)
    let columnCount = table.columnCount
    return { firstRow in
      PreparedPostings(firstRow: firstRow, pageSize: pageSize, columnCount: columnCount, memory: memory, from: pool) {
        $0.addTerms(to: $2, row: $1)
      }
    }
  }

  /// Throws if the index was filled by another version of the analyzer.
  package func requireCurrent() throws {
    guard isOutdated else { return }
    throw TextIndexError(
      .outdated,
      "the index \"\(name)\" was built with another version of the text analysis (\(analyzerVersion)) than this program "
        + "has (\(Analyzer.version)); it must be rebuilt", recovery: .rebuildIndexes)
  }
}
