import Foundation

/// Decodes values from the properties of a document, in the forms that ``PropertyEncoder`` writes.
///
/// Errors are `DecodingError`s with the path of the property; ``CodingFailure`` converts them.
struct PropertyDecoder: Decoder {
  /// The value to decode, with numbers as Swift types.
  let value: Any?
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// See ``CodingDepth``.
  fileprivate var depth = 0
  /// Returns the digits of a number in the JSON text, which may be more than `value` can represent.
  var digits: () -> String? = { nil }
  /// Returns the value of a ``DocumentID`` at the top level for its key, because the id is not a property of the
  /// document. Nil below the top level.
  let documentID: ((_ key: String?) throws -> DocumentID)?

  /// Creates a decoder for a property value.
  ///
  /// - Parameters:
  ///   - value: the value: a document, a dictionary, an array, a blob, a scalar, or nil if the property is missing.
  ///   - codingPath: the path of the value in the document.
  ///   - documentID: returns the value of a ``DocumentID`` for its key; nil below the top level.
  init(_ value: Any?, codingPath: [any CodingKey] = [], documentID: ((_ key: String?) throws -> DocumentID)? = nil) {
    self.value = value
    self.codingPath = codingPath
    self.documentID = documentID
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let dictionary = value as? any DictionaryProtocol else { throw mismatch([String: Any].self, "a dictionary") }
    return KeyedDecodingContainer(KeyedPropertyDecoder(dictionary, self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let array = value as? any ArrayProtocol else { throw mismatch([Any].self, "an array") }
    return UnkeyedPropertyDecoder(array, self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleValuePropertyDecoder(decoder: self) }

  /// Whether the value is null or missing.
  var isNil: Bool { value == nil || value is NSNull }

  /// Returns a decoder for a value inside this one.
  func inner(_ value: Any?, _ key: any CodingKey) -> PropertyDecoder {
    var inner = PropertyDecoder(value, codingPath: codingPath + [key])
    inner.depth = depth + 1
    return inner
  }

  /// Decodes the value.
  ///
  /// - Throws: `DecodingError` if the value has another type.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if type == DocumentID.self, let documentID, let id = try documentID(codingPath.last?.stringValue) as? T {
      return id
    }
    // Unwrapped before the cast, because nil can be cast to an optional type.
    if let scalar = try scalar(type), let value = scalar as? T { return value }
    if let excess = CodingDepth.excess(codingPath, depth) {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: excess.path, debugDescription: excess.description))
    }
    return try T(from: self)
  }

  /// Decodes the value as a type that is stored as a single property value. Returns nil for all other types.
  private func scalar(_ type: any Decodable.Type) throws -> Any? {
    switch type {
    case is String.Type: return try expect(value as? String, type, "a string")
    case is Bool.Type: return try expect(value as? Bool, type, "a boolean")
    case let type as any (Decodable & FixedWidthInteger).Type: return try integer(type)
    case is Double.Type: return try double(type)
    case is Float.Type: return Float(try double(type))
    case is Decimal.Type:
      let number = try double(type)
      return digits().flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) } ?? Decimal(number)
    case is Date.Type: return try expect(TypedValue.date(value), type, "a date as an ISO 8601 string")
    case is URL.Type: return try expect((value as? String).flatMap { URL(string: $0) }, type, "a URL")
    case is Data.Type: return try expect((value as? String).flatMap { Data(base64Encoded: $0) }, type, "base64")
    case is Blob.Type: return try expect(value as? Blob, type, "a blob")
    default: return nil
    }
  }

  private func double(_ type: any Decodable.Type) throws -> Double {
    guard !(value is Bool), let number = TypedValue.number(value) else { throw mismatch(type, "a number") }
    return number.doubleValue
  }

  /// Returns the value as an integer. A double without a fraction is accepted, because JSON has only one numeric type.
  private func integer<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    let number: T? =
      switch value {
      case let value as Int: T(exactly: value)
      case let value as UInt64: T(exactly: value)
      case let value as Double: T(exactly: value)
      default: nil
      }
    return try expect(number, type, "an integer of type \(type)")
  }

  /// Unwraps a converted value. Throws if it is nil, which means that the property has a different type.
  private func expect<T>(_ value: T?, _ type: any Decodable.Type, _ expected: String) throws -> T {
    guard let value else { throw mismatch(type, expected) }
    return value
  }

  /// Returns the error for a value of the wrong type.
  ///
  /// - Parameters:
  ///   - type: the requested type.
  ///   - expected: the name of the requested type in the message.
  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(expected), found \(PropertyDecoder.description(of: value))")
    return isNil ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Returns a description of a property value for messages.
  private static func description(of value: Any?) -> String {
    switch value {
    case nil: "nothing"
    case is NSNull: "null"
    case let value as String: "the string \"\(value.count > 40 ? "\(value.prefix(40))…" : value)\""
    case let value as Bool: "\(value)"
    case is any ArrayProtocol: "an array"
    case is any DictionaryProtocol: "a dictionary"
    case is Blob: "a blob"
    case let value?: "the number \(value)"
    }
  }
}

