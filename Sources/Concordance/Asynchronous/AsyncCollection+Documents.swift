public import Foundation

extension AsyncCollection {
  /// Returns the document with the given id as a value of a `Decodable` type. See ``Collection/document(id:as:)``.
  ///
  /// ```swift
  /// let hotel = try await hotels.async.document(id: "hotel_1", as: Hotel.self)
  /// ```
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - type: the type of the value.
  /// - Returns: the value, or nil if the document does not exist.
  /// - Throws: the same errors as ``Collection/document(id:as:)``; `CancellationError`.
  public func document<T: DocumentDecodable & Sendable>(id: String, as type: T.Type) async throws -> T? {
    try await read { try $0.document(id: id, as: T.self) }
  }

  /// Saves a value as a document. See ``Collection/save(from:)``.
  ///
  /// - Parameter object: the value.
  /// - Throws: the same errors as ``Collection/save(from:)``; `CancellationError`.
  public func save<T: DocumentEncodable & Sendable>(from object: T) async throws {
    _ = try await save(from: object, concurrencyControl: .lastWriteWins)
  }

  /// Saves a value as a document, optionally only if the document has not changed since the value was read. See
  /// ``Collection/save(from:concurrencyControl:)``.
  ///
  /// - Parameters:
  ///   - object: the value.
  ///   - concurrencyControl: whether to overwrite a change that was made after the value was read.
  /// - Returns: true if the document was saved; false if there was a conflict and nothing was saved.
  /// - Throws: the same errors as ``Collection/save(from:)``; `CancellationError`.
  @discardableResult
  public func save<T: DocumentEncodable & Sendable>(
    from object: T, concurrencyControl: ConcurrencyControl
  ) async throws -> Bool {
    let encoded = try EncodedObject(object)
    try await prepareBlobs(of: encoded.document)
    return try await write { try $0.save(encoded, concurrencyControl) }
  }

  /// Saves a document, and calls a handler if the stored document has changed since this one was read. See
  /// ``Collection/save(document:conflictHandler:)``.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - conflictHandler: a closure that receives the document, which it may edit, and the stored document, which is
  ///     nil if it was deleted. It returns whether to save. It runs on a thread of the database.
  /// - Returns: true if the document was saved; false if the handler returned false and nothing was saved.
  /// - Throws: the same errors as ``Collection/save(document:conflictHandler:)``; `CancellationError`.
  @discardableResult
  public func save(
    document: MutableDocument, conflictHandler: @escaping @Sendable (MutableDocument, Document?) throws -> Bool
  ) async throws -> Bool {
    try await prepareBlobs(of: document)
    return try await write { try $0.save(document: document, conflictHandler: conflictHandler) }
  }

  /// Removes a document from the file without leaving a tombstone. See ``Collection/purge(document:)``.
  ///
  /// - Parameter document: the document.
  /// - Throws: the same errors as ``Collection/purge(document:)``; `CancellationError`.
  public func purge(document: Document) async throws { try await write { try $0.purge(document: document) } }

  /// Sets the time at which a document is purged. See ``Collection/setDocumentExpiration(id:expiration:)``.
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - expiration: the time; nil removes the expiration.
  /// - Throws: the same errors as ``Collection/setDocumentExpiration(id:expiration:)``; `CancellationError`.
  public func setDocumentExpiration(id: String, expiration: Date?) async throws {
    try await write { try $0.setDocumentExpiration(id: id, expiration: expiration) }
  }
}
