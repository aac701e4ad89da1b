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
/// Edits stay in memory until ``Collection/save(document:)``. An edit leaves the rest of the text unchanged: numbers
/// keep their digits, and keys their order.
///
/// `@unchecked Sendable`: the state is that of ``Document`` and of its root, under their locks.
public final class MutableDocument: Document, MutableDictionaryProtocol, @unchecked Sendable {
  /// Makes an empty document with a new UUID as its id.
  public convenience init() { self.init(id: nil) }

  /// Makes an empty document.
  ///
  /// - Parameter id: its id; nil for a new UUID. It is checked when the document is saved.
  public convenience init(id: String?) {
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject())
  }

  /// Makes a document with properties and a new UUID as its id.
  ///
  /// - Parameter data: the properties; see ``setValue(_:forKey:)`` for the types.
  public convenience init(data: [String: Any]) { self.init(id: nil, data: data) }

  /// Makes a document with properties.
  ///
  /// - Parameters:
  ///   - id: its id; nil for a new UUID.
  ///   - data: the properties; see ``setValue(_:forKey:)`` for the types.
  public convenience init(id: String?, data: [String: Any]) {
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject(data: data))
  }

  /// Makes a document of a JSON text, with a new UUID as its id.
  ///
  /// - Parameter json: a JSON object, which is stored byte for byte.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  public convenience init(json: String) throws { try self.init(id: nil, json: json) }

  /// Makes a document of a JSON text.
  ///
  /// - Parameters:
  ///   - id: its id; nil for a new UUID.
  ///   - json: a JSON object, which is stored byte for byte.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  public convenience init(id: String?, json: String) throws {
    let state = ContainerState(
      try JSONSourceText(checking: json, isDictionary: true), isDictionary: true, isMutable: true)
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject(state))
  }

  /// The properties, which can be edited.
  let editableRoot: MutableDictionaryObject

  convenience init(id: String?, root: MutableDictionaryObject) {
    self.init(id: id ?? MutableDocument.newID(), root: root)
  }

  init(id: String, root: MutableDictionaryObject) {
    editableRoot = root
    super.init(id: id, root: root)
  }

  /// Returns an array by its key. Edits of the array change this document.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array; nil if it is missing or of another type.
  public override func array(forKey key: String) -> MutableArrayObject? { editableRoot.array(forKey: key) }

  /// Returns a dictionary by its key. Edits of the dictionary change this document.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary; nil if it is missing or of another type.
  public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
    editableRoot.dictionary(forKey: key)
  }

  /// Sets a property. See ``MutableDictionaryProtocol/setValue(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - value: the value; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the document itself.
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

  /// Replaces all properties by those of a JSON text, which is stored byte for byte.
  ///
  /// - Parameter json: a JSON object.
  /// - Returns: the document itself.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    try editableRoot.setJSON(json)
    return self
  }

  /// Removes a property. Does nothing if it does not exist.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the document itself.
  @discardableResult
  public func removeValue(forKey key: String) -> Self {
    editableRoot.removeValue(forKey: key)
    return self
  }

  private static func newID() -> String { UUID().uuidString.lowercased() }
}

extension MutableDocument {
  /// Takes copies of all properties of another document.
  func takeProperties(of other: Document) { editableRoot.takeProperties(of: other.root.toMutable()) }

  /// What is to be saved: the text where it is known already, and the blobs whose content must be stored before the text can
  /// be made.
  struct Draft {
    var body: DocumentBody?
    var editStamp: UInt64
    var blobs: [Blob] = []
  }

  /// Sees to it that all values can be saved.
  ///
  /// - Throws: ``CBLError/invalidParameter`` with the path to what cannot be kept.
  func draft(for database: Database) throws -> Draft {
    if let error = version.openingError { throw error }
    // Most documents are saved as they were given.
    if let (text, stamp) = root.withState({ $0.untouchedText }) {
      return Draft(body: try withPublicErrors { try DocumentBody(object: text) }, editStamp: stamp)
    }
    try requireSavable()
    var blobs: [Blob] = []
    root.forEachNewBlob(for: database) { blobs.append($0) }
    return Draft(editStamp: 0, blobs: blobs)
  }

  /// The same with a text, made now that all blobs have digests.
  func complete(_ draft: Draft) throws -> (body: DocumentBody, editStamp: UInt64) {
    if let body = draft.body { return (body, draft.editStamp) }
    // Asked before the text is made: an edit that another thread makes meanwhile then counts as one after it.
    let editStamp = root.editStamp
    if let saved = version.saved, saved.editStamp == editStamp {
      return (try withPublicErrors { try DocumentBody(object: saved.text) }, editStamp)
    }
    if let text = root.checkedText { return (try withPublicErrors { try DocumentBody(object: text) }, editStamp) }
    return (try MutableDocument.checked(root.jsonBytes), editStamp)
  }

  private func requireSavable() throws {
    guard let fault = root.fault() else { return }
    if fault.path.isEmpty, root.withState({ $0.damage }) != nil {
      throw CBLError(CBLError.corruptData, "the document \"\(id)\" is damaged in the file: \(fault.what)")
    }
    let location = fault.path.isEmpty ? "it" : "\"\(PropertyPath(fault.path))\""
    throw CBLError(CBLError.invalidParameter, "the document \"\(id)\": \(location) \(fault.what)")
  }

  private static func checked(_ text: [UInt8]) throws -> DocumentBody {
    try withPublicErrors { try JSONParser.withShared { try DocumentBody(checking: text, parser: $0) } }
  }
}
