/// The result of an export or an import: how many documents, collections, blobs and indexes it has processed.
///
/// See ``Database/exportLines(of:onDamagedDocument:_:)`` and ``DatabaseImport/finish(progress:)``.
public struct TransferSummary: Hashable, Sendable {
  /// The number of exported or saved documents.
  public var documentCount = 0
  /// The number of documents that an import did not save because the same bytes, and the same expiration if the line
  /// has one, were already stored. They keep their revisions and sequences.
  public var unchangedCount = 0
  /// The number of documents that an export omitted because their text is damaged.
  public var damagedCount = 0
  /// The number of existing documents that an import kept; see ``DatabaseImport/ExistingDocuments/skip``.
  public var skippedCount = 0
  /// The number of exported collections or, for an import, of lines that declare a collection.
  public var collectionCount = 0
  /// The number of exported or stored blobs.
  public var blobCount = 0
  /// The number of exported or created indexes.
  public var indexCount = 0

  /// Creates a summary in which all counts are 0.
  public init() {}

  /// Adds the counts of another summary.
  mutating func add(_ other: TransferSummary) {
    documentCount += other.documentCount
    unchangedCount += other.unchangedCount
    damagedCount += other.damagedCount
    skippedCount += other.skippedCount
    collectionCount += other.collectionCount
    blobCount += other.blobCount
    indexCount += other.indexCount
  }
}
