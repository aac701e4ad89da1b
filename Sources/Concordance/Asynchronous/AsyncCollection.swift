import DocumentStore

/// A ``Collection`` for tasks. See ``AsyncDatabase``.
///
/// ```swift
/// let results = try await notes.async.search("steeping")
/// try await notes.async.save(document: note)
/// ```
public struct AsyncCollection: Sendable {
  /// The collection.
  public let collection: Collection

  // MARK: Searching

  /// Searches with the defaults. See ``Collection/search(_:)-(String)``.
  public func search(_ query: String) async throws -> SearchResults { try await search(SearchRequest(query)) }

  /// Finds the documents that match a query best. See ``Collection/search(_:)-(SearchRequest)``.
  public func search(_ request: SearchRequest) async throws -> SearchResults {
    try await read { try $0.search(request) }
  }

  /// Finds the documents that are most similar to one of the collection. See ``Collection/search(like:limit:)``.
  public func search(like documentID: String, limit: Int = 10) async throws -> SearchResults {
    try await read { try $0.search(like: documentID, limit: limit) }
  }

  /// Returns the number of documents that match. See ``Collection/count(matching:)``.
  public func count(matching request: SearchRequest) async throws -> Int {
    try await read { try $0.count(matching: request) }
  }

  // MARK: Documents

  /// Returns the document with an id, or nil. See ``Collection/document(id:)``.
  public func document(id: String) async throws -> Document? { try await read { try $0.document(id: id) } }

  /// Saves a document. See ``Collection/save(document:)``. Many documents belong in ``AsyncDatabase/inBatch(using:)``.
  public func save(document: MutableDocument) async throws { try await write { try $0.save(document: document) } }

  /// Saves a document unless somebody else changed it since it was read, if that is asked for. See
  /// ``Collection/save(document:concurrencyControl:)``.
  ///
  /// - Returns: false when there was a conflict and nothing was saved.
  @discardableResult
  public func save(document: MutableDocument, concurrencyControl: ConcurrencyControl) async throws -> Bool {
    try await write { try $0.save(document: document, concurrencyControl: concurrencyControl) }
  }

  /// Deletes a document. See ``Collection/delete(document:)``.
  public func delete(document: Document) async throws { try await write { try $0.delete(document: document) } }

  /// Deletes a document unless somebody else changed it since it was read, if that is asked for. See
  /// ``Collection/delete(document:concurrencyControl:)``.
  ///
  /// - Returns: false when there was a conflict and nothing was deleted.
  @discardableResult
  public func delete(document: Document, concurrencyControl: ConcurrencyControl) async throws -> Bool {
    try await write { try $0.delete(document: document, concurrencyControl: concurrencyControl) }
  }

  /// Removes a document without a tombstone. See ``Collection/purge(id:)``.
  public func purge(id: String) async throws { try await write { try $0.purge(id: id) } }

  // MARK: Indexes

  /// Creates an index and fills it. See ``Collection/createIndex(withName:config:)``.
  public func createIndex(withName name: String, config: any IndexConfiguration) async throws {
    try await write { try $0.createIndex(withName: name, config: config) }
  }

  private func read<T: Sendable>(_ body: @escaping @Sendable (Collection) throws -> T) async throws -> T {
    let collection = collection
    return try await collection.engine.readers.run { try body(collection) }
  }

  private func write<T: Sendable>(_ body: @escaping @Sendable (Collection) throws -> T) async throws -> T {
    let collection = collection
    return try await collection.engine.writer.run(beginsInTransaction: true) { try body(collection) }
  }
}

extension Collection {
  /// The asynchronous calls of the collection. See ``AsyncDatabase``.
  public var async: AsyncCollection { AsyncCollection(collection: self) }
}
