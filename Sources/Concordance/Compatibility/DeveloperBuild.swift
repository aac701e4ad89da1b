// Names from the first developer builds of Couchbase Lite 2, so that programs for these builds compile. In these
// builds, a database had no collections, and documents were saved with `document.save()`.

/// The older name of ``MutableDictionaryObject``.
public typealias Subdocument = MutableDictionaryObject

/// The older name of ``DatabaseConfiguration``.
public typealias DatabaseOptions = DatabaseConfiguration

extension Database {
  /// Opens the database with the given name. The older form of ``init(name:config:)``.
  ///
  /// - Parameters:
  ///   - name: the file name without `.concord`.
  ///   - options: the options; nil for the default values.
  /// - Throws: the same errors as ``init(name:config:)``.
  public convenience init(name: String, options: DatabaseOptions?) throws {
    try self.init(name: name, config: options ?? DatabaseConfiguration())
  }

  /// Creates an empty document for the default collection, with a UUID as its id. ``MutableDocument/save()`` stores it.
  ///
  /// - Returns: the document.
  public func document() -> MutableDocument { newDocument(id: nil) }

  /// Returns the document of the default collection with the given id, or a new document if it does not exist.
  ///
  /// If the document cannot be read, a new document is returned, and ``MutableDocument/save()`` throws the error.
  ///
  /// - Parameter id: the id of the document.
  /// - Returns: the document.
  public func document(withID id: String) -> MutableDocument {
    do {
      return try defaultCollection().document(id: id)?.toMutable() ?? newDocument(id: id)
    } catch {
      // Saving throws the error, so that an empty document does not overwrite one that could not be read.
      let document = newDocument(id: id)
      document.version.openingError =
        error as? CBLError ?? CBLError(CBLError.unexpectedError, "the document \"\(id)\" cannot be read: \(error)")
      return document
    }
  }

  private func newDocument(id: String?) -> MutableDocument {
    let document = MutableDocument(id: id)
    // If there is no default collection, saving throws an error.
    document.version.collection = try? defaultCollection()
    return document
  }
}

extension MutableDocument {
  /// Saves the document to its collection. See ``Collection/save(document:)``.
  ///
  /// - Throws: ``CBLError``; ``CBLError/notOpen`` if the document has no collection; the errors of
  ///   ``Collection/save(document:)``.
  public func save() throws { try requireCollection().save(document: self) }

  /// Deletes the document from its collection. See ``Collection/delete(document:)``.
  ///
  /// - Throws: ``CBLError``; ``CBLError/notOpen`` if the document has no collection; the errors of
  ///   ``Collection/delete(document:)``.
  public func delete() throws { try requireCollection().delete(document: self) }

  private func requireCollection() throws -> Collection {
    guard let collection else {
      throw CBLError(
        CBLError.notOpen,
        "the document \"\(id)\" does not belong to a collection of an open database; use collection.save(document:)")
    }
    return collection
  }
}

extension DictionaryProtocol {
  /// Returns the value of a property as a string. The older name of ``string(forKey:)``.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the string, or nil if the property is missing or of another type.
  public func getString(_ key: String) -> String? { string(forKey: key) }

  /// All properties as Swift values. See ``toDictionary()``.
  public var properties: [String: Any] { toDictionary() }
}

extension MutableDictionaryProtocol {
  /// All properties as Swift values. Setting it replaces all properties. See ``DictionaryProtocol/toDictionary()`` and
  /// ``setData(_:)``.
  public var properties: [String: Any] {
    get { toDictionary() }
    set { setData(newValue) }
  }
}
