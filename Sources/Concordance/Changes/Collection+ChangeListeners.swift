public import Foundation
import DocumentStore

extension Collection: CollectionChangeObservable {
  /// Registers a listener for changes to the collection. It is called on a serial queue of the database.
  ///
  /// - Parameter listener: a closure that is called after changes; see ``addChangeListener(queue:listener:)``.
  /// - Returns: a token that removes the listener.
  @discardableResult
  public func addChangeListener(listener: @escaping (CollectionChange) -> Void) -> ListenerToken {
    addChangeListener(queue: nil, listener: listener)
  }

  /// Registers a listener for changes to the collection. It is called with the ids of documents that were saved,
  /// deleted or purged by any object, thread or process.
  ///
  /// ```swift
  /// let token = hotels.addChangeListener(queue: .main) { change in
  ///   print("changed:", change.documentIDs)
  /// }
  /// ```
  ///
  /// The listener is called for changes that are committed after this call. Changes in a batch are reported after the
  /// outermost batch is committed, and changes that were rolled back are not reported. A listener that is added inside
  /// a batch is called for all changes in the batch.
  ///
  /// Changes made by this process are reported within a few milliseconds, those made by other processes within about
  /// 0.1 s. Commits in quick succession may be reported in one call. Changes that other programs write with SQLite are
  /// reported only if they update sequence numbers as this library does.
  ///
  /// A listener may call any method: it may save documents, add and remove listeners, and close the database. Calls to
  /// the same listener never overlap.
  ///
  /// The listener stays registered until ``ListenerToken/remove()`` is called or the database is closed. It does not
  /// keep the database open unless the closure refers to the database or one of its collections.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the listener is called. If nil, it is a serial queue of the database that all
  ///     listeners share. It is not the main queue, because many servers and command-line tools do not run it. Pass
  ///     `.main` if the closure is isolated to the main actor.
  ///   - listener: the closure to call.
  /// - Returns: a token that removes the listener. If the database is closed or the collection was deleted, the
  ///   listener is never called. This is also the case if the changes cannot be read when the listener is added, for
  ///   example because the process has too many open files; the error is logged.
  /// - Complexity: while a database has listeners, it checks its file for changes by other processes ten times per
  ///   second. Each check takes a few microseconds.
  @discardableResult
  public func addChangeListener(
    queue: DispatchQueue?, listener: @escaping (CollectionChange) -> Void
  ) -> ListenerToken {
    let (record, notifier) = (record, engine.changes)
    // The reference is weak, so that a listener that is never removed does not keep the database open.
    return notifier.token(
      of: notifier.add(to: record, documentID: nil, on: queue ?? notifier.listenerQueue) { [weak database] ids in
        guard let database else { return }
        listener(CollectionChange(collection: Collection(record, in: database), documentIDs: ids))
      })
  }

  /// Registers a listener for changes to a document. It is called on a serial queue of the database.
  ///
  /// - Parameters:
  ///   - id: the id of the document, which need not exist yet.
  ///   - listener: a closure that is called after each change; see ``addDocumentChangeListener(id:queue:listener:)``.
  /// - Returns: a token that removes the listener.
  @discardableResult
  public func addDocumentChangeListener(
    id: String, listener: @escaping (DocumentChange) -> Void
  ) -> ListenerToken {
    addDocumentChangeListener(id: id, queue: nil, listener: listener)
  }

  /// Registers a listener for changes to a document. It is called after the document was saved, deleted or purged.
  ///
  /// ```swift
  /// let token = hotels.addDocumentChangeListener(id: "hotel_1", queue: .main) { change in
  ///   let hotel = try? change.collection.document(id: change.documentID)
  ///   print(hotel?.string(forKey: "name") ?? "deleted")
  /// }
  /// ```
  ///
  /// It is called once for each change that this process commits, even if a batch contains several changes to the
  /// document. If another thread's batch is open when the listener is added, it is called once for the changes that the
  /// batch has already made to the document. If another process makes several changes in quick succession, only the
  /// last one may be reported. In all other respects, it behaves as described for
  /// ``addChangeListener(queue:listener:)``.
  ///
  /// - Parameters:
  ///   - id: the id of the document, which need not exist yet.
  ///   - queue: the queue on which the listener is called; nil for a serial queue of the database.
  ///   - listener: the closure to call.
  /// - Returns: a token that removes the listener.
  @discardableResult
  public func addDocumentChangeListener(
    id: String, queue: DispatchQueue?, listener: @escaping (DocumentChange) -> Void
  ) -> ListenerToken {
    let (record, notifier) = (record, engine.changes)
    return notifier.token(
      of: notifier.add(to: record, documentID: id, on: queue ?? notifier.listenerQueue) { [weak database] _ in
        guard let database else { return }
        listener(DocumentChange(documentID: id, collection: Collection(record, in: database)))
      })
  }
}

extension ChangeNotifier {
  /// Returns a token that removes a listener. If no listener was added, the token has no effect.
  func token(of addition: ListenerAddition) -> ListenerToken {
    switch addition {
    case .added(let listener): return token(of: listener)
    case .ended: return ListenerToken {}
    case .failed(let error):
      log.warning("a listener receives no changes", error)
      return ListenerToken {}
    }
  }

  /// Returns a token that removes a listener.
  func token(of listener: ChangeListener) -> ListenerToken {
    ListenerToken { [weak self] in
      // The listener is removed even if the notifier has already been released.
      listener.remove()
      self?.remove(listener)
    }
  }
}
