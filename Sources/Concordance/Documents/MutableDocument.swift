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
/// Edits stay in memory until ``Collection/save(document:)``. An edit leaves all that it does not touch as it was written,
/// numbers and order included.
///
/// `@unchecked Sendable`: the state is that of ``Document`` and of its root, under their locks.
public final class MutableDocument: Document, MutableDictionaryProtocol, @unchecked Sendable {
  /// An empty document with a new id, a UUID.
  public convenience init() { self.init(id: nil) }

  /// An empty document.
  ///
  /// - Parameter id: its id, or nil for a UUID. It is checked when the document is saved.
  public convenience init(id: String?) {
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject())
  }

  /// A document with properties and a new id.
  public convenience init(data: [String: Any]) { self.init(id: nil, data: data) }

  /// A document with properties. See ``setValue(_:forKey:)`` for the types.
  public convenience init(id: String?, data: [String: Any]) {
    self.init(id: id ?? MutableDocument.newID(), root: MutableDictionaryObject(data: data))
  }

  /// A document of JSON text, with a new id.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  public convenience init(json: String) throws { try self.init(id: nil, json: json) }

  /// A document of JSON text, which is kept byte for byte.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  public convenience init(id: String?, json: String) throws {
    let state = ContainerState(try SourceText(checking: json, isDictionary: true), isDictionary: true, isMutable: true)
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

  /// The array, or nil. Edits of it are edits of this document.
  public override func array(forKey key: String) -> MutableArrayObject? { editableRoot.array(forKey: key) }

  /// The dictionary, or nil. Edits of it are edits of this document.
  public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
    editableRoot.dictionary(forKey: key)
  }

  /// Sets a property. See ``MutableDictionaryProtocol/setValue(_:forKey:)``.
  @discardableResult
  public func setValue(_ value: Any?, forKey key: String) -> Self {
    editableRoot.setValue(value, forKey: key)
    return self
  }

  /// Replaces all properties. See ``setValue(_:forKey:)`` for the types.
  @discardableResult
  public func setData(_ data: [String: Any]) -> Self {
    editableRoot.setData(data)
    return self
  }

  /// Replaces all properties by those of JSON text, which is kept byte for byte.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    try editableRoot.setJSON(json)
    return self
  }

  /// Removes a property; does nothing when there is none.
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
    let place = fault.path.isEmpty ? "it" : "\"\(PropertyPath(fault.path))\""
    throw CBLError(CBLError.invalidParameter, "the document \"\(id)\": \(place) \(fault.what)")
  }

  private static func checked(_ text: [UInt8]) throws -> DocumentBody {
    try withPublicErrors { try JSONParser.withShared { try DocumentBody(checking: text, parser: $0) } }
  }
}
