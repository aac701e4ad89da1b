import DocumentStore

extension Collection {
  /// Returns an asynchronous sequence of the changes that are committed after this call.
  ///
  /// ```swift
  /// for await change in hotels.changes() {
  ///   print("changed:", change.documentIDs)
  /// }
  /// ```
  ///
  /// The elements are the same as for ``addChangeListener(queue:listener:)``. They are buffered without limit until
  /// they are read. The sequence ends when the database is closed, the collection is deleted or the task is cancelled.
  /// Until it ends or is released, it keeps the database open. Only one loop may iterate over a sequence.
  ///
  /// The sequence starts before this method returns, so that no later change is missing: the method reads the number of
  /// the last change from the file, and waits for a read of the changes that is in progress.
  ///
  /// - Returns: the sequence. It is empty if the database is closed or the collection was deleted. It is also empty if
  ///   the changes cannot be read, for example because the process has too many open files; the error is logged.
  public func changes() -> AsyncStream<CollectionChange> {
    stream(documentID: nil) { CollectionChange(collection: $0, documentIDs: $1) }
  }

  /// Returns an asynchronous sequence of the changes to a document that are committed after this call.
  ///
  /// ```swift
  /// for await change in hotels.documentChanges(id: "hotel_1") {
  ///   print(try await change.collection.async.document(id: change.documentID)?.toJSON() ?? "deleted")
  /// }
  /// ```
  ///
  /// The elements are the same as for ``addDocumentChangeListener(id:queue:listener:)``. See ``changes()`` for the
  /// lifetime of the sequence.
  ///
  /// - Parameter id: the id of the document, which need not exist yet.
  /// - Returns: the sequence. It is empty in the same cases as that of ``changes()``.
  public func documentChanges(id: String) -> AsyncStream<DocumentChange> {
    stream(documentID: id) { collection, _ in DocumentChange(documentID: id, collection: collection) }
  }

  private func stream<Change: Sendable>(
    documentID: String?, _ change: @escaping (Collection, [String]) -> Change
  ) -> AsyncStream<Change> {
    AsyncStream { continuation in
      let notifier = engine.changes
      let addition = notifier.add(
        to: record, documentID: documentID, on: notifier.queue,
        call: { [weak database, record] ids in
          guard let database else { return }
          continuation.yield(change(Collection(record, in: database), ids))
        },
        onEnd: { continuation.finish() })
      let token = notifier.token(of: addition)
      guard case .added = addition else { return continuation.finish() }
      // Keeps the database open until the stream ends.
      continuation.onTermination = { _ in withExtendedLifetime(self) { token.remove() } }
    }
  }
}
