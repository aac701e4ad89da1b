package import GRDB

/// Collects the documents that a transaction adds to an FTS5 table and removes from it. A few changes are made through
/// FTS5; many changes are written as a segment of their own (see ``SegmentAppender``).
///
/// Changes are first collected by row, so that rows may change in any order and several times, and are then added to a
/// table of postings in the order of their rows, on another thread.
///
/// ``write()`` must be called before the index is read or otherwise changed, and before the transaction is committed.
package final class ChangeBuffer<Document: Sendable> {
  /// The operations on documents that the buffer needs.
  package struct Actions {
    /// An operation on the document of a row.
    package typealias Change = (Document, _ row: Int64) throws -> Void
    /// An operation on a table of postings, on another thread.
    package typealias PostingsChange = @Sendable (Document, _ row: Int64, PostingsHash) -> Void

    let insert: Change
    let remove: Change
    let addTerms: PostingsChange
    let removeTerms: PostingsChange
    let lengths: (Document) -> [UInt32]

    /// - Parameters:
    ///   - insert: inserts a document through FTS5.
    ///   - remove: removes a document through FTS5.
    ///   - addTerms: adds the terms of a document to a table of postings.
    ///   - removeTerms: adds the removal of each term of a document to a table of postings.
    ///   - lengths: returns the number of positions of each column.
    package init(
      insert: @escaping Change, remove: @escaping Change, addTerms: @escaping PostingsChange,
      removeTerms: @escaping PostingsChange, lengths: @escaping (Document) -> [UInt32]
    ) {
      self.insert = insert
      self.remove = remove
      self.addTerms = addTerms
      self.removeTerms = removeTerms
      self.lengths = lengths
    }
  }

  /// The difference between a row of the table and the row after the collected changes.
  ///
  /// A class, because the code is not specialized for documents of other modules, and then copies a structure much more
  /// slowly than a reference.
  private final class RowChange {
    /// The document in the table.
    let removed: SizedDocument?
    var inserted: SizedDocument?

    init(removed: SizedDocument? = nil, inserted: SizedDocument? = nil) {
      self.removed = removed
      self.inserted = inserted
    }
  }

  private typealias SizedDocument = PreparedPostings<Document>.SizedDocument

  /// A document for the table of postings.
  private struct Posted: Sendable {
    let document: Document
    let isRemoved: Bool
  }

  private let appender: SegmentAppender
  private let actions: Actions
  private let db: Database
  private let memory: Int
  private let smallestSegment: Int
  /// The collected changes. Empty if there are postings.
  private var changes: [Int64: RowChange] = [:]
  /// The number of bytes of the terms in `changes`.
  private var changesSize = 0
  /// The last row in `changes` if all of them are insertions in ascending order; nil otherwise.
  private var lastAppended: Int64? = .min
  private var postings: PostingsBuilder<Posted>?
  /// Keeps the memory of the postings of a segment for the next one.
  private let pool: PostingsPool
  /// The prepared postings whose first `preparedCount` documents were inserted; nil for none. With them, there are no
  /// other changes.
  private var prepared: PreparedPostings<Document>?
  private var preparedCount = 0
  private var lengths: DocumentLengthList
  /// The last row in the postings, and whether a document was inserted in it.
  private var last: (row: Int64, isInserted: Bool)?

  /// The number of bytes of terms that are collected by row. If many rows change in random order, each segment contains
  /// at least as many.
  private static var maximumChangesSize: Int { 4 << 20 }
  /// The number of bytes of terms that are collected by row if new documents are appended. The other thread then adds
  /// their postings while the transaction adds more documents.
  private static var maximumAppendedSize: Int { 128 << 10 }

  /// - Parameters:
  ///   - smallestSegment: the minimum number of bytes of terms for writing changes as a segment.
  ///   - memory: the number of bytes of postings in memory after which a segment is written.
  package init(
    _ appender: SegmentAppender, columnCount: Int, smallestSegment: Int, memory: Int, _ actions: Actions, _ db: Database
  ) {
    self.appender = appender
    self.actions = actions
    self.db = db
    self.memory = memory
    self.smallestSegment = smallestSegment
    pool = PostingsPool(appender.detail)
    lengths = DocumentLengthList(columnCount: columnCount)
  }

  /// Whether no changes are buffered.
  package var isEmpty: Bool { changes.isEmpty && postings == nil && prepared == nil }

  /// Adds a document.
  ///
  /// - Parameter size: the number of bytes of its terms.
  package func insert(_ document: Document, row: Int64, size: Int) throws {
    if prepared != nil { try writePrepared() }
    if let postings {
      // The removal of a document precedes the new document of its row.
      if last.map({ row > $0.row || row == $0.row && !$0.isInserted }) ?? true {
        insert(SizedDocument(document: document, size: size), row, postings)
        return try writeFullPostings()
      }
      try writePostings()
    }
    lastAppended = lastAppended.flatMap { row > $0 ? row : nil }
    let sized = SizedDocument(document: document, size: size)
    if let change = changes[row] { change.inserted = sized } else { changes[row] = RowChange(inserted: sized) }
    try didCollect(size)
  }

  /// Adds the document of a row of prepared postings.
  ///
  /// The prepared postings are used if the transaction inserts all of their documents in their order, and makes no
  /// other changes in between. Until they are written, the documents are not touched, because another thread has made
  /// them, so they are not in the cache of this processor.
  ///
  /// - Parameter row: a row of the postings.
  package func insert(row: Int64, from prepared: PreparedPostings<Document>) throws {
    if self.prepared !== prepared {
      // Without earlier changes, or after those of complete prepared postings, which are then written.
      if self.prepared != nil { try writePrepared() }
      if isEmpty, row == prepared.firstRow { self.prepared = prepared }
    }
    if self.prepared === prepared, row == prepared.firstRow + Int64(preparedCount) {
      preparedCount += 1
    } else {
      let sized = prepared.documents[Int(row - prepared.firstRow)]
      try insert(sized.document, row: row, size: sized.size)
    }
  }

  /// Removes a document.
  ///
  /// - Parameters:
  ///   - document: the document with the terms with which it was inserted.
  ///   - size: the number of bytes of its terms.
  package func remove(_ document: Document, row: Int64, size: Int) throws {
    if prepared != nil { try writePrepared() }
    if let postings {
      if last.map({ row > $0.row }) ?? true {
        remove(SizedDocument(document: document, size: size), row, postings)
        return try writeFullPostings()
      }
      try writePostings()
    }
    lastAppended = nil
    if let change = changes[row], change.inserted != nil {
      // The table does not contain this document.
      if change.removed == nil { changes[row] = nil } else { change.inserted = nil }
    } else {
      changes[row] = RowChange(removed: SizedDocument(document: document, size: size))
    }
    try didCollect(size)
  }

  /// Writes the buffered changes.
  package func write() throws {
    if prepared != nil { try writePrepared() }
    if !changes.isEmpty { try addChanges() }
    try writePostings()
  }

  /// Discards the buffered changes, and frees the memory.
  package func discard() {
    _ = takePrepared()
    _ = takeChanges()
    discardPostings()
    pool.removeAll()
  }

  // MARK: - Changes by row

  private func didCollect(_ size: Int) throws {
    changesSize += size
    let maximum = ChangeBuffer.maximumChangesSize
    let limit = lastAppended == nil ? maximum : min(max(smallestSegment, ChangeBuffer.maximumAppendedSize), maximum)
    if changesSize >= min(memory, limit) { try addChanges() }
  }

  /// Adds the collected changes to postings, or makes them through FTS5 if they are too few for a segment.
  private func addChanges() throws {
    let isSegment = changesSize >= smallestSegment && appender.isSupported(db)
    let changes = takeChanges()
    // FTS5 starts a segment at each row that is lower than the one before. Only the rows are sorted: sorting them with
    // their changes, which are not specialized, takes several times as long.
    var rows = Array(changes.keys)
    rows.sort()
    for row in rows {
      guard let change = changes[row] else { continue }
      if isSegment {
        let postings = self.postings ?? makePostings()
        self.postings = postings
        if let removed = change.removed { remove(removed, row, postings) }
        if let inserted = change.inserted { insert(inserted, row, postings) }
        try writeFullPostings()
      } else {
        if let removed = change.removed { try actions.remove(removed.document, row) }
        if let inserted = change.inserted { try actions.insert(inserted.document, row) }
      }
    }
  }

  /// Removes and returns the collected changes.
  private func takeChanges() -> [Int64: RowChange] {
    defer {
      changes.removeAll()
      changesSize = 0
      lastAppended = .min
    }
    return changes
  }

  // MARK: - Prepared postings

  /// Writes the prepared postings, or adds their documents again if they are incomplete or too few for a segment.
  private func writePrepared() throws {
    let (prepared, count) = takePrepared()
    guard let prepared else { return }
    if count == prepared.documents.count, prepared.termsSize >= smallestSegment, appender.isSupported(db),
      try appender.append(prepared, db)
    {
      return
    }
    for (row, sized) in zip(prepared.firstRow..., prepared.documents.prefix(count)) {
      try insert(sized.document, row: row, size: sized.size)
    }
  }

  private func takePrepared() -> (PreparedPostings<Document>?, Int) {
    defer { (prepared, preparedCount) = (nil, 0) }
    return (prepared, preparedCount)
  }

  // MARK: - Postings

  private func makePostings() -> PostingsBuilder<Posted> {
    let (add, remove) = (actions.addTerms, actions.removeTerms)
    return PostingsBuilder(from: pool, memory: memory) { posted, row, table in
      (posted.isRemoved ? remove : add)(posted.document, row, table)
    }
  }

  private func insert(_ sized: SizedDocument, _ row: Int64, _ postings: PostingsBuilder<Posted>) {
    postings.add(Posted(document: sized.document, isRemoved: false), row: row, size: sized.size)
    lengths.insert(actions.lengths(sized.document), row: row)
    last = (row, true)
  }

  private func remove(_ sized: SizedDocument, _ row: Int64, _ postings: PostingsBuilder<Posted>) {
    postings.add(Posted(document: sized.document, isRemoved: true), row: row, size: sized.size)
    lengths.remove(actions.lengths(sized.document), row: row)
    last = (row, false)
  }

  private func writeFullPostings() throws {
    if let postings, postings.size + lengths.size >= memory { try writePostings() }
  }

  private func writePostings() throws {
    guard let postings else { return }
    defer { discardPostings() }
    try appender.append(postings, lengths, db)
  }

  private func discardPostings() {
    postings = nil
    lengths = DocumentLengthList(columnCount: lengths.columnCount)
    last = nil
  }
}

@available(*, unavailable)
extension ChangeBuffer: Sendable {}
