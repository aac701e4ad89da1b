import DocumentStore
import Foundation
import JSONText

/// A document that can be edited and saved.
///
/// ```swift
/// let hotel = MutableDocument(id: "hotel_1")
///   .setString("Hotel Ghia", forKey: "name")
///   .setInt(4, forKey: "stars")
/// try hotels.save(document: hotel)
/// ```
///
/// Edits stay in memory until the document is saved with ``Collection/save(document:)``. An edit leaves the rest of the
/// JSON text unchanged: numbers keep their digits, and keys keep their order.
///
/// Edit a stored document with ``Document/toMutable()``:
///
/// ```swift
/// if let hotel = try hotels.document(id: "hotel_1")?.toMutable() {
///   hotel["address"]["city"].string = "Riga"
///   try hotels.save(document: hotel)
/// }
/// ```
///
/// `@unchecked Sendable`: its only state is that of ``Document`` and of the root dictionary, which have their own
/// locks.
public final class MutableDocument: Document, MutableDictionaryProtocol, @unchecked Sendable {
  /// Creates an empty document with a new UUID as its id. The UUID begins with the time of its creation (version 7 of
  /// RFC 9562), so ids sort approximately by time.
  public convenience init() { self.init(id: nil) }

  /// Creates an empty document.
  ///
  /// - Parameter id: the id; nil for a new UUID. The id is checked when the document is saved: it must be 1 to 240
  ///   bytes long and must not begin with `_`.
  public convenience init(id: String?) {
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject())
  }

  /// Creates a document with properties and a new UUID as its id.
  ///
  /// ```swift
  /// let hotel = MutableDocument(data: ["name": "Hotel Ghia", "stars": 4, "tags": ["harbour", "quiet"]])
  /// ```
  ///
  /// - Parameter data: the properties; see ``setValue(_:forKey:)`` for the types.
  public convenience init(data: [String: Any]) { self.init(id: nil, data: data) }

  /// Creates a document with properties.
  ///
  /// - Parameters:
  ///   - id: the id; nil for a new UUID.
  ///   - data: the properties; see ``setValue(_:forKey:)`` for the types.
  public convenience init(id: String?, data: [String: Any]) {
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject(data: data))
  }

  /// Creates a document from JSON text, with a new UUID as its id.
  ///
  /// - Parameter json: a JSON object, which is stored byte for byte unless the document is edited.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  public convenience init(json: String) throws { try self.init(id: nil, json: json) }

  /// Creates a document from JSON text.
  ///
  /// ```swift
  /// let hotel = try MutableDocument(id: "hotel_1", json: #"{"name":"Hotel Ghia","stars":4}"#)
  /// ```
  ///
  /// - Parameters:
  ///   - id: the id; nil for a new UUID.
  ///   - json: a JSON object, which is stored byte for byte unless the document is edited.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  public convenience init(id: String?, json: String) throws {
    let state = ContainerState(
      try JSONSourceText(checking: json, isDictionary: true), isDictionary: true, isMutable: true)
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject(state))
  }

  /// The root dictionary, which can be edited.
  let editableRoot: MutableDictionaryObject

  convenience init(id: String?, root: MutableDictionaryObject) {
    self.init(id: id ?? MutableDocument.newID(), root: root)
  }

  init(id: String, root: MutableDictionaryObject) {
    editableRoot = root
    super.init(id: id, root: root)
  }

  /// Returns this document, as in Couchbase Lite. Edits to the result change this document.
  ///
  /// For a copy, create a document: `MutableDocument(id: document.id, data: document.toDictionary())`.
  public override func toMutable() -> MutableDocument { self }

  /// Returns the value of a property as an array. Edits to the array change this document.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array, or nil if the property is missing or of another type.
  public override func array(forKey key: String) -> MutableArrayObject? { editableRoot.array(forKey: key) }

  /// Returns the value of a property as a dictionary. Edits to the dictionary change this document.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary, or nil if the property is missing or of another type.
  public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
    editableRoot.dictionary(forKey: key)
  }

  /// Sets a property. See ``MutableDictionaryProtocol/setValue(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - value: the value; nil sets null. If JSON cannot represent it, saving the document throws.
  ///   - key: the key of the property.
  /// - Returns: the document itself, so that calls can be chained.
  @discardableResult
  public func setValue(_ value: Any?, forKey key: String) -> Self {
    editableRoot.setValue(value, forKey: key)
    return self
  }

  /// Replaces all properties.
  ///
  /// - Parameter data: the properties; see ``setValue(_:forKey:)`` for the types.
  /// - Returns: the document itself.
  @discardableResult
  public func setData(_ data: [String: Any]) -> Self {
    editableRoot.setData(data)
    return self
  }

  /// Replaces all properties with those of a JSON object, whose text is stored byte for byte.
  ///
  /// - Parameter json: a JSON object.
  /// - Returns: the document itself.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    try editableRoot.setJSON(json)
    return self
  }

  /// Removes a property. Does nothing if the property does not exist.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the document itself.
  @discardableResult
  public func removeValue(forKey key: String) -> Self {
    editableRoot.removeValue(forKey: key)
    return self
  }

  private static func newID() -> String { TimeOrderedUUID.make() }
}

