/// The numbers of an export or an import.
public struct TransferSummary: Hashable, Sendable {
  /// The number of exported or saved documents.
  public var documentCount = 0
  /// The number of documents that an import has skipped, see ``DatabaseImport/ExistingDocuments/skip``.
  public var skippedCount = 0
  /// The number of collections.
  public var collectionCount = 0
  /// The number of blobs.
  public var blobCount = 0
  /// The number of indexes.
  public var indexCount = 0

  /// Makes a summary with zeros.
  public init() {}
}
