public import JSONText

/// A collection that an active peer replicates.
public struct ReplicatedCollection: Sendable {
  /// The collection.
  public let collection: any ReplicaCollection
  /// The id of its checkpoint, which is derived from the database, the peer, and the replicated documents.
  public let checkpointID: String
  /// The ids of the documents to replicate; nil for all.
  public let documentIDs: Set<ExactString>?
  /// The Sync Gateway channels to pull; empty for all.
  public let channels: [String]

  /// Creates a description.
  public init(
    collection: any ReplicaCollection, checkpointID: String, documentIDs: Set<ExactString>?, channels: [String]
  ) {
    self.collection = collection
    self.checkpointID = checkpointID
    self.documentIDs = documentIDs
    self.channels = channels
  }
}