extension MutableDocument {
  /// Replaces all properties with copies of the properties of another document.
  func copyProperties(of other: Document) { editableRoot.moveProperties(from: other.root.toMutable()) }

  /// The data to save: the text, if it is already known, or else the new blobs. Their content must be stored before the
  /// text can be written, because the text contains their digests.
  struct Draft {
    var body: DocumentBody?
    var editStamp: UInt64
    var blobs: [Blob] = []
  }

  /// Checks that all values can be saved, and collects the new blobs.
  ///
  /// - Throws: ``CBLError/invalidParameter`` with the path of a value that cannot be saved.
  func draft(for database: Database) throws -> Draft {
    if let error = version.openingError { throw error }
    // The common case: a document that was created from JSON text and not edited.
    if let (text, stamp) = root.withState({ $0.untouchedText }) {
      return Draft(body: try withPublicErrors { try DocumentBody(object: text) }, editStamp: stamp)
    }
    try requireSavable()
    return Draft(editStamp: 0, blobs: newBlobs(for: database))
  }

  /// Returns the blobs whose content a save in a database may have to store.
  func newBlobs(for database: Database) -> [Blob] {
    guard root.withState({ $0.untouchedText }) == nil else { return [] }
    var blobs: [Blob] = []
    root.forEachNewBlob(for: database) { blobs.append($0) }
    return blobs
  }

  /// Returns the body to save. Must be called after the blobs of the draft are stored, because the body contains their
  /// digests.
  func complete(_ draft: Draft) throws -> (body: DocumentBody, editStamp: UInt64) {
    if let body = draft.body { return (body, draft.editStamp) }
    // Read before the text is written, so that a concurrent edit counts as an edit after the save.
    let editStamp = root.editStamp
    if let saved = version.saved, saved.editStamp == editStamp {
      return (try withPublicErrors { try DocumentBody(object: saved.text) }, editStamp)
    }
    if let text = root.checkedText { return (try withPublicErrors { try DocumentBody(object: text) }, editStamp) }
    return (try MutableDocument.checked(root.jsonBytes), editStamp)
  }

  /// The maximum number of keys and positions of a path in a message.
  private static let maximumPathLength = 50

  private func requireSavable() throws {
    guard let fault = root.fault() else { return }
    if fault.path.isEmpty, root.withState({ $0.damage }) != nil {
      throw CBLError(CBLError.corruptData, "the document \"\(id)\" is damaged in the file: \(fault.reason)")
    }
    // The path of a value in deeply nested arrays would fill the message.
    let isLong = fault.path.count > MutableDocument.maximumPathLength
    let path = PropertyPath(Array(fault.path.prefix(MutableDocument.maximumPathLength)))
    let location = fault.path.isEmpty ? "it" : "\"\(path)\(isLong ? "…" : "")\""
    throw CBLError(CBLError.invalidParameter, "the document \"\(id)\": \(location) \(fault.reason)")
  }

  private static func checked(_ text: [UInt8]) throws -> DocumentBody {
    try withPublicErrors { try JSONParser.withShared { try DocumentBody(checking: text, parser: $0) } }
  }
}
