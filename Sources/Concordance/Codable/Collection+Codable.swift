import DocumentStore

extension Collection {
  /// The document with this id as a value of a type, or nil.
  ///
  /// ```swift
  /// let hotel = try hotels.document(id: "hotel_1", as: Hotel.self)
  /// ```
  ///
  /// - Throws: ``CBLError/decodingError`` with the path to the property that does not fit, and as ``document(id:)``.
  public func document<T: DocumentDecodable>(id: String, as type: T.Type) throws -> T? {
    try document(id: id).map { try decode($0, as: type) }
  }

  /// Saves a value as a document, in the place of whatever stands there.
  ///
  /// Afterwards its ``DocumentID`` holds the id.
  ///
  /// - Throws: ``CBLError/encodingError`` when the type has no ``DocumentID`` or holds what JSON cannot, and as
  ///   ``save(document:)``.
  public func save<T: DocumentEncodable>(from object: T) throws {
    _ = try save(from: object, concurrencyControl: .lastWriteWins)
  }

  /// Saves a value as a document unless that was changed by somebody else since it was read, if that is asked for.
  ///
  /// - Returns: false when there was a conflict and nothing was saved.
  /// - Throws: as ``save(from:)``.
  @discardableResult
  public func save<T: DocumentEncodable>(from object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
    let encoded = try EncodedObject(object)
    guard try save(document: encoded.document, concurrencyControl: concurrencyControl) else { return false }
    encoded.id.document = encoded.document
    return true
  }

  /// Saves a value as a document, and asks what to do when that was changed by somebody else since it was read.
  ///
  /// - Parameters:
  ///   - object: what to save.
  ///   - conflictHandler: gets the value, which it may change where it is an object of a class, and what is stored now, or
  ///     nil where that was deleted. It returns whether to save.
  /// - Returns: false when the handler refused and nothing was saved.
  /// - Throws: as ``save(from:)``.
  @discardableResult
  public func save<T: DocumentCodable>(
    from object: T, conflictHandler: (T, T?) throws -> Bool
  ) throws -> Bool {
    let encoded = try EncodedObject(object)
    let isSaved = try save(document: encoded.document) { document, stored in
      guard try conflictHandler(object, stored.map { try decode($0, as: T.self) }) else { return false }
      // The handler may have changed the object.
      document.editableRoot.takeProperties(of: try EncodedObject(object).document.editableRoot)
      return true
    }
    if isSaved { encoded.id.document = encoded.document }
    return isSaved
  }

  /// Deletes the document of a value.
  ///
  /// - Throws: ``CBLError/notFound`` when there is none, and as ``delete(document:)``.
  public func delete<T: DocumentEncodable>(for object: T) throws {
    _ = try delete(for: object, concurrencyControl: .lastWriteWins)
  }

  /// Deletes the document of a value unless it was changed by somebody else since it was read, if that is asked for.
  ///
  /// - Returns: false when there was a conflict and nothing was deleted.
  /// - Throws: ``CBLError/notFound`` when there is none, and as ``delete(document:)``.
  @discardableResult
  public func delete<T: DocumentEncodable>(for object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try delete(document: savedDocument(of: object), concurrencyControl: concurrencyControl)
  }

  /// Removes every trace of the document of a value.
  ///
  /// - Throws: ``CBLError/notFound`` when there is none.
  public func purge<T: DocumentEncodable>(for object: T) throws { try purge(document: savedDocument(of: object)) }

  private func decode<T: Decodable>(_ document: Document, as type: T.Type) throws -> T {
    do {
      return try PropertyDecoder(document, document: document).decode(type)
    } catch {
      throw CodingFailure.decoding(error, "the document \"\(document.id)\" as \(type)")
    }
  }

  /// The document that an object was read from or saved to; where it only has an id, the one that is stored.
  private func savedDocument<T: DocumentEncodable>(of object: T) throws -> Document {
    let id = try EncodedObject(object).id
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
    let encoder = PropertyEncoder()
    do {
      try object.encode(to: encoder)
    } catch {
      throw CodingFailure.encoding(error, "a value of the type \(T.self)")
    }
    guard let root = encoder.value as? MutableDictionaryObject else {
      throw CBLError(
        CBLError.encodingError, "a value of the type \(T.self) is no dictionary of properties, so it is no document")
    }
    guard let id = encoder.findings.documentID, !encoder.findings.hasSeveralIDs else {
      let count = encoder.findings.documentID == nil ? "no property" : "more than one property"
      throw CBLError(
        CBLError.encodingError,
        "\(T.self) has \(count) for the id of its document; declare one: @DocumentID var id: String?")
    }
    self.id = id
    document = MutableDocument(id: id.wrappedValue, root: root)
    if let known = id.document {
      document.version = known.version
      document.version.saved = nil
    }
  }
}
