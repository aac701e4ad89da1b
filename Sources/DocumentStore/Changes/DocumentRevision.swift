import JSONText

/// The key of a document in a file: the row id of its collection and its own id.
public struct DocumentKey: Hashable, Sendable {
  /// The row id of the collection in the catalog.
  public let collection: Int64
  /// The id, which the file compares by bytes.
  private let exactID: ExactString

  /// The document's id.
  public var id: String { exactID.text }

  /// Creates a key.
  public init(collection: Int64, id: String) {
    self.collection = collection
    exactID = ExactString(id)
  }
}

/// A change to an observed document.
public struct DocumentRevision: Hashable, Sendable {
  /// The document.
  public let document: DocumentKey
  /// The sequence number of the change within the collection.
  public let sequence: Int64
}

/// An event of a transaction that changes documents.
public enum CommitEvent: Sendable {
  /// The transaction is about to be committed. The value lists all of its changes to observed documents, although the
  /// file keeps only the last change of each document. Sent before any reader can see the changes.
  case willCommit([DocumentRevision])
  /// The transaction was committed.
  case didCommit
  /// The announced commit failed, so its sequence numbers will be used again.
  case didFail([DocumentRevision])
}
