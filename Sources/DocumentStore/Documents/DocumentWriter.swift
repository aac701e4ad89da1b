import GRDB
import SQLiteAccess

/// Changes the documents of a collection within a transaction.
public struct DocumentWriter {
  /// A condition on the stored document. A save whose condition does not hold fails with a conflict.
  public enum Precondition: Hashable, Sendable {
    /// No condition: the last writer wins.
    case none
    /// The document does not exist or has expired, or only its tombstone exists.
    case absent
    /// The document or tombstone has this revision.
    case revision(Int64)
  }

  /// The effect of a change, for maintaining indexes.
  public struct Change: Sendable {
    /// The row of the document.
    public let rowID: Int64
    /// The sequence number of the change.
    public let sequence: Int64
    /// The new revision.
    public let revision: Int64
    /// The previous document, or nil if there was none or only a tombstone.
    public let previous: StoredDocument?
    /// Whether nothing was changed because the same text was already stored. See `skippingUnchanged`.
    public var isUnchanged = false
  }

  let transaction: WriteTransaction
  let collection: CollectionRecord
  let reader: DocumentReader
  private let insert: SQLStatement
  private let update: SQLStatement

  init(_ collection: CollectionRecord, _ transaction: WriteTransaction) throws {
    self.transaction = transaction
    self.collection = collection
    let db = transaction.db
    let table = collection.table
    reader = DocumentReader(collection, db)
    // SQLite has no UPSERT for virtual tables.
    insert = try SQLStatement(
      cached: transaction.remote == nil
        ? """
        INSERT INTO \(table) (id, sequence, revision, source, body) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """ : "INSERT OR IGNORE INTO \(table) (id, sequence, revision, source, body) VALUES (?, ?, ?, ?, ?)", in: db)
    update = try SQLStatement(
      cached: """
        UPDATE \(table) SET sequence = ?, revision = ?, deleted = ?, source = ?, body = ?,
          expiration = CASE WHEN expiration <= \(StoredDocument.now) THEN NULL ELSE expiration END
        WHERE rowid = ?
        """, in: db)
  }

  /// Saves a document: inserts it, or replaces the one with this id.
  ///
  /// - Parameters:
  ///   - id: the document's id.
  ///   - body: its text.
  ///   - source: the source that it was read from.
  ///   - precondition: the condition on the stored document.
  ///   - skippingUnchanged: whether a stored document with the same text keeps its sequence and revision, unless it has
  ///     expired. Only its source is updated, and only if `source` is not nil.
  ///   - mayReplace: returns whether the save may replace the stored document; nil if it may replace any. Not called
  ///     for an expired document.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/conflict`` if the precondition does not hold or `mayReplace`
  ///   returns false, or ``StoreErrorKind/badDocumentID``.
  public func save(
    id: String, body: DocumentBody, source: Int64? = nil, precondition: Precondition = .none,
    skippingUnchanged: Bool = false, mayReplace: ((StoredDocument) throws -> Bool)? = nil
  ) throws -> Change {
    try DocumentIDRule.check(id)
    try transaction.requireIntact()
    var counters = try transaction.state.collection(collection.id, transaction.db)
    let sequence = counters.lastSequence + 1
    let revision = try transaction.state.nextRevision(transaction.db)
    // Most saves are of new documents, so the insert is tried first: it fails if the document exists.
    if !precondition.needsExisting {
      let rowID = try insertNew(id: id, body: body, source: source, sequence: sequence, revision: revision)
      if let rowID {
        counters.lastSequence = sequence
        counters.documentCount += 1
        recordChange(counters, id)
        return Change(rowID: rowID, sequence: sequence, revision: revision, previous: nil)
      }
    }
    let existing = try reader.document(id: id, includingDeleted: true)
    try check(precondition, existing, id)
    guard let existing else { throw conflict(id) }
    if let mayReplace, try isVisible(existing), try !mayReplace(existing) { throw conflict(id) }
    // A document that has expired is saved again, which removes its expiration.
    if skippingUnchanged, existing.body == body.bytes, try reader.contains(rowID: existing.rowID) {
      if let source, existing.source != source { try setSource(source, rowID: existing.rowID) }
      return Change(
        rowID: existing.rowID, sequence: existing.sequence, revision: existing.revision, previous: existing,
        isUnchanged: true)
    }
    try write(existing.rowID, sequence, revision, isDeleted: false, source, body.bytes)
    counters.lastSequence = sequence
    if existing.isDeleted { counters.documentCount += 1 }
    recordChange(counters, id)
    return Change(
      rowID: existing.rowID, sequence: sequence, revision: revision,
      previous: existing.isDeleted ? nil : existing)
  }

  /// Throws a conflict if the stored document does not satisfy a precondition.
  public func require(_ precondition: Precondition, id: String) throws {
    guard precondition != .none else { return }
    try check(precondition, reader.document(id: id, includingDeleted: true), id)
  }

  /// Returns the tombstone with this id, or nil.
  public func tombstone(id: String) throws -> StoredDocument? {
    try reader.document(id: id, includingDeleted: true).flatMap { $0.isDeleted ? $0 : nil }
  }

  /// Returns the document with this id, or nil.
  public func document(id: String) throws -> StoredDocument? { try reader.document(id: id) }

