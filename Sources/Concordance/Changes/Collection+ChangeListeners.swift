public import Foundation
import DocumentStore

extension Collection: CollectionChangeObservable {
  /// Registers a listener for changes of the collection, which is called on a queue of the database.
  ///
  /// - Parameter listener: called after each change; see ``addChangeListener(queue:listener:)``.
  /// - Returns: a token to remove the listener with.
  public func addChangeListener(listener: @escaping (CollectionChange) -> Void) -> ListenerToken {
    addChangeListener(queue: nil, listener: listener)
  }

  /// Registers a listener that is called with the ids of documents that were saved, deleted or purged, by any object,
  /// thread or process.
  ///
  /// ```swift
  /// let token = hotels.addChangeListener(queue: .main) { change in
  ///   print("changed:", change.documentIDs)
  /// }
  /// ```
  ///
  /// - It is called for commits from now on: for a batch after the outermost one has ended, not for changes that were
  ///   rolled back. A listener that is added inside a batch is called for the whole batch.
  /// - Changes of this process are reported immediately, those of other processes within about 0.1 s. Commits in quick
  ///   succession may be reported in one call. Changes that other programs write with SQLite are reported only if they
  ///   update sequence numbers as this library does.
  /// - A listener may do anything: save, add and remove listeners, close the database. It is never called twice at the
  ///   same time.
  /// - It stays registered until ``ListenerToken/remove()`` or until the database is closed. It does not keep the
  ///   database open, unless the closure refers to it or to one of its collections.
  ///
  /// - Parameters:
  ///   - queue: the queue on which it is called. By default a serial queue of the database, which all listeners share;
  ///     not the main queue, which often does not run in servers and commands. Pass `.main` if the closure belongs to
  ///     the main actor.
  ///   - listener: the closure to call.
  /// - Returns: a token to remove the listener with. If the database is closed or the collection was deleted, the
  ///   listener is never called.
  /// - Complexity: a database with listeners checks its file ten times a second for changes of other processes, which
  ///   takes a few microseconds.
  public func addChangeListener(
    queue: DispatchQueue?, listener: @escaping (CollectionChange) -> Void
  ) -> ListenerToken {
    let (record, notifier) = (record, engine.changes)
    // Weak, so that a listener that is never removed does not keep the database open.
    return notifier.token(
      of: notifier.add(to: record, documentID: nil, on: queue ?? notifier.listenerQueue) { [weak database] ids in
        guard let database else { return }
        listener(CollectionChange(collection: Collection(record, in: database), documentIDs: ids))
      })
  }

  /// Registers a listener for changes of a document, which is called on a queue of the database.
  ///
  /// - Parameters:
  ///   - id: the id of the document, which need not exist yet.
  ///   - listener: called after each change; see ``addDocumentChangeListener(id:queue:listener:)``.
  /// - Returns: a token to remove the listener with.
  public func addDocumentChangeListener(
    id: String, listener: @escaping (DocumentChange) -> Void
  ) -> ListenerToken {
    addDocumentChangeListener(id: id, queue: nil, listener: listener)
  }

  /// Registers a listener that is called after a document was saved, deleted or purged.
  ///
  /// It is called once for each change that is committed in this process, also for several changes in one batch. Of the
  /// changes of another process it reports the last one. Everything else is as for
  /// ``addChangeListener(queue:listener:)``.
  ///
  /// - Parameters:
  ///   - id: the id of the document, which need not exist yet.
  ///   - queue: the queue on which it is called; nil for a serial queue of the database.
  ///   - listener: the closure to call.
  /// - Returns: a token to remove the listener with.
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
  /// The token of a listener; a token without effect if there is no listener.
  func token(of listener: ChangeListener?) -> ListenerToken {
    ListenerToken { [weak self] in
      guard let listener else { return }
      // Whether or not the database is still there.
      listener.remove()
      self?.remove(listener)
    }
  }
}
