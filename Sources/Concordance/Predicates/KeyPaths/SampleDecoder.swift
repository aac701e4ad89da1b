import Foundation
import JSONText

/// A decoder that returns a sample value for every request and records the request in a ``SampleSession``.
///
/// Every key exists, no value is null, and an array has one element. At ``SampleSession/maximumDepth`` arrays are
/// empty.
struct SampleDecoder: Decoder {
  let session: SampleSession
  /// The path of the value that is being decoded; empty for the document.
  let path: [PropertyPath.Component]

  var codingPath: [any CodingKey] {
    path.map { component -> any CodingKey in
      switch component {
      case .key(let key): NamedKey(key)
      case .position(let position): NamedKey(position)
      case .each: NamedKey("")
      }
    }
  }

  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if path.isEmpty { session.note(keys: type) }
    return KeyedDecodingContainer(KeyedSampleDecoder<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { UnkeyedSampleDecoder(decoder: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleSampleDecoder(decoder: self) }

  /// Returns the decoder for a value inside this one.
  func inner(_ component: PropertyPath.Component) -> SampleDecoder {
    SampleDecoder(session: session, path: path + [component])
  }

  /// Returns and records the sample value of a type at this path.
  ///
  /// - Throws: the error of the type's `init(from:)`, if it rejects every sample.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try session.make(type, at: path)
    session.note(value, at: path, isDocumentID: type == DocumentID.self)
    return value
  }

  /// Returns a sample value; nil if the type rejects every sample.
  func decodeIfPossible<T: Decodable>(_ type: T.Type) -> T? { try? decode(type) }
}

private struct KeyedSampleDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SampleDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// One key: the key of a dictionary with one element, or the name of an enum's case.
  var allKeys: [Key] {
    let isOther = decoder.session.isChanged(decoder.path)
    if let key = ByteSizedType.value(of: Key.self, isOther: isOther) { return [key] }
    return [Key(stringValue: isOther ? "5" : "3") ?? Key(intValue: isOther ? 5 : 3)].compactMap { $0 }
  }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try inner(key).decode(type) }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? { inner(key).decodeIfPossible(type) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedDecodingContainer<NestedKey> {
    inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { inner(key).unkeyedContainer() }

  func superDecoder() -> any Decoder { decoder.inner(.key("super")) }

  func superDecoder(forKey key: Key) -> any Decoder { inner(key) }

  private func inner(_ key: Key) -> SampleDecoder { decoder.inner(.key(key.stringValue)) }
}

/// An array of one element. If the type decodes more elements than `count`, it gets a sample for each.
private struct UnkeyedSampleDecoder: UnkeyedDecodingContainer {
  let decoder: SampleDecoder
  var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { decoder.path.count < SampleSession.maximumDepth ? 1 : 0 }
  var isAtEnd: Bool { currentIndex >= count ?? 0 }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) -> T? { next().decodeIfPossible(type) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedDecodingContainer<NestedKey> {
    next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { next().unkeyedContainer() }

  mutating func superDecoder() -> any Decoder { next() }

  private mutating func next() -> SampleDecoder {
    currentIndex += 1
    return decoder.inner(.position(currentIndex - 1))
  }
}

private struct SingleSampleDecoder: SingleValueDecodingContainer {
  let decoder: SampleDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}