  /// Deletes a document and leaves a tombstone.
  ///
  /// - Parameter tombstone: the revision of an existing tombstone to replace. Other tombstones are not changed.
  /// - Returns: The change, or nil if the document does not exist or only its tombstone does.
  public func delete(
    id: String, precondition: Precondition = .none, replacing tombstone: Int64? = nil
  ) throws -> Change? {
    try transaction.requireIntact()
    // If another writer has already deleted the document, there is nothing to do: that is not a conflict.
    guard let existing = try reader.document(id: id, includingDeleted: true),
      !existing.isDeleted || existing.revision == tombstone
    else { return nil }
    try check(precondition, existing, id)
    var counters = try transaction.state.collection(collection.id, transaction.db)
    counters.lastSequence += 1
    if !existing.isDeleted { counters.documentCount = max(0, counters.documentCount - 1) }
    let revision = try transaction.state.nextRevision(transaction.db)
    try write(existing.rowID, counters.lastSequence, revision, isDeleted: true, nil, nil)
    recordChange(counters, id)
    return Change(
      rowID: existing.rowID, sequence: counters.lastSequence, revision: revision,
      previous: existing.isDeleted ? nil : existing)
  }

  /// Removes a document or tombstone. Only its id remains, in the purge log with a new sequence number, for readers
  /// that follow the changes.
  ///
  /// - Returns: The removed document, or nil if there was none.
  public func purge(id: String) throws -> StoredDocument? {
    try transaction.requireIntact()
    var counters = try transaction.state.collection(collection.id, transaction.db)
    guard let existing = try reader.document(id: id, includingDeleted: true) else { return nil }
    counters.lastSequence += 1
    try PurgeLog.append(id, sequence: counters.lastSequence, collection: collection, transaction)
    try VersionRecords.remove(rowID: existing.rowID, of: collection, transaction.db)
    let statement = try SQLStatement(
      cached: "DELETE FROM \(collection.table) WHERE rowid = ?", in: transaction.db)
    statement.bind(1, existing.rowID)
    try statement.run()
    if !existing.isDeleted { counters.documentCount = max(0, counters.documentCount - 1) }
    recordChange(counters, id)
    return existing
  }

  /// Records that an unchanged document was read from a source. It gets no new sequence or revision.
  public func setSource(_ source: Int64?, rowID: Int64) throws {
    let statement = try SQLStatement(
      cached: "UPDATE \(collection.table) SET source = ? WHERE rowid = ?", in: transaction.db)
    statement.bind(1, source)
    statement.bind(2, rowID)
    try statement.run()
  }
}

extension DocumentWriter {
  func insertNew(
    id: String, body: DocumentBody, source: Int64?, sequence: Int64, revision: Int64
  ) throws -> Int64? {
    try insert.withText(1, id) {
      insert.bind(2, sequence)
      insert.bind(3, revision)
      insert.bind(4, source)
      try body.bytes.withUnsafeBytes { bytes in
        insert.bind(5, text: bytes)
        try insert.run()
      }
      return insert.changesCount == 0 ? nil : insert.lastInsertedRowID
    }
  }

  func write(
    _ rowID: Int64, _ sequence: Int64, _ revision: Int64, isDeleted: Bool, _ source: Int64?, _ body: [UInt8]?
  ) throws {
    update.bind(1, sequence)
    update.bind(2, revision)
    update.bind(3, isDeleted ? 1 as Int64 : 0)
    update.bind(4, source)
    update.bind(6, rowID)
    guard let body else {
      update.bind(5, nil as Int64?)
      return try update.run()
    }
    try body.withUnsafeBytes { bytes in
      update.bind(5, text: bytes)
      try update.run()
    }
  }

  /// Records a change to a document. Its sequence number is the last sequence in the counters.
  func recordChange(_ counters: WriterState.CollectionCounters, _ id: String) {
    transaction.state.counters.collections[collection.id] = counters
    transaction.state.noteChange(id, in: collection.id, sequence: counters.lastSequence)
  }

  private func check(_ precondition: Precondition, _ existing: StoredDocument?, _ id: String) throws {
    switch precondition {
    case .none: return
    case .absent: if let existing, try isVisible(existing) { throw conflict(id) }
    case .revision(let revision):
      // A tombstone with this revision is not a conflict: the writer itself deleted the document and saves it again.
      if existing?.revision != revision { throw conflict(id) }
    }
  }

  /// Whether reads return a stored document: it is not a tombstone and has not expired.
  private func isVisible(_ existing: StoredDocument) throws -> Bool {
    try !existing.isDeleted && reader.contains(rowID: existing.rowID)
  }

  private func conflict(_ id: String) -> StoreError {
    StoreError(
      .conflict, "the document \"\(id)\" was changed since it was read; read it again and repeat the change")
  }
}

extension DocumentWriter.Precondition {
  fileprivate var needsExisting: Bool {
    if case .revision = self { true } else { false }
  }
}

extension WriteTransaction {
  /// Returns a writer for a collection's documents. Creating one prepares its statements: reuse it for a batch.
  public func documents(in collection: CollectionRecord) throws -> DocumentWriter {
    try DocumentWriter(collection, self)
  }
}
