import DocumentStore
public import Foundation
import JSONText

/// A document as it was read: an id and JSON properties.
///
/// ```swift
/// if let hotel = try hotels.document(id: "hotel_40") {
///   hotel.string(forKey: "name")
///   hotel.toJSON()
/// }
/// ```
///
/// A document does not change when the database does. To change it, take ``toMutable()`` and save that. The JSON text
/// is parsed when a property is first asked for; ``toJSON()`` of an unedited document parses nothing.
public class Document: DictionaryProtocol {
  /// The document's id, unique in its collection.
  public let id: String

  /// The collection that the document was read from or saved to; nil before the first save.
  public internal(set) var collection: Collection?

  /// Identifies this version of the document: hexadecimal digits of its ``timestamp``. Nil before the first save.
  public var revisionID: String? { revision.map { String($0, radix: 16) } }

  /// When this version was saved, in nanoseconds since 1970, above the timestamp of every earlier change of the
  /// database; 0 before the first save.
  public var timestamp: UInt64 { revision.map { UInt64(clamping: $0) } ?? 0 }

  /// The number of the change that saved this version, counted in the collection; 0 before the first save.
  public internal(set) var sequence: UInt64 = 0

  var revision: Int64?
  /// The text as it was read or given; nil when properties were changed since.
  var body: DocumentBody?
  private var parsed: DocumentProperties?
  /// Why the text cannot be read. Such a document is not saved over what is left of it.
  private(set) var damage: CBLError?

  init(id: String, body: DocumentBody) {
    self.id = id
    self.body = body
  }

  init(id: String, properties: DocumentProperties) {
    self.id = id
    parsed = properties
  }

  convenience init(_ stored: StoredDocument, in collection: Collection) {
    self.init(id: stored.id, body: DocumentBody(of: stored))
    self.collection = collection
    revision = stored.revision
    sequence = UInt64(clamping: stored.sequence)
  }

  var properties: DocumentProperties {
    get {
      if let parsed { return parsed }
      let properties = parse()
      parsed = properties
      return properties
    }
    set {
      parsed = newValue
      body = nil
    }
  }

  /// The text was checked when it was saved, so a fault here means a damaged file; `verify` reports it.
  private func parse() -> DocumentProperties {
    guard let body else { return DocumentProperties() }
    do {
      return try DocumentProperties(json: body.bytes)
    } catch {
      damage = CBLError(CBLError.corruptData, "the document \"\(id)\" is damaged in the file: \(error)")
      return DocumentProperties()
    }
  }

  /// The JSON text: as it was saved, or made of the changed properties.
  var jsonBytes: [UInt8] { body?.bytes ?? properties.json }

  /// A copy that can be changed.
  public func toMutable() -> MutableDocument {
    let copy = body.map { MutableDocument(id: id, body: $0) } ?? MutableDocument(id: id, properties: properties)
    copy.collection = collection
    copy.revision = revision
    copy.sequence = sequence
    copy.damage = damage
    return copy
  }

  /// The document as JSON text, without its id.
  public func toJSON() -> String { String(decoding: jsonBytes, as: UTF8.self) }

  /// The number of properties.
  public var count: Int { properties.members.count }

  /// The keys, in the order of the text.
  public var keys: [String] { properties.members.map(\.key) }

  /// The value as `String`, `Int`, `Double`, `Bool`, `NSNull`, `[Any]` or `[String: Any]`; nil where there is none.
  public func value(forKey key: String) -> Any? { properties[key]?.swiftValue }

  /// The string, or nil.
  public func string(forKey key: String) -> String? {
    if case .string(let value)? = properties[key] { value } else { nil }
  }

  /// The number or boolean, or nil.
  public func number(forKey key: String) -> NSNumber? {
    switch properties[key] {
    case .boolean(let value): NSNumber(value: value)
    case .int64(let value): NSNumber(value: value)
    case .uint64(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    default: nil
    }
  }

  /// The number, its fraction cut off; 1 for true; 0 for anything else.
  public func int(forKey key: String) -> Int { Int(int64(forKey: key)) }

  /// The number, its fraction cut off, the nearest that fits; 1 for true; 0 for anything else.
  public func int64(forKey key: String) -> Int64 {
    switch properties[key] {
    case .boolean(let value): value ? 1 : 0
    case .int64(let value): value
    case .uint64: .max
    case .double(let value):
      Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
    default: 0
    }
  }

  /// The number; 1 for true; 0 for anything else.
  public func float(forKey key: String) -> Float { Float(double(forKey: key)) }

  /// The number; 1 for true; 0 for anything else.
  public func double(forKey key: String) -> Double {
    switch properties[key] {
    case .boolean(let value): value ? 1 : 0
    case .int64(let value): Double(value)
    case .uint64(let value): Double(value)
    case .double(let value): value
    default: 0
    }
  }

  /// True for true and for a number that is not 0; false for anything else.
  public func boolean(forKey key: String) -> Bool {
    switch properties[key] {
    case .boolean(let value): value
    case .int64, .uint64, .double: double(forKey: key) != 0
    default: false
    }
  }

  /// The date of an ISO 8601 string, or nil. A string without a zone is local time.
  public func date(forKey key: String) -> Date? { string(forKey: key).flatMap { DocumentDate.date(from: $0) } }

  /// Whether there is a property with this key, null included.
  public func contains(key: String) -> Bool { properties[key] != nil }

  /// All properties as Swift values.
  public func toDictionary() -> [String: Any] {
    Dictionary(properties.members.map { ($0.key, $0.value.swiftValue) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Document: Equatable, Hashable {
  /// Whether both have the same id, the same collection and equal properties.
  public static func == (one: Document, other: Document) -> Bool {
    guard one !== other else { return true }
    guard one.id == other.id, one.collection == other.collection else { return false }
    if let body = one.body, body.bytes == other.body?.bytes { return true }
    let members = one.properties.members
    return members.count == other.count && members.allSatisfy { other.properties[$0.key] == $0.value }
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Document: Sequence {
  /// Iterates over the keys.
  public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}
