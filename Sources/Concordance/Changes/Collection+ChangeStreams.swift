import DocumentStore

extension Collection {
  /// The changes of the collection from this call on, as a sequence.
  ///
  /// ```swift
  /// for await change in hotels.changes() {
  ///   print("changed:", change.documentIDs)
  /// }
  /// ```
  ///
  /// What is told, and when, is as for ``addChangeListener(queue:listener:)``. Changes wait without limit until they are
  /// asked for. The sequence ends when the database is closed or the collection deleted, and at once when it already is. It
  /// stops listening when its task is cancelled or the sequence is let go; until then it keeps the database open. Only one
  /// loop may go through it.
  public func changes() -> AsyncStream<CollectionChange> {
    stream(documentID: nil) { CollectionChange(collection: $0, documentIDs: $1) }
  }

  /// The changes of a document from this call on, as a sequence; see ``changes()``.
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
