public import Foundation

/// A change to a collection. See ``Collection/addChangeListener(queue:listener:)``.
public struct CollectionChange: Sendable {
  /// The collection.
  public let collection: Collection

  /// The ids of the documents that were saved, deleted or purged.
  ///
  /// Each id occurs once, in the order of the last changes. A change may contain documents from several commits. Read a
  /// document with ``Collection/document(id:)`` to get its current version, which may be newer than this change.
  public let documentIDs: [String]
}

/// A change to a document, which was saved, deleted or purged. See
/// ``Collection/addDocumentChangeListener(id:queue:listener:)``.
public struct DocumentChange: Sendable {
  /// The id of the document. ``Collection/document(id:)`` returns its current version, or nil if it was deleted.
  public let documentID: String

  /// The collection of the document.
  public let collection: Collection

  /// The database of the document.
  @available(*, deprecated, message: "use collection.database")
  public var database: Database { collection.database }
}

/// A type whose changes can be observed. ``Collection`` conforms to it.
public protocol CollectionChangeObservable {
  /// Registers a listener for changes. See ``Collection/addChangeListener(listener:)``.
  ///
  /// - Parameter listener: a closure that is called after changes.
  /// - Returns: a token that removes the listener.
  func addChangeListener(listener: @escaping (CollectionChange) -> Void) -> ListenerToken

  /// Registers a listener for changes that is called on a queue. See ``Collection/addChangeListener(queue:listener:)``.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the listener is called; nil for a serial queue of the database.
  ///   - listener: a closure that is called after changes.
  /// - Returns: a token that removes the listener.
  func addChangeListener(
    queue: DispatchQueue?, listener: @escaping (CollectionChange) -> Void
  ) -> ListenerToken
}
