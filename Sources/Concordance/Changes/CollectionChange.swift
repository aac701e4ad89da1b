public import Foundation

/// What has changed in a collection: documents that were saved, deleted or purged.
public struct CollectionChange: Sendable {
  /// The collection.
  public let collection: Collection

  /// The ids of the documents, each once, in the order of their last changes. Several commits that came close to each other
  /// may stand in one change.
  ///
  /// What became of a document is not said: ask for it. It may have changed again since.
  public let documentIDs: [String]
}

/// A document that was saved, deleted or purged.
public struct DocumentChange: Sendable {
  /// The document's id. Ask the collection for the document: it may be gone, or have changed again since.
  public let documentID: String

  /// The collection that it is in.
  public let collection: Collection
}

/// What tells listeners of its changes: a ``Collection``.
public protocol CollectionChangeObservable {
  /// Calls `listener` after every change, see ``Collection/addChangeListener(queue:listener:)``.
  func addChangeListener(listener: @escaping (CollectionChange) -> Void) -> ListenerToken

  /// Calls `listener` on a queue after every change, see ``Collection/addChangeListener(queue:listener:)``.
  func addChangeListener(
    queue: DispatchQueue?, listener: @escaping (CollectionChange) -> Void
  ) -> ListenerToken
}
