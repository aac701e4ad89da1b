import DocumentStore

extension Collection {
  /// Returns the document with the given id as a value of a `Decodable` type.
  ///
  /// ```swift
  /// let hotel = try hotels.document(id: "hotel_1", as: Hotel.self)
  /// ```
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - type: the type of the value.
  /// - Returns: the value, or nil if the document does not exist.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/decodingError`` if a property cannot be decoded; the message contains its path.
  ///   - the errors of ``document(id:)``.
  public func document<T: DocumentDecodable>(id: String, as type: T.Type) throws -> T? {
    try document(id: id).map { try $0.data(as: type) }
  }

  /// Saves a value as a document. It replaces a stored document with the same id.
  ///
  /// ```swift
  /// let hotel = Hotel(name: "Ghia", opened: Date())
  /// try hotels.save(from: hotel)
  /// print(hotel.id ?? "")  // the generated id
  /// ```
  ///
  /// Afterwards the ``DocumentID`` of the value contains the id of the document, which is generated if it was nil.
  ///
  /// - Parameter object: the value.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the type has no ``DocumentID``, or more than one.
  ///   - ``CBLError/encodingError`` if a property contains a value that JSON cannot represent.
  ///   - the errors of ``save(document:)``.
  public func save<T: DocumentEncodable>(from object: T) throws {
    _ = try save(from: object, concurrencyControl: .lastWriteWins)
  }

  /// Saves a value as a document, optionally only if the document has not changed since the value was read.
  ///
  /// ```swift
  /// guard var hotel = try hotels.document(id: "hotel_1", as: Hotel.self) else { return }
  /// hotel.stars = 5
  /// if try !hotels.save(from: hotel, concurrencyControl: .failOnConflict) { print("conflict") }
  /// ```
  ///
  /// - Parameters:
  ///   - object: the value.
  ///   - concurrencyControl: whether to overwrite a change that was made after the value was read.
  /// - Returns: true if the document was saved; false if there was a conflict and nothing was saved.
  /// - Throws: the same errors as ``save(from:)``.
  @discardableResult
  public func save<T: DocumentEncodable>(from object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try save(EncodedObject(object), concurrencyControl)
  }

  /// Saves an encoded value, which refers to the document afterwards.
  func save(_ encoded: EncodedObject, _ concurrencyControl: ConcurrencyControl) throws -> Bool {
    guard try save(document: encoded.document, concurrencyControl: concurrencyControl) else { return false }
    encoded.id.document = encoded.document
    return true
  }

  /// Saves a value as a document, and calls a handler if the document has changed since the value was read.
  ///
  /// ```swift
  /// try hotels.save(from: hotel) { mine, stored in
  ///   guard let stored else { return false }  // deleted
  ///   mine.name = stored.name
  ///   return true
  /// }
  /// ```
  ///
  /// In the example, `Hotel` is a class. A struct cannot be changed by the closure.
  ///
  /// - Parameters:
  ///   - object: the value.
  ///   - conflictHandler: a closure that receives the value and the stored value, which is nil if the document was
  ///     deleted. If the value is an instance of a class, the closure may change it. It returns whether to save.
  /// - Returns: true if the document was saved; false if the handler returned false and nothing was saved.
  /// - Throws: the same errors as ``save(from:)``; the errors of the handler.
  @discardableResult
  public func save<T: DocumentCodable>(
    from object: T, conflictHandler: (T, T?) throws -> Bool
  ) throws -> Bool {
    let encoded = try EncodedObject(object)
    let isSaved = try save(document: encoded.document) { document, stored in
      guard try conflictHandler(object, stored.map { try $0.data(as: T.self) }) else { return false }
      // The handler may have changed the object.
      document.editableRoot.moveProperties(from: try EncodedObject(object).document.editableRoot)
      return true
    }
    if isSaved { encoded.id.document = encoded.document }
    return isSaved
  }

  /// Deletes the document of a value, and leaves a tombstone.
  ///
  /// - Parameter object: the value, as it was read or saved.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the type has no ``DocumentID``, or more than one.
  ///   - ``CBLError/notFound`` if the document does not exist.
  ///   - the errors of ``delete(document:)``.
  public func delete<T: DocumentEncodable>(for object: T) throws {
    _ = try delete(for: object, concurrencyControl: .lastWriteWins)
  }

  /// Deletes the document of a value, optionally only if it has not changed since the value was read.
  ///
  /// - Parameters:
  ///   - object: the value, as it was read or saved.
  ///   - concurrencyControl: whether to delete a version that was saved after the value was read.
  /// - Returns: true if the document is deleted; false if there was a conflict and nothing was deleted.
  /// - Throws: the same errors as ``delete(for:)``.
  @discardableResult
  public func delete<T: DocumentEncodable>(for object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try delete(document: savedDocument(of: object), concurrencyControl: concurrencyControl)
  }

  /// Removes the document of a value from the file without leaving a tombstone.
  ///
  /// - Parameter object: the value, as it was read or saved.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the type has no ``DocumentID``, or more than one.
  ///   - ``CBLError/notFound`` if the document does not exist.
  ///   - the errors of ``purge(document:)``.
  public func purge<T: DocumentEncodable>(for object: T) throws { try purge(document: savedDocument(of: object)) }

  /// Returns the document that a value was read from or saved to. If the value only has an id, the stored document is
  /// read.
  private func savedDocument<T: DocumentEncodable>(of object: T) throws -> Document {
    let id = try DocumentID.property(of: object)
    if let document = id.document { return document }
    guard let name = id.wrappedValue, let stored = try document(id: name) else {
      let reason = id.wrappedValue.map { "\"\($0)\" is not in \(fullName)" } ?? "it was never saved"
      throw CBLError(CBLError.notFound, "the object of type \(T.self) has no document: \(reason)")
    }
    return stored
  }
}

/// A value that was encoded as a document, before the document is saved.
struct EncodedObject: Sendable {
  /// The encoded document, with the version that the value was read from.
  let document: MutableDocument
  /// The id of the value. After the save it refers to the document.
  let id: DocumentID

  /// Encodes a value.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if the value has no ``DocumentID`` or more than one;
  ///   ``CBLError/encodingError`` if it cannot be encoded as a dictionary of properties.
  init<T: Encodable>(_ object: T) throws {
    id = try DocumentID.property(of: object)
    let encoder = PropertyEncoder(documentID: id)
    do {
      try object.encode(to: encoder)
    } catch {
      throw CodingFailure.encoding(error, "a value of type \(T.self)")
    }
    guard let root = encoder.value as? MutableDictionaryObject else {
      throw CBLError(
        CBLError.encodingError,
        "a value of type \(T.self) cannot be a document, because it is not encoded as a dictionary of properties"
      )
    }
    document = MutableDocument(id: id.wrappedValue, root: root)
    if let known = id.document {
      document.version = known.version
      document.version.saved = nil
    }
  }
}