/// Decodes the properties of a dictionary or document.
private struct KeyedPropertyDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let dictionary: any DictionaryProtocol
  let decoder: PropertyDecoder

  init(_ dictionary: any DictionaryProtocol, _ decoder: PropertyDecoder) {
    self.dictionary = dictionary
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { dictionary.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { dictionary.contains(key: key.stringValue) }

  func decodeNil(forKey key: Key) -> Bool { inner(key).isNil }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let id = try documentID(type, key) { return id }
    guard contains(key) || type == DocumentID.self else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath + [key], debugDescription: "there is no such property"))
    }
    return try inner(key).decode(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    if let id = try documentID(type, key) { return id }
    let inner = inner(key)
    return inner.isNil ? nil : try inner.decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder.inner(dictionary.swiftValue(forKey: "super"), NamedKey("super")) }

  func superDecoder(forKey key: Key) -> any Decoder { inner(key) }

  /// Returns the document id if `type` is ``DocumentID`` at the top level.
  private func documentID<T>(_ type: T.Type, _ key: Key) throws -> T? {
    guard type == DocumentID.self, let documentID = decoder.documentID else { return nil }
    return try documentID(key.stringValue) as? T
  }

  /// Returns a decoder for the property with the given key.
  private func inner(_ key: Key) -> PropertyDecoder {
    var inner = decoder.inner(dictionary.swiftValue(forKey: key.stringValue), key)
    inner.digits = { [dictionary] in
      let root = (dictionary as? Document)?.root ?? dictionary as? DictionaryObject
      return root?.withState { state in state.position(of: key.stringValue).flatMap { state.digits(at: $0) } }
    }
    return inner
  }
}

/// Decodes the elements of an array.
private struct UnkeyedPropertyDecoder: UnkeyedDecodingContainer {
  let array: any ArrayProtocol
  let decoder: PropertyDecoder
  var currentIndex = 0

  init(_ array: any ArrayProtocol, _ decoder: PropertyDecoder) {
    self.array = array
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex >= array.count }

  mutating func decodeNil() throws -> Bool {
    guard try current().isNil else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try current().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try current().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current()
    currentIndex += 1
    return decoder
  }

  /// Returns a decoder for the next element.
  ///
  /// - Throws: `DecodingError` at the end of the array.
  private func current() throws -> PropertyDecoder {
    var inner = decoder.inner(array.swiftValue(at: currentIndex), NamedKey(currentIndex))
    inner.digits = { [array, currentIndex] in (array as? ArrayObject)?.withState { $0.digits(at: currentIndex) } }
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self,
        DecodingError.Context(codingPath: inner.codingPath, debugDescription: "the array has no more elements"))
    }
    return inner
  }
}

/// Decodes a property that is a single value.
private struct SingleValuePropertyDecoder: SingleValueDecodingContainer {
  let decoder: PropertyDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.isNil }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    var inner = decoder
    inner.depth += 1
    return try inner.decode(type)
  }
}
