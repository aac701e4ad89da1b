/// Reports that the transmission of a document has succeeded or failed.
public struct ReplicatedDocumentEvent: Sendable, Hashable {
  /// The id of the document.
  public let id: String
  /// Whether the document was sent; otherwise it was received.
  public let isPush: Bool
  /// Whether it is a deletion.
  public let isDeleted: Bool
  /// Whether the document was purged because the user may no longer read it.
  public var isAccessRemoved = false
  /// The error; nil if the receiving database now has the document.
  public let error: ReplicaError?

  /// Creates an event.
  public init(id: String, isPush: Bool, isDeleted: Bool, error: ReplicaError?) {
    self.id = id
    self.isPush = isPush
    self.isDeleted = isDeleted
    self.error = error
  }
}
