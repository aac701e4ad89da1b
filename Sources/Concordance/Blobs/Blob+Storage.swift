import DocumentStore
import Foundation

// Saving a document takes two steps for each of its blobs: `prepare` outside of the transaction, so that nobody waits while
// a file is hashed or a slow stream is read, and `install` inside it.

extension Blob {
  /// Reads what is not known yet: hashes data and files, copies a stream into a temporary file beside the database.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notWriteable``, ``CBLError/notFound`` or ``CBLError/cantOpenFile`` for the file of
  ///   the blob, ``CBLError/ioError`` for a stream that fails and a full disk.
  /// - Complexity: O(n) the first time, O(1) afterwards, unless the blob's file was changed.
  func prepare(for database: Database) throws {
    try withPublicErrors {
      try withState { state in
        if case .stream = state.origin, database.config.isReadOnly {
          throw CBLError(CBLError.notWriteable, "\(database.name): the database was opened for reading only")
        }
        let path = database.path ?? ""
        try state.identify(spoolingIn: PathComponents.folder(of: path), recheckingFile: true)
      }
    }
  }

  /// Stores the content in the transaction that saves the document, unless it is stored. From then on the blob reads from
  /// the database; where the transaction is rolled back, from where it came.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` where the content is nowhere, ``CBLError/ioError`` where the blob's file
  ///   has changed since it was prepared. The transaction can go on.
  /// - Complexity: O(log n) in the number of blobs for one that is stored, else O(n) in the length.
  func install(in transaction: WriteTransaction, database: Database) throws {
    try withPublicErrors {
      // A digest that is known stands in the document already, so a file is not looked at again.
      if withState({ $0.digest == nil }) { try prepare(for: database) }
      let state = withState { $0 }
      guard let digest = state.digest else {
        throw CBLError(CBLError.unexpectedError, "a blob has no digest, though its content was read")
      }
      if let length = try transaction.blobLength(digest: digest) {
        return settle(in: database, length: length, digest: digest, transaction)
      }
      try copyContent(digest: digest, from: state, to: database, transaction)
      if let length = try transaction.blobLength(digest: digest) {
        settle(in: database, length: length, digest: digest, transaction)
      }
    }
  }

  /// Returns the blob of a JSON object, or nil if the object is not a blob.
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
        // What was stored before has a digest that documents know; the content may still be somewhere else.
        guard state.owningDatabase == nil else { continue }
        withState { if $0.owningDatabase == nil, case .file = $0.origin { ($0.digest, $0.length) = (nil, nil) } }
        throw error
      }
    }
    throw CBLError(
      CBLError.notFound,
      "the content of the blob \(digest) is not in the database \(database.name), so no document can be saved with it: it "
        + "was deleted, or comes from another database; make a Blob with the content and save that")
  }

  /// Notes where the content is stored from now on. Where it is held weakly nobody asks any more, and a batch of many
  /// blobs does not keep them all in memory.
  private func settle(in database: Database, length: Int64, digest: String, _ transaction: WriteTransaction) {
    let previous: Database?? = withState { state in
      guard state.owningDatabase !== database else { return nil }
      defer { (state.owningDatabase, state.length, state.digest) = (database, UInt64(clamping: length), digest) }
      return .some(state.owningDatabase)
    }
    guard let previous else { return }
    transaction.onCompletion { [weak self] isCommitted in
      self?.withState { state in
        if !isCommitted {
          if state.owningDatabase === database { state.owningDatabase = previous }
        } else if case .spool = state.origin {
          // Gives the space on the disk back.
          state.origin = .none
        }
      }
    }
  }
}
