import DocumentStore

extension Collection {
  /// Returns the changes of the collection from this call on, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await change in hotels.changes() {
  ///   print("changed:", change.documentIDs)
  /// }
  /// ```
  ///
  /// Changes are reported as to a listener, see ``addChangeListener(queue:listener:)``, and buffered without limit. The
  /// sequence ends when the database is closed or the collection is deleted. It stops listening when its task is
  /// cancelled or the sequence is released; until then it keeps the database open. Only one loop may iterate over it.
  public func changes() -> AsyncStream<CollectionChange> {
    stream(documentID: nil) { CollectionChange(collection: $0, documentIDs: $1) }
  }

  /// Returns the changes of a document from this call on, as an asynchronous sequence. See ``changes()``.
  ///
  /// - Parameter id: the id of the document, which need not exist yet.
  public func documentChanges(id: String) -> AsyncStream<DocumentChange> {
    stream(documentID: id) { collection, _ in DocumentChange(documentID: id, collection: collection) }
  }

  private func stream<Change: Sendable>(
    documentID: String?, _ change: @escaping (Collection, [String]) -> Change
  ) -> AsyncStream<Change> {
    AsyncStream { continuation in
      let notifier = engine.changes
      let listener = notifier.add(
        to: record, documentID: documentID, on: notifier.queue,
        call: { [weak database, record] ids in
          guard let database else { return }
          continuation.yield(change(Collection(record, in: database), ids))
        },
        onEnd: { continuation.finish() })
      guard let listener else { return continuation.finish() }
      let token = notifier.token(of: listener)
      // Holds the database as long as somebody may ask for changes.
      continuation.onTermination = { _ in withExtendedLifetime(self) { token.remove() } }
    }
  }
}
