import DocumentStore
import Foundation
import JSONText

/// A document: an id and JSON properties.
///
/// ```swift
/// if let hotel = try hotels.document(id: "hotel_40") {
///   hotel.string(forKey: "name")
///   hotel["address"]["city"].string
///   hotel.toJSON()
/// }
/// ```
///
/// A document is a snapshot: later changes in the database do not change it. To change a document, edit and save the
/// result of ``toMutable()``:
///
/// ```swift
/// if let hotel = try hotels.document(id: "hotel_40") {
///   try hotels.save(document: hotel.toMutable().setInt(5, forKey: "stars"))
/// }
/// ```
///
/// The JSON text is parsed when a property is first read, one level at a time. ``toJSON()`` of an unedited document
/// returns the stored text without parsing it. Any number of threads can use a document at the same time.
///
/// `@unchecked Sendable`: `state` and `pending` are accessed only under the lock of the object, a `StripedLock`.
/// Replaced values are released outside the lock, because releasing the last reference to a database removes its
/// listeners.
public class Document: DictionaryProtocol, @unchecked Sendable {
  /// The metadata of a document in the file. It changes when the document is saved or deleted.
  struct Version: Sendable {
    var collection: Collection?
    var revision: Int64?
    var sequence: UInt64 = 0
    /// The error that occurred when the document was read. Saving the document throws it.
    var openingError: CBLError?
    /// The text that was saved, and the stamp of the last edit that it includes.
    var saved: (text: [UInt8], editStamp: UInt64)?
  }

  /// The id of the document, unique in its collection.
  public let id: String

  /// The properties.
  let root: DictionaryObject

  private var state = Version()
  /// The transactions whose outcome was unknown at the last access, outermost first, and the version before each of
  /// them.
  private var pending: [(outcome: TransactionOutcome, previous: Version)] = []

  var version: Version {
    get { current { $0 } }
    set {
      _ = StripedLock.of(self).withLock {
        defer { (state, pending) = (newValue, []) }
        return (state, pending)
      }
    }
  }

  /// Returns a part of the version.
  private func current<T>(_ part: (Version) -> T) -> T {
    StripedLock.of(self).withLock { (released: resolvePending(), part: part(state)) }.part
  }

  /// Sets the version that a transaction has written. If the transaction is rolled back, the previous version is
  /// restored.
  func adopt(_ version: Version, _ outcome: TransactionOutcome) {
    _ = StripedLock.of(self).withLock {
      let released = (resolvePending(), state)
      if pending.last?.outcome !== outcome { pending.append((outcome, state)) }
      state = version
      return released
    }
  }

  /// Removes the versions of transactions that have ended, and restores the version before the first one that was
  /// rolled back.
  ///
  /// - Returns: all versions that may have been removed. The caller releases them outside the lock.
  private func resolvePending() -> [Version] {
    guard !pending.isEmpty else { return [] }
    let versions = pending.map(\.previous) + [state]
    if let first = pending.firstIndex(where: { $0.outcome.isRolledBack }) {
      state = pending[first].previous
      pending.removeSubrange(first...)
    }
    pending.removeAll { $0.outcome.isCommitted }
    return versions
  }

  /// The collection that the document was read from or saved to; nil before the first save.
  public var collection: Collection? { current { $0.collection } }

  /// The identifier of this version: the ``timestamp`` in hexadecimal. Nil before the first save.
  public var revisionID: String? { version.revision.map { String($0, radix: 16) } }

  /// The time at which this version was saved, in nanoseconds since 1970; 0 before the first save.
  ///
  /// Timestamps are unique and increase with every change in the database, even if the system clock is set back.
  public var timestamp: UInt64 { version.revision.map { UInt64(clamping: $0) } ?? 0 }

  /// The sequence number of the change that saved this version, counted per collection; 0 before the first save.
  public var sequence: UInt64 { version.sequence }

  init(id: String, root: DictionaryObject) {
    self.id = id
    self.root = root
  }

  convenience init(_ stored: StoredDocument, in collection: Collection) {
    self.init(
      id: stored.id,
      root: DictionaryObject(
        ContainerState(
          JSONSourceText(stored.body), isDictionary: true, isMutable: false, database: collection.database,
          isFromFile: true)))
    self.state = Version(
      collection: collection, revision: stored.revision, sequence: UInt64(clamping: stored.sequence))
  }

  /// The JSON text: the text that was read or saved, or the text of the edited properties.
  var jsonBytes: [UInt8] {
    if let saved = current({ $0.saved }), saved.editStamp == root.editStamp { return saved.text }
    return root.jsonBytes
  }

  /// Returns a copy that can be edited and saved. Edits to the copy do not change this document.
  ///
  /// Saving the copy with ``ConcurrencyControl/failOnConflict`` detects changes since this document was read. A
  /// ``MutableDocument`` returns itself.
  public func toMutable() -> MutableDocument {
    let copy = MutableDocument(id: id, root: root.toMutable())
    copy.version = version
    // The saved text is valid only for the edit stamps of the original's containers, which the copy does not share.
    copy.version.saved = nil
    return copy
  }

  /// The number of properties.
  public var count: Int { root.count }

  /// The keys, in the order of the JSON text.
  public var keys: [String] { root.keys }

  /// Returns the value of a property.
  ///
  /// The result is a `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``. A
  /// number can be cast to every numeric type that represents it exactly, for example with `as? Int64` or `as? Double`.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the value, or nil if the property does not exist.
  public func value(forKey key: String) -> Any? { root.value(forKey: key) }

  /// Returns the value of a property as an array.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array, or nil if the property is missing or of another type.
  public func array(forKey key: String) -> ArrayObject? { root.array(forKey: key) }

  /// Returns the value of a property as a dictionary.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary, or nil if the property is missing or of another type.
  public func dictionary(forKey key: String) -> DictionaryObject? { root.dictionary(forKey: key) }

  /// Returns whether a property exists. A property that is null exists.
  ///
  /// - Parameter key: the key of the property.
  public func contains(key: String) -> Bool { root.contains(key: key) }

  /// Returns all properties, including nested ones, as Swift values. See ``DictionaryProtocol/toDictionary()``.
  public func toDictionary() -> [String: Any] { root.toDictionary() }

  /// Returns the properties as JSON text, without the id of the document. If nothing was edited, it is the stored text.
  ///
  /// - Complexity: O(n) in the length of the text.
  public func toJSON() -> String { String(decoding: jsonBytes, as: UTF8.self) }
}

extension Document: Equatable, Hashable {
  /// Returns whether both documents have the same id, byte for byte, the same collection and equal properties.
  ///
  /// The collections are the same even if they were obtained through different ``Database`` objects for the same file.
  /// The order of properties does not matter, and numbers are compared by value.
  public static func == (one: Document, other: Document) -> Bool {
    guard one !== other else { return true }
    return ExactString(one.id) == ExactString(other.id) && isSame(one.collection, other.collection)
      && one.root == other.root
  }

  private static func isSame(_ one: Collection?, _ other: Collection?) -> Bool {
    guard let one, let other else { return one == other }
    return one.record.id == other.record.id && one.engine.store.sharesDatabase(with: other.engine.store)
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactString(id)) }
}

extension Document: Sequence {
  /// Returns an iterator over the keys.
  public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}

extension Document: CustomStringConvertible {
  /// The id, the revision id and the properties: `hotel_1@18a2b… {"name":"Ghia"}`.
  public var description: String { "\(id)\(revisionID.map { "@\($0)" } ?? "") \(toJSON())" }
}
