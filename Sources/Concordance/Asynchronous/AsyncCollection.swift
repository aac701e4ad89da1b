import DocumentStore

/// The asynchronous methods of a ``Collection``. See ``AsyncDatabase``.
///
/// ```swift
/// let results = try await notes.async.search("steeping")
/// try await notes.async.save(document: note)
/// ```
///
/// Get it with ``Collection/async``. See ``AsyncDatabase`` for cancellation.
public struct AsyncCollection: Sendable {
  /// The collection.
  public let collection: Collection

  // MARK: Searching

  /// Searches with the default options. See ``Collection/search(_:)-(String)``.
  ///
  /// - Parameter query: the query, which may be any text.
  /// - Returns: the hits, best first.
  /// - Throws: the same errors as ``Collection/search(_:)-(SearchRequest)``; `CancellationError`.
  public func search(_ query: String) async throws -> SearchResults { try await search(SearchRequest(query)) }

  /// Finds the documents that best match a query. See ``Collection/search(_:)-(SearchRequest)``.
  ///
  /// ```swift
  /// var request = SearchRequest("green tea")
  /// request.limit = 5
  /// let results = try await notes.async.search(request)
  /// ```
  ///
  /// - Parameter request: the query and its options.
  /// - Returns: the hits.
  /// - Throws: the same errors as ``Collection/search(_:)-(SearchRequest)``; `CancellationError`.
  public func search(_ request: SearchRequest) async throws -> SearchResults {
    try await read { try $0.search(request) }
  }

  /// Finds the documents that are most similar to a document. See ``Collection/search(like:limit:)``.
  ///
  /// - Parameters:
  ///   - documentID: the id of the document.
  ///   - limit: the maximum number of hits.
  /// - Returns: the hits, most similar first.
  /// - Throws: the same errors as ``Collection/search(like:limit:)``; `CancellationError`.
  public func search(like documentID: String, limit: Int = 10) async throws -> SearchResults {
    try await read { try $0.search(like: documentID, limit: limit) }
  }

  /// Returns the number of documents that match a query. See ``Collection/count(matching:)``.
  ///
  /// - Parameter request: the query and its options.
  /// - Throws: the same errors as ``Collection/count(matching:)``; `CancellationError`.
  public func count(matching request: SearchRequest) async throws -> Int {
    try await read { try $0.count(matching: request) }
  }

  // MARK: Documents

  /// Returns the document with the given id. See ``Collection/document(id:)``.
  ///
  /// - Parameter id: the id of the document.
  /// - Returns: the document, or nil if it does not exist.
  /// - Throws: the same errors as ``Collection/document(id:)``; `CancellationError`.
  public func document(id: String) async throws -> Document? { try await read { try $0.document(id: id) } }

  /// Saves a document. See ``Collection/save(document:)``.
  ///
  /// To save many documents, use ``AsyncDatabase/inBatch(using:)``, which is much faster.
  ///
  /// The content of new blobs is read before the document waits for other changes, which can be saved in the meantime.
  /// If the task is cancelled while the stream of a blob is read, the blob cannot be saved afterwards, because a stream
  /// can be read only once.
  ///
  /// - Parameter document: the document.
  /// - Throws: the same errors as ``Collection/save(document:)``; `CancellationError`.
  public func save(document: MutableDocument) async throws {
    try await prepareBlobs(of: document)
    try await write { try $0.save(document: document) }
  }

  /// Saves a document, optionally only if it has not changed since it was read. See
  /// ``Collection/save(document:concurrencyControl:)``.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - concurrencyControl: whether to overwrite a change that was made since the document was read.
  /// - Returns: true if the document was saved; false if there was a conflict and nothing was saved.
  /// - Throws: the same errors as ``Collection/save(document:)``; `CancellationError`.
  @discardableResult
  public func save(document: MutableDocument, concurrencyControl: ConcurrencyControl) async throws -> Bool {
    try await prepareBlobs(of: document)
    return try await write { try $0.save(document: document, concurrencyControl: concurrencyControl) }
  }

  /// Deletes a document. See ``Collection/delete(document:)``.
  ///
  /// - Parameter document: the document.
  /// - Throws: the same errors as ``Collection/delete(document:)``; `CancellationError`.
  public func delete(document: Document) async throws { try await write { try $0.delete(document: document) } }

  /// Deletes a document, optionally only if it has not changed since it was read. See
  /// ``Collection/delete(document:concurrencyControl:)``.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - concurrencyControl: whether to delete a version that was saved since the document was read.
  /// - Returns: true if the document is deleted; false if there was a conflict and nothing was deleted.
  /// - Throws: the same errors as ``Collection/delete(document:)``; `CancellationError`.
  @discardableResult
  public func delete(document: Document, concurrencyControl: ConcurrencyControl) async throws -> Bool {
    try await write { try $0.delete(document: document, concurrencyControl: concurrencyControl) }
  }

  /// Removes a document from the file without leaving a tombstone. See ``Collection/purge(id:)``.
  ///
  /// - Parameter id: the id of the document.
  /// - Throws: the same errors as ``Collection/purge(id:)``; `CancellationError`.
  public func purge(id: String) async throws { try await write { try $0.purge(id: id) } }

  // MARK: Indexes

  /// Creates an index and adds all documents to it. See ``Collection/createIndex(withName:config:)``.
  ///
  /// ```swift
  /// try await hotels.async.createIndex(withName: "by_city", config: ValueIndexConfiguration(["city"]))
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the index, unique in the collection.
  ///   - config: the kind and definition of the index.
  /// - Throws: the same errors as ``Collection/createIndex(withName:config:)``; `CancellationError`.
  public func createIndex(withName name: String, config: any IndexConfiguration) async throws {
    try await write { try $0.createIndex(withName: name, config: config) }
  }

  /// Calls `body` on a thread for reads.
  func read<T: Sendable>(_ body: @escaping @Sendable (Collection) throws -> T) async throws -> T {
    let collection = collection
    return try await collection.engine.readers.run { try body(collection) }
  }

  /// Reads the content of a document's new blobs, so that the thread for writes does not wait for a slow stream.
  func prepareBlobs(of document: MutableDocument) async throws {
    let database = collection.database
    // Checked without the lock of the blob, which another thread holds while it reads a file: waiting for it would
    // block a thread of Swift's cooperative pool.
    let blobs = document.newBlobs(for: database).filter { !$0.isPrepared }
    guard !blobs.isEmpty else { return }
    try await collection.engine.blobReaders.run { for blob in blobs { try blob.prepare(for: database) } }
  }

  /// Calls `body` on a thread for writes.
  func write<T: Sendable>(_ body: @escaping @Sendable (Collection) throws -> T) async throws -> T {
    let collection = collection
    return try await collection.engine.writer.run(beginsInTransaction: true) { try body(collection) }
  }
}

extension Collection {
  /// The asynchronous methods of the collection. See ``AsyncDatabase``.
  public var async: AsyncCollection { AsyncCollection(collection: self) }
}
