/// Documents and blobs that have been read but not saved yet.
struct CouchbaseLitePart: Sendable {
  /// A document or a blob.
  struct Item {
    /// The description in messages.
    let name: String
    let traits: Traits
  }

  /// Properties of a document that the summary counts if the document is saved.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// It has conflicting revisions.
    static let isConflicted = Traits(rawValue: 1)
    /// It contains binary data.
    static let hasData = Traits(rawValue: 2)
    /// Its expiration time is too far in the future to be stored.
    static let lacksExpiration = Traits(rawValue: 4)
  }

  var batch = TransferBatch()
  /// The documents and blobs. Their indexes are the line numbers of the batch.
  private(set) var items: [Item] = []
  /// The number of rows that were read.
  var rowCount = 0

  /// The maximum of ``rowCount``, so that progress is reported even if all rows are tombstones.
  static let maximumRowCount = 100_000

  mutating func append(_ change: TransferBatch.Change, _ name: String, _ traits: Traits = []) {
    items.append(Item(name: name, traits: traits))
    batch.append(change, line: items.count - 1)
  }
}
