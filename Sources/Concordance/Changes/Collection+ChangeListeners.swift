public import Foundation
import DocumentStore

extension Collection: CollectionChangeObservable {
  /// Calls `listener` after every change of the collection, on a queue of the database; see
  /// ``addChangeListener(queue:listener:)``.
  public func addChangeListener(listener: @escaping (CollectionChange) -> Void) -> ListenerToken {
    addChangeListener(queue: nil, listener: listener)
  }

  /// Calls `listener` with the ids of documents that were saved, deleted or purged, by whatever object, thread or process.
  ///
  /// ```swift
  /// let token = hotels.addChangeListener(queue: .main) { change in
  ///   print("changed:", change.documentIDs)
  /// }
  /// ```
  ///
  /// It hears of what is committed from now on: of a batch when the outermost one has ended, of nothing that was rolled
  /// back; added inside a batch, of all of that batch. Changes of this process are told at once, those of others within
  /// about a tenth of a second. Commits that come close to each other may be told in one call. Documents that other
  /// programs write with SQLite are heard of only when they count sequence numbers as this library does.
  ///
  /// A listener may do anything: save, add and remove listeners, close the database. It is never called twice at a time,
  /// and stays until ``ListenerToken/remove()`` or until the database is closed. It does not keep the database open, unless
  /// the closure itself holds it or one of its collections.
  ///
  /// - Parameters:
  ///   - queue: where it runs. By default a serial queue of the database, on which other listeners wait for it, and not the
  ///     main queue, which in servers and commands often nobody runs. Give `.main` where the closure belongs to the main
  ///     actor.
  ///   - listener: what to call.
  /// - Returns: what to remove the listener by. When the database is closed or the collection was deleted, the listener is
  ///   never called.
  /// - Complexity: a database that anybody listens to asks its file ten times a second for changes of other processes, which
  ///   takes a few microseconds.
  public func addChangeListener(
    queue: DispatchQueue?, listener: @escaping (CollectionChange) -> Void
  ) -> ListenerToken {
    let (record, notifier) = (record, engine.changes)
    // Weak, so that a listener that nobody removes does not keep the database open.
    return notifier.token(
      of: notifier.add(to: record, documentID: nil, on: queue ?? notifier.listenerQueue) { [weak database] ids in
        guard let database else { return }
        listener(CollectionChange(collection: Collection(record, in: database), documentIDs: ids))
      })
  }

  /// Calls `listener` after every change of a document, on a queue of the database; see
  /// ``addDocumentChangeListener(id:queue:listener:)``.
  public func addDocumentChangeListener(
    id: String, listener: @escaping (DocumentChange) -> Void
  ) -> ListenerToken {
    addDocumentChangeListener(id: id, queue: nil, listener: listener)
  }

  /// Calls `listener` after a document was saved, deleted or purged; it need not exist yet. It is called once for each change
  /// that is committed in this process, also when there are several in one batch. Of changes that another process has made
  /// since the file was last asked, it hears the last one. Everything else is as for ``addChangeListener(queue:listener:)``.
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
  /// The token of a listener; one without effect where there is none.
  func token(of listener: ChangeListener?) -> ListenerToken {
    ListenerToken { [weak self] in
      guard let listener else { return }
      // Whether or not the database is still there.
      listener.remove()
      self?.remove(listener)
    }
  }
}
