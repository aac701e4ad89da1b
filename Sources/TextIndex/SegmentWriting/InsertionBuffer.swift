package import GRDB

/// Collects the documents that a transaction adds to an FTS5 table. A few documents are inserted through FTS5; many
/// documents are written as a segment of their own (see ``SegmentAppender``), whose postings are collected on another
/// thread.
///
/// ``write()`` must be called before the index is read or otherwise changed, and before the transaction is committed.
package final class InsertionBuffer<Document: Sendable> {
  /// The operations on documents that the buffer needs.
  package struct Actions {
    let insert: (Document, _ row: Int64) throws -> Void
    let addTerms: @Sendable (Document, _ row: Int64, PostingsHash) -> Void
    let lengths: (Document) -> [UInt32]

    /// - Parameters:
    ///   - insert: inserts a document through FTS5.
    ///   - addTerms: adds the terms of a document to a table of postings, on another thread.
    ///   - lengths: returns the number of positions of each column.
    package init(
      insert: @escaping (Document, Int64) throws -> Void,
      addTerms: @escaping @Sendable (Document, Int64, PostingsHash) -> Void, lengths: @escaping (Document) -> [UInt32]
    ) {
      self.insert = insert
      self.addTerms = addTerms
      self.lengths = lengths
    }
  }

  private let appender: SegmentAppender
  private let actions: Actions
  private let db: Database
  private let memory: Int
  /// The documents that were added before it was known whether there are enough of them for a segment.
  private var pending: [(document: Document, row: Int64, size: Int)] = []
  private var pendingSize = 0
  private var postings: PostingsBuilder<Document>?
  private var lengths: DocumentLengthList
  private var lastRow: Int64?
  /// Whether the documents are written as segments; nil if this has not been decided yet.
  private var writesSegments: Bool?

  /// The minimum number of bytes of terms for writing documents as a segment. With fewer, FTS5 is faster.
  private let smallestSegment: Int

  /// - Parameter memory: the number of bytes of postings in memory after which a segment is written.
  package init(
    _ appender: SegmentAppender, columnCount: Int, smallestSegment: Int = 1 << 20, memory: Int = 256 << 20,
    _ actions: Actions, _ db: Database
  ) {
    self.appender = appender
    self.actions = actions
    self.db = db
    self.memory = memory
    self.smallestSegment = smallestSegment
    lengths = DocumentLengthList(columnCount: columnCount)
  }

  /// Adds a document.
  ///
  /// - Parameter size: the number of bytes of its terms.
  package func insert(_ document: Document, row: Int64, size: Int) throws {
    if let lastRow, row <= lastRow { try write() }
    lastRow = row
    if writesSegments == true {
      try add(document, row, size)
      return
    }
    pending.append((document, row, size))
    pendingSize += size
    guard pendingSize >= smallestSegment else { return }
    if writesSegments == nil { writesSegments = appender.isSupported(db) }
    if writesSegments == true {
      for (document, row, size) in takePending() { try add(document, row, size) }
    } else {
      try write()
    }
  }

  /// Whether no documents are buffered.
  package var isEmpty: Bool { pending.isEmpty && postings == nil }

  /// Writes the buffered documents. Whether later documents are written as a segment depends only on their size, so
  /// that a transaction that alternately adds and removes documents does not write a segment for each of them.
  package func write() throws {
    writesSegments = nil
    try writeDocuments()
  }

  private func writeDocuments() throws {
    lastRow = nil
    for (document, row, _) in takePending() { try actions.insert(document, row) }
    guard let postings else { return }
    self.postings = nil
    defer { lengths = DocumentLengthList(columnCount: lengths.columnCount) }
    try appender.append(postings.finish(), lengths, db)
  }

  /// Discards the buffered documents at the end of the transaction.
  package func discard() {
    _ = takePending()
    postings = nil
    lengths = DocumentLengthList(columnCount: lengths.columnCount)
    lastRow = nil
    writesSegments = nil
  }

  private func add(_ document: Document, _ row: Int64, _ size: Int) throws {
    let postings = self.postings ?? PostingsBuilder(appender.detail, addTerms: actions.addTerms)
    self.postings = postings
    postings.add(document, row: row, size: size)
    lengths.append(actions.lengths(document), row: row)
    lastRow = row
    if postings.size + lengths.size >= memory { try writeDocuments() }
  }

  private func takePending() -> [(document: Document, row: Int64, size: Int)] {
    defer {
      pending = []
      pendingSize = 0
    }
    return pending
  }
}

@available(*, unavailable)
extension InsertionBuffer: Sendable {}
