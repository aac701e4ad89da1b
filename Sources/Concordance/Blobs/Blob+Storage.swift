import DocumentStore
import Foundation

// A save has two steps for each blob of the document: `prepare` runs before the transaction, so that other writers do
// not wait while a file is hashed or a slow stream is read, and `install` runs in the transaction.

extension Blob {
  /// Computes the digest if necessary: hashes data and files, and copies a stream to a temporary file.
  ///
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/notFound`` or ``CBLError/cantOpenFile`` if the file of the blob cannot be read.
  ///   - ``CBLError/ioError`` if the stream fails or saves the blob, or the disk is full.
  /// - Complexity: O(n) in the length the first time, O(1) afterwards unless the file of the blob has changed.
  func prepare(for database: Database) throws {
    try withPublicErrors {
      if withState({ $0.origin.isUnread }), database.config.isReadOnly {
        throw CBLError(CBLError.notWriteable, "\(database.name): the database was opened for reading only")
      }
      try spoolStream(in: database.engine.store.folderOfTemporaryFiles)
      try withState { try $0.identify(recheckingFile: true) }
    }
  }

  /// Stores the content in the transaction that saves the document, unless it is already stored. Afterwards the blob is
  /// read from the database. If the transaction is rolled back, it is read from its origin again.
  ///
  /// - Throws: ``CBLError``, after which the transaction can continue:
  ///   - ``CBLError/notFound`` if the content cannot be found.
  ///   - ``CBLError/ioError`` if the file of the blob has changed since `prepare(for:)`.
  /// - Complexity: O(log n) in the number of blobs if the content is already stored, otherwise O(m) in the length.
  func install(in transaction: WriteTransaction, database: Database) throws {
    try withPublicErrors {
      // If the digest is known, the document may already contain it, so a file must not be hashed again.
      if withState({ $0.digest == nil }) { try prepare(for: database) }
      let state = withState { $0 }
      guard let digest = state.digest else {
        throw CBLError(CBLError.unexpectedError, "a blob has no digest, though its content was read")
      }
      if let length = try transaction.blobLength(digest: digest) {
        return didStore(in: database, length: length, digest: digest, transaction)
      }
      try copyContent(digest: digest, from: state, to: database, transaction)
      if let length = try transaction.blobLength(digest: digest) {
        didStore(in: database, length: length, digest: digest, transaction)
      }
    }
  }

  /// Creates a blob from its JSON form. Returns nil if the dictionary is not the JSON form of a blob.
  static func stored(_ properties: [String: Any], in database: Database?) -> Blob? {
    guard isBlob(properties: properties), let digest = properties[blobDigestProperty] as? String else { return nil }
    return Blob(
      digest: digest, length: length(properties[blobLengthProperty]),
      contentType: properties[blobContentType] as? String, database: database)
  }

  private func copyContent(
    digest: String, from state: BlobState, to database: Database, _ transaction: WriteTransaction
  ) throws {
    var sources: [(content: BlobSource, length: Int64)] = []
    if let origin = state.origin.source, let length = state.length { sources.append((origin, Int64(clamping: length))) }
    if let owningDatabase = state.owningDatabase, owningDatabase !== database,
      let length = try owningDatabase.engine.store.blobLength(digest: digest)
    {
      sources.append((.stored(owningDatabase.engine.store, digest: digest), length))
    }
    for source in sources {
      do {
        return try transaction.storeBlob(digest: digest, length: source.length, from: source.content)
      } catch let error as StoreError where [.noSuchBlob, .notFound, .contentChanged].contains(error.kind) {
        // If the blob was stored before, its digest is final, and another source may have the content. Otherwise the
        // file is hashed again by the next save.
        guard state.owningDatabase == nil else { continue }
        withState { if $0.owningDatabase == nil, case .file = $0.origin { ($0.digest, $0.length) = (nil, nil) } }
        throw error
      }
    }
    throw CBLError(
      CBLError.notFound,
      "the content of the blob \(digest) is not in the database \(database.name), so the document cannot be saved: it was "
        + "deleted, or comes from another database; create a Blob with the content and save that")
  }

  /// Sets the database that contains the content, and restores the previous one if the transaction is rolled back.
  ///
  /// The completion handler refers to the blob weakly, so that a batch does not keep all its blobs in memory.
  private func didStore(in database: Database, length: Int64, digest: String, _ transaction: WriteTransaction) {
    let previous: Database?? = withState { state in
      guard state.owningDatabase !== database else { return nil }
      defer { (state.owningDatabase, state.length, state.digest) = (database, UInt64(clamping: length), digest) }
      return .some(state.owningDatabase)
    }
    guard let previous else { return }
    let held = Locked<Database?>(previous)
    let hasPrevious = previous != nil
    transaction.onCompletion { [weak self] isCommitted in
      self?.withState { state in
        if !isCommitted {
          if state.owningDatabase === database { state.owningDatabase = held.withLock { $0 } }
        } else if case .spool = state.origin {
          // Deletes the temporary file.
          state.origin = .none
        }
      }
      // On another thread, because the deinitializer of a database may run application code.
      if hasPrevious { database.engine.releaseOnAnotherThread(held) }
    }
  }
}
