import SQLiteAccess

/// Insertion of several documents with one statement. SQLite takes less than half of the time that one statement for
/// each takes, because it opens the table and its indexes once.
extension DocumentWriter {
  /// A document to insert.
  public struct NewDocument {
    let id: String
    let body: DocumentBody

    public init(id: String, body: DocumentBody) {
      self.id = id
      self.body = body
    }
  }

  /// The number of documents of a group. Larger groups are not much faster, and one that contains an existing document
  /// takes more time.
  public static let groupSize = 16

  /// Inserts documents if none of their ids is stored.
  ///
  /// - Parameters:
  ///   - documents: ``groupSize`` documents.
  ///   - source: the source that they were read from.
  /// - Returns: the changes in the order of the documents; nil if nothing was inserted, because a document or tombstone
  ///   has one of the ids, two documents have the same id, or the store does not insert groups.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/badDocumentID``; errors of SQLite, after which the transaction
  ///   can only be rolled back.
  public func insertGroup(_ documents: [NewDocument], source: Int64?) throws -> [Change]? {
    // SQLite has no UPSERT for virtual tables.
    guard documents.count == DocumentWriter.groupSize, transaction.remote == nil else { return nil }
    for document in documents { try DocumentIDRule.check(document.id) }
    try transaction.requireIntact()
    let last = try lastRow()
    // SQLite assigns consecutive rows up to the largest possible one.
    guard last < Int64.max - Int64(documents.count) else { return nil }
    var counters = try transaction.state.collection(collection.id, transaction.db)
    let changes = try documents.indices.map { number in
      Change(
        rowID: last + 1 + Int64(number), sequence: counters.lastSequence + 1 + Int64(number),
        revision: try transaction.state.nextRevision(transaction.db), previous: nil)
    }
    guard try insert(documents, changes, source, after: last) else { return nil }
    counters.documentCount += Int64(documents.count)
    for (document, change) in zip(documents, changes) {
      counters.lastSequence = change.sequence
      recordChange(counters, document.id)
    }
    return changes
  }

  /// Inserts the documents, or none of them if one exists.
  ///
  /// - Returns: whether they were inserted.
  private func insert(
    _ documents: [NewDocument], _ changes: [Change], _ source: Int64?, after last: Int64
  ) throws -> Bool {
    do {
      let statement = try SQLStatement(
        cached: DocumentWriter.groupInsertion(into: collection.table), in: transaction.db)
      try DocumentWriter.run(statement, documents[...], changes[...], source)
      guard statement.changesCount == documents.count else {
        try deleteRows(after: last)
        return false
      }
      guard statement.lastInsertedRowID == changes.last?.rowID else {
        throw StoreError(.corrupt, "new documents were stored in unexpected rows", recovery: .rebuildIndexes)
      }
      return true
    } catch {
      // Some of the rows may be stored.
      transaction.fail(error)
      throw error
    }
  }

  /// FAIL keeps the rows before an error, such as a sequence that exists. Otherwise SQLite would copy each page before
  /// it changes it, to restore all pages after an error.
  private static func groupInsertion(into table: String) -> String {
    """
    INSERT OR FAIL INTO \(table) (id, sequence, revision, source, body) VALUES \(groupRows) ON CONFLICT (id) DO NOTHING
    """
  }

  private static let groupRows = String.sqlRows(groupSize, columnCount: 5)

  /// Binds the documents and runs the statement. It calls itself for the rest of the documents, because the memory of
  /// the bound values must stay valid until the statement has run.
  private static func run(
    _ statement: SQLStatement, _ documents: ArraySlice<NewDocument>, _ changes: ArraySlice<Change>, _ source: Int64?
  ) throws {
    guard let document = documents.first, let change = changes.first else { return try statement.run() }
    let parameter = Int32(groupSize - documents.count) * 5 + 1
    try statement.withText(parameter, document.id) {
      statement.bind(parameter + 1, change.sequence)
      statement.bind(parameter + 2, change.revision)
      statement.bind(parameter + 3, source)
      try document.body.bytes.withUnsafeBytes { bytes in
        statement.bind(parameter + 4, text: bytes)
        try run(statement, documents.dropFirst(), changes.dropFirst(), source)
      }
    }
  }

  private func lastRow() throws -> Int64 {
    let statement = try SQLStatement(cached: "SELECT max(rowid) FROM \(collection.table)", in: transaction.db)
    defer { statement.reset() }
    return try statement.step() ? statement.row.int64(0) : 0
  }

  private func deleteRows(after row: Int64) throws {
    let statement = try SQLStatement(cached: "DELETE FROM \(collection.table) WHERE rowid > ?", in: transaction.db)
    statement.bind(1, row)
    try statement.run()
  }
}
