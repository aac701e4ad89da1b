/// A document of a file: its collection's number and its id.
public struct DocumentKey: Hashable, Sendable {
  /// The row of the collection in the catalog.
  public let collection: Int64
  /// The document's id.
  public let id: String

  /// Names a document.
  public init(collection: Int64, id: String) {
    self.collection = collection
    self.id = id
  }
}

/// A change of a document that somebody observes.
public struct DocumentRevision: Hashable, Sendable {
  /// The document.
  public let document: DocumentKey
  /// The number of the change within the collection.
  public let sequence: Int64
}

/// What happens to a transaction that has changed documents.
public enum CommitEvent: Sendable {
  /// The transaction is about to be committed. These are the changes of observed documents in it, several for a document that
  /// was saved more than once; the file keeps only the last. It arrives before any reader can see the changes.
  case willCommit([DocumentRevision])
  /// The transaction was committed.
  case didCommit
  /// The commit that was announced has failed, so that its sequence numbers will be used again.
  case didFail([DocumentRevision])
}
