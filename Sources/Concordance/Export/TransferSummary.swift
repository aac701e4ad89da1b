/// What an export or an import has done.
public struct TransferSummary: Hashable, Sendable {
  /// Documents that were written, or saved.
  public var documentCount = 0
  /// Documents that an import left as they were. See ``DatabaseImport/ExistingDocuments/skip``.
  public var skippedCount = 0
  /// Collections.
  public var collectionCount = 0
  /// Blobs.
  public var blobCount = 0
  /// Indexes.
  public var indexCount = 0

  /// Nothing done yet.
  public init() {}
}
