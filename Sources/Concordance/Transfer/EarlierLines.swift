import DocumentStore

/// Recognizes the documents of earlier lines of an import, which later lines with different content do not replace.
struct EarlierLines {
  /// What the import reads.
  enum Source {
    case lines
    /// Collections of another database. Ids are unique in each, so two documents have equal ids only if several
    /// collections are imported into one.
    case collections
  }

  private let source: Source
  /// The last sequence of each collection before the import wrote to it.
  private var sequences: [Int64: Int64] = [:]
  /// The rows of documents that lines have left unchanged, by collection.
  private var unchangedRows: [Int64: RowIDBitmap] = [:]

  init(_ source: Source = .lines) { self.source = source }

  /// Returns the message for a document that an earlier line has saved with different content.
  func message(ofRepeated id: String, in collection: String) -> String {
    switch source {
    case .lines:
      "the document \"\(id)\" of \(collection) is on an earlier line with different content; "
        + "give each document a unique id"
    case .collections:
      "another imported collection has a document with this id and different content; "
        + "import them into separate collections"
    }
  }

  /// Notes that the import writes to a collection. Call it before the first change.
  mutating func begin(_ collection: CollectionRecord, _ transaction: WriteTransaction) throws {
    if sequences[collection.id] == nil { sequences[collection.id] = try transaction.lastSequence(of: collection) }
  }

  /// Notes that a line has left a document unchanged.
  mutating func noteUnchanged(row: Int64, of collection: CollectionRecord) {
    unchangedRows[collection.id, default: RowIDBitmap()].insert(row)
  }

  /// Returns whether the document is that of an earlier line or, during the import, another program has saved it.
  func contains(_ document: StoredDocument, of collection: CollectionRecord) -> Bool {
    document.sequence > sequences[collection.id, default: .max]
      || unchangedRows[collection.id]?.contains(document.rowID) == true
  }
}
