import Foundation
import JSONText

/// Encodes a value as the value of a property.
///
/// An instance encodes one value. The first container that the value requests determines its form.
final class PropertyEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// See ``CodingDepth``.
  let depth: Int
  /// The document id of the top-level value, which is not stored as a property.
  let documentID: DocumentID?
  /// The closure that receives the encoded value; nil if the value is only stored in `value`.
  private let assign: ((Any) -> Void)?
  /// The encoded value; nil before the first container is requested.
  private(set) var value: Any?

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - codingPath: the path of the value in the document.
  ///   - depth: the number of containers around the value; see ``CodingDepth``.
  ///   - documentID: the document id of the top-level value; nil if there is none.
  ///   - assign: receives the encoded value.
  init(
    codingPath: [any CodingKey] = [], depth: Int = 0, documentID: DocumentID?, assign: ((Any) -> Void)? = nil
  ) {
    self.codingPath = codingPath
    self.depth = depth
    self.documentID = documentID
    self.assign = assign
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A class and its superclass may both request a container, which they share.
    let dictionary = value as? MutableDictionaryObject ?? MutableDictionaryObject()
    set(dictionary)
    return KeyedEncodingContainer(
      KeyedPropertyEncoder(dictionary: dictionary, codingPath: codingPath, depth: depth, documentID: documentID))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let array = value as? MutableArrayObject ?? MutableArrayObject()
    set(array)
    return UnkeyedPropertyEncoder(array: array, codingPath: codingPath, depth: depth, documentID: documentID)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleValuePropertyEncoder(self) }

  /// Stores the encoded value.
  func set(_ value: Any) {
    self.value = value
    assign?(value)
  }

  /// Converts a value to a property value: a scalar, a ``Blob``, a dictionary or an array. See ``DocumentEncodable``.
  ///
  /// - Parameters:
  ///   - value: the value to encode.
  ///   - codingPath: its path in the document, for errors.
  ///   - depth: the number of containers around it; see ``CodingDepth``.
  ///   - documentID: the document id that is not encoded as a property.
  /// - Throws: `EncodingError` if the value is an infinite number, NaN, a date outside the years 0 to 9999, or nested
  ///   too deeply; the errors of its `encode(to:)`.
  static func encode(
    _ value: any Encodable, at codingPath: [any CodingKey], depth: Int = 0, _ documentID: DocumentID?
  ) throws -> Any {
    // The types are compared first, because casting a dictionary to a class would copy all of it.
    if type(of: value) == Blob.self { return value }
    if type(of: value) == DocumentID.self, let id = value as? DocumentID { return id.wrappedValue as Any }
    switch value {
    case let value as any (Encodable & BinaryFloatingPoint) where !Double(value).isFinite:
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON cannot represent \(value)"))
    case is String, is Bool, is any BinaryInteger, is Double, is Float, is Decimal: return value
    case let value as Date:
      if let text = DocumentDate.exactString(from: value) { return text }
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: codingPath, debugDescription: "the date is outside the years 0 to 9999"))
    case let value as URL: return value.absoluteString
    case let value as Data: return value.base64EncodedString()
    default:
      if let excess = CodingDepth.excess(codingPath, depth) {
        throw EncodingError.invalidValue(
          value, EncodingError.Context(codingPath: excess.path, debugDescription: excess.description))
      }
      let encoder = PropertyEncoder(codingPath: codingPath, depth: depth, documentID: documentID)
      try value.encode(to: encoder)
      return encoder.value ?? MutableDictionaryObject()
    }
  }
}

/// Encodes properties into a dictionary.
struct KeyedPropertyEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let dictionary: MutableDictionaryObject
  let codingPath: [any CodingKey]
  let depth: Int
  let documentID: DocumentID?

  func encodeNil(forKey key: Key) { dictionary.setValue(nil, forKey: key.stringValue) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    if T.self == DocumentID.self, let id = value as? DocumentID, id === documentID { return }
    dictionary.setValue(
      try PropertyEncoder.encode(value, at: codingPath + [key], depth: depth + 1, documentID), forKey: key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    inner(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { inner(key).unkeyedContainer() }

  func superEncoder() -> any Encoder { inner(NamedKey("super")) }

  func superEncoder(forKey key: Key) -> any Encoder { inner(key) }

  private func inner(_ key: any CodingKey) -> PropertyEncoder {
    PropertyEncoder(codingPath: codingPath + [key], depth: depth + 1, documentID: documentID) { [dictionary] in
      dictionary.setValue($0, forKey: key.stringValue)
    }
  }
}

// The default implementations of `encodeIfPresent` omit nil, but documents store null for nil. The protocol has a
// separate requirement for each type.
extension KeyedPropertyEncoder {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encodeOrNull(value, key) }

  private func encodeOrNull<T: Encodable>(_ value: T?, _ key: Key) throws {
    guard let value else { return encodeNil(forKey: key) }
    try encode(value, forKey: key)
  }
}

/// Appends values to an array.
private struct UnkeyedPropertyEncoder: UnkeyedEncodingContainer {
  let array: MutableArrayObject
  let codingPath: [any CodingKey]
  let depth: Int
  let documentID: DocumentID?

  var count: Int { array.count }

  func encodeNil() { array.addValue(nil) }

  func encode<T: Encodable>(_ value: T) throws {
    let path = codingPath + [NamedKey(array.count)]
    array.addValue(try PropertyEncoder.encode(value, at: path, depth: depth + 1, documentID))
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    inner().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }

  func superEncoder() -> any Encoder { inner() }

  /// Appends null, and returns an encoder that replaces it.
  private func inner() -> PropertyEncoder {
    let index = array.count
    array.addValue(nil)
    return PropertyEncoder(
      codingPath: codingPath + [NamedKey(index)], depth: depth + 1, documentID: documentID
    ) { [array] in
      array.setValue($0, at: index)
    }
  }
}

/// Encodes a property that is a single value.
private struct SingleValuePropertyEncoder: SingleValueEncodingContainer {
  let encoder: PropertyEncoder

  init(_ encoder: PropertyEncoder) { self.encoder = encoder }

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.set(NSNull()) }

  func encode<T: Encodable>(_ value: T) throws {
    encoder.set(try PropertyEncoder.encode(value, at: codingPath, depth: encoder.depth + 1, encoder.documentID))
  }
}
