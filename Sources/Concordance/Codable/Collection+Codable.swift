import DocumentStore

extension Collection {
  /// Returns the document with an id, decoded as a type.
  ///
  /// ```swift
  /// let hotel = try hotels.document(id: "hotel_1", as: Hotel.self)
  /// ```
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - type: the type.
  /// - Returns: the value; nil if the document does not exist.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/decodingError`` with the path of the property that does not fit.
  ///   - the errors of ``document(id:)``.
  public func document<T: DocumentDecodable>(id: String, as type: T.Type) throws -> T? {
    try document(id: id).map { try decode($0, as: type) }
  }

  /// Saves a value as a document. It replaces any document with the same id.
  ///
  /// Afterwards the ``DocumentID`` of the value has the id.
  ///
  /// - Parameter object: the value.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the type has no ``DocumentID`` or several.
  ///   - ``CBLError/encodingError`` if it contains a value that JSON cannot represent.
  ///   - the errors of ``save(document:)``.
  public func save<T: DocumentEncodable>(from object: T) throws {
    _ = try save(from: object, concurrencyControl: .lastWriteWins)
  }

  /// Saves a value as a document, optionally only if nobody else has changed it since it was read.
  ///
  /// - Parameters:
  ///   - object: the value.
  ///   - concurrencyControl: whether to overwrite a change that was made since the value was read.
  /// - Returns: false if there was a conflict and nothing was saved.
  /// - Throws: ``CBLError`` as ``save(from:)``.
  @discardableResult
  public func save<T: DocumentEncodable>(from object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
    let encoded = try EncodedObject(object)
    guard try save(document: encoded.document, concurrencyControl: concurrencyControl) else { return false }
    encoded.id.document = encoded.document
    return true
  }

  /// Saves a value as a document, and calls a handler if somebody else has changed it since it was read.
  ///
  /// - Parameters:
  ///   - object: the value.
  ///   - conflictHandler: gets the value, which it may change if it is an object of a class, and the stored one, or nil
  ///     if that was deleted. It returns whether to save.
  /// - Returns: false if the handler returned false and nothing was saved.
  /// - Throws: ``CBLError`` as ``save(from:)``; the errors of the handler.
  @discardableResult
  public func save<T: DocumentCodable>(
    from object: T, conflictHandler: (T, T?) throws -> Bool
  ) throws -> Bool {
    let encoded = try EncodedObject(object)
    let isSaved = try save(document: encoded.document) { document, stored in
      guard try conflictHandler(object, stored.map { try decode($0, as: T.self) }) else { return false }
      // The handler may have changed the object.
      document.editableRoot.moveProperties(from: try EncodedObject(object).document.editableRoot)
      return true
    }
    if isSaved { encoded.id.document = encoded.document }
    return isSaved
  }

  /// Deletes the document of a value.
  ///
  /// - Parameter object: the value, as it was read or saved.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the type has no ``DocumentID`` or several.
  ///   - ``CBLError/notFound`` if the document does not exist.
  ///   - the errors of ``delete(document:)``.
  public func delete<T: DocumentEncodable>(for object: T) throws {
    _ = try delete(for: object, concurrencyControl: .lastWriteWins)
  }

  /// Deletes the document of a value, optionally only if nobody else has changed it since it was read.
  ///
  /// - Parameters:
  ///   - object: the value, as it was read or saved.
  ///   - concurrencyControl: whether to delete a version that was saved since the value was read.
  /// - Returns: false if there was a conflict and nothing was deleted.
  /// - Throws: ``CBLError`` as ``delete(for:)``.
  @discardableResult
  public func delete<T: DocumentEncodable>(for object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try delete(document: savedDocument(of: object), concurrencyControl: concurrencyControl)
  }

  /// Removes the document of a value without a tombstone.
  ///
  /// - Parameter object: the value, as it was read or saved.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the type has no ``DocumentID`` or several.
  ///   - ``CBLError/notFound`` if the document does not exist.
  public func purge<T: DocumentEncodable>(for object: T) throws { try purge(document: savedDocument(of: object)) }

  private func decode<T: Decodable>(_ document: Document, as type: T.Type) throws -> T {
    do {
      let value = try PropertyDecoder(document) { _ in DocumentID(document) }.decode(type)
      // Those that the type's own coding keys leave out.
      for (_, id) in DocumentID.properties(of: value) { id.document = document }
      return value
    } catch {
      throw CodingFailure.decoding(error, "the document \"\(document.id)\" as \(type)")
    }
  }

  /// The document that an object was read from or saved to; where it only has an id, the one that is stored.
  private func savedDocument<T: DocumentEncodable>(of object: T) throws -> Document {
    let id = try DocumentID.property(of: object)
    if let document = id.document { return document }
    guard let name = id.wrappedValue, let stored = try document(id: name) else {
      let known = id.wrappedValue.map { "\"\($0)\" is not in \(fullName)" } ?? "it was never saved"
      throw CBLError(CBLError.notFound, "the object of the type \(T.self) has no document: \(known)")
    }
    return stored
  }
}

/// A value as a document, before it is saved.
private struct EncodedObject {
  let document: MutableDocument
  let id: DocumentID

  init<T: Encodable>(_ object: T) throws {
    id = try DocumentID.property(of: object)
    let encoder = PropertyEncoder(documentID: id)
    do {
      try object.encode(to: encoder)
    } catch {
      throw CodingFailure.encoding(error, "a value of the type \(T.self)")
    }
    guard let root = encoder.value as? MutableDictionaryObject else {
      throw CBLError(
        CBLError.encodingError,
        "a value of the type \(T.self) encodes itself as something other than a dictionary of properties, which a document is"
      )
    }
    document = MutableDocument(id: id.wrappedValue, root: root)
    if let known = id.document {
      document.version = known.version
      document.version.saved = nil
    }
  }
}
