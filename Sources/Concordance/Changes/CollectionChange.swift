public import Foundation

/// A change of a collection: documents that were saved, deleted or purged.
public struct CollectionChange: Sendable {
  /// The collection.
  public let collection: Collection

  /// The ids of the documents, each once, in the order of their last changes. Several commits in quick succession may
  /// be in one change.
  ///
  /// Read a document to find out what has happened to it; it may have changed again since.
  public let documentIDs: [String]
}

/// A change of a document: it was saved, deleted or purged.
public struct DocumentChange: Sendable {
  /// The id of the document. Read it from the collection; it may not exist any more, or have changed again.
  public let documentID: String

  /// The collection that it is in.
  public let collection: Collection
}

/// A type with listeners for its changes: ``Collection``.
public protocol CollectionChangeObservable {
  /// Calls `listener` after every change, see ``Collection/addChangeListener(queue:listener:)``.
  func addChangeListener(listener: @escaping (CollectionChange) -> Void) -> ListenerToken

  /// Calls `listener` on a queue after every change, see ``Collection/addChangeListener(queue:listener:)``.
  func addChangeListener(
    queue: DispatchQueue?, listener: @escaping (CollectionChange) -> Void
  ) -> ListenerToken
}
