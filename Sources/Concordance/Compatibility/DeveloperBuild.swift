// Names of the first developer builds of Couchbase Lite 2, whose programs should still compile: a database there was one
// collection, and a document knew how to save itself.

/// A dictionary inside a document: the older name of ``MutableDictionaryObject``.
public typealias Subdocument = MutableDictionaryObject

/// How a database is opened: the older name of ``DatabaseConfiguration``.
public typealias DatabaseOptions = DatabaseConfiguration

extension Database {
  /// Opens a database. See ``init(name:config:)``.
  public convenience init(name: String, options: DatabaseOptions?) throws {
    try self.init(name: name, config: options ?? DatabaseConfiguration())
  }

  /// A new, empty document for the default collection, with a UUID as its id. It is in the file after
  /// ``MutableDocument/save()``.
  public func document() -> MutableDocument { newDocument(id: nil) }

  /// The document of the default collection with this id, or a new one if it does not exist.
  public func document(withID id: String) -> MutableDocument {
    do {
      return try defaultCollection().document(id: id)?.toMutable() ?? newDocument(id: id)
    } catch {
      // An empty document in the place of one that cannot be read must not be saved over it: saving tells why.
      let document = newDocument(id: id)
      document.version.openingError =
        error as? CBLError ?? CBLError(CBLError.unexpectedError, "the document \"\(id)\" cannot be read: \(error)")
      return document
    }
  }

  private func newDocument(id: String?) -> MutableDocument {
    let document = MutableDocument(id: id)
    // Without a collection, saving throws the reason.
    document.version.collection = try? defaultCollection()
    return document
  }
}

extension MutableDocument {
  /// Saves the document to the collection that it was read from or made for. See ``Collection/save(document:)``.
  ///
  /// - Throws: ``CBLError/notOpen`` when there is none.
  public func save() throws { try home().save(document: self) }

  /// Deletes the document from the collection that it was read from. See ``Collection/delete(document:)``.
  ///
  /// - Throws: ``CBLError/notOpen`` when there is none.
  public func delete() throws { try home().delete(document: self) }

  private func home() throws -> Collection {
    guard let collection else {
      throw CBLError(
        CBLError.notOpen,
        "the document \"\(id)\" belongs to no collection of an open database; use collection.save(document:)")
    }
    return collection
  }
}

extension DictionaryProtocol {
  /// The string, or nil. See ``string(forKey:)``.
  public func getString(_ key: String) -> String? { string(forKey: key) }

  /// All properties as Swift values. See ``toDictionary()``.
  public var properties: [String: Any] { toDictionary() }
}

extension MutableDictionaryProtocol {
  /// All properties as Swift values; setting replaces them all. See ``DictionaryProtocol/toDictionary()`` and ``setData(_:)``.
  public var properties: [String: Any] {
    get { toDictionary() }
    set { setData(newValue) }
  }
}
