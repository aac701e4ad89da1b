import DocumentStore
import Foundation
import JSONText

/// A document as it was read: an id and JSON properties.
///
/// ```swift
/// if let hotel = try hotels.document(id: "hotel_40") {
///   hotel.string(forKey: "name")
///   hotel["address"]["city"].string
///   hotel.toJSON()
/// }
/// ```
///
/// A document does not change if the database does. To change it, edit and save the result of ``toMutable()``. Its text
/// is parsed when a property is first read, one level at a time; ``toJSON()`` of an unedited document parses nothing.
/// Any number of threads can use it.
///
/// `@unchecked Sendable`: `state` and `undecided` are accessed only under the lock of the object, a `StripedLock`. What
/// they referred to is released after the lock, because releasing the last reference to a collection may end listeners.
public class Document: DictionaryProtocol, @unchecked Sendable {
  /// What the file knows of a document. It changes when the document is saved.
  struct Version: Sendable {
    var collection: Collection?
    var revision: Int64?
    var sequence: UInt64 = 0
    /// The error if the document could not be read. It cannot be saved then either.
    var openingError: CBLError?
    /// The text that was saved, and the last edit that is in it.
    var saved: (text: [UInt8], editStamp: UInt64)?
  }

  /// The id of the document, unique in its collection.
  public let id: String

  /// The properties.
  let root: DictionaryObject

  private var state = Version()
  /// What ``state`` was before each transaction whose end was not known when it was last asked for, outermost first.
  private var undecided: [(outcome: TransactionOutcome, previous: Version)] = []

  var version: Version {
    get {
      StripedLock.of(self).withLock { (released: settle(), state: state) }.state
    }
    set {
      _ = StripedLock.of(self).withLock {
        defer { (state, undecided) = (newValue, []) }
        return (state, undecided)
      }
    }
  }

  /// Takes over what a transaction makes of the document. When that is rolled back, it never was.
  func adopt(_ version: Version, _ outcome: TransactionOutcome) {
    _ = StripedLock.of(self).withLock {
      let released = settle() + [state]
      if undecided.last?.outcome !== outcome { undecided.append((outcome, state)) }
      state = version
      return released
    }
  }

  /// Drops versions whose transactions have ended, and returns what it may have dropped.
  private func settle() -> [Version] {
    guard !undecided.isEmpty else { return [] }
    let known = undecided.map(\.previous) + [state]
    if let first = undecided.firstIndex(where: { $0.outcome.isRolledBack }) {
      state = undecided[first].previous
      undecided.removeSubrange(first...)
    }
    undecided.removeAll { $0.outcome.isCommitted }
    return known
  }

  /// The collection that the document was read from or saved to; nil before the first save.
  public var collection: Collection? { version.collection }

  /// The identifier of this version: the ``timestamp`` in hexadecimal digits. Nil before the first save.
  public var revisionID: String? { version.revision.map { String($0, radix: 16) } }

  /// The time when this version was saved, in nanoseconds since 1970, later than that of every earlier change of the
  /// database; 0 before the first save.
  public var timestamp: UInt64 { version.revision.map { UInt64(clamping: $0) } ?? 0 }

  /// The number of the change that saved this version, counted in the collection; 0 before the first save.
  public var sequence: UInt64 { version.sequence }

  init(id: String, root: DictionaryObject) {
    self.id = id
    self.root = root
  }

  convenience init(_ stored: StoredDocument, in collection: Collection) {
    let state = ContainerState(
      JSONSourceText(stored.body), isDictionary: true, isMutable: false, database: collection.database, isFromFile: true
    )
    self.init(id: stored.id, root: DictionaryObject(state))
    self.state = Version(
      collection: collection, revision: stored.revision, sequence: UInt64(clamping: stored.sequence))
  }

  /// The JSON text: as it was read or saved, or made of the edited properties.
  var jsonBytes: [UInt8] {
    if let saved = version.saved, saved.editStamp == root.editStamp { return saved.text }
    return root.jsonBytes
  }

  /// Returns a copy that can be edited and saved. It shares nothing with this document.
  public func toMutable() -> MutableDocument {
    let copy = MutableDocument(id: id, root: root.toMutable())
    copy.version = version
    // The text is that of other objects; the copy's own edits begin at nothing.
    copy.version.saved = nil
    return copy
  }

  /// The number of properties.
  public var count: Int { root.count }

  /// The keys, in the order of the text.
  public var keys: [String] { root.keys }

  /// Returns a value by its key.
  ///
  /// The types of the result are `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` and
  /// ``DictionaryObject``. A number can be cast to every numeric type that represents it exactly: `as? Int64`, `as?
  /// Double`.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the value; nil if it does not exist.
  public func value(forKey key: String) -> Any? { root.value(forKey: key) }

  /// Returns an array by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array; nil if it is missing or of another type.
  public func array(forKey key: String) -> ArrayObject? { root.array(forKey: key) }

  /// Returns a dictionary by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary; nil if it is missing or of another type.
  public func dictionary(forKey key: String) -> DictionaryObject? { root.dictionary(forKey: key) }

  /// Returns whether a property exists; null is a value, too.
  ///
  /// - Parameter key: the key of the property.
  public func contains(key: String) -> Bool { root.contains(key: key) }

  /// Returns all properties as Swift values, nested ones too. See ``DictionaryProtocol/toDictionary()``.
  public func toDictionary() -> [String: Any] { root.toDictionary() }

  /// Returns the document as JSON text, without its id: the saved text if nothing was edited.
  ///
  /// - Complexity: O(n) in the length of the text.
  public func toJSON() -> String { String(decoding: jsonBytes, as: UTF8.self) }
}

extension Document: Equatable, Hashable {
  /// Returns whether both have the same id, the same collection and equal properties. A collection is the same if it is
  /// read through two ``Database`` objects of one file.
  public static func == (one: Document, other: Document) -> Bool {
    guard one !== other else { return true }
    return one.id == other.id && isSame(one.collection, other.collection) && one.root == other.root
  }

  private static func isSame(_ one: Collection?, _ other: Collection?) -> Bool {
    guard let one, let other else { return one == other }
    return one.record.id == other.record.id && one.engine.store.sharesFile(with: other.engine.store)
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Document: Sequence {
  /// Returns an iterator over the keys.
  public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}

extension Document: CustomStringConvertible {
  /// The id, the revision and the properties.
  public var description: String { "\(id)\(revisionID.map { "@\($0)" } ?? "") \(toJSON())" }
}
