import Foundation
import JSONText

/// A dictionary inside a document.
///
/// ```swift
/// let address = hotel.dictionary(forKey: "address")
/// address?.string(forKey: "city")
/// hotel["address"]["city"].string   // the same
/// ```
///
/// It does not change; ``toMutable()`` makes one that can be edited. Any number of threads may read it.
///
/// `@unchecked Sendable`: `state` is accessed only under the object's lock, a `StripedLock`.
public class DictionaryObject: DictionaryProtocol, PropertyContainer, @unchecked Sendable {
  private var state: ContainerState

  init(_ state: ContainerState) { self.state = state }

  func withState<T>(_ body: (inout ContainerState) throws -> T) rethrows -> T {
    try StripedLock.of(self).withLock { try body(&state) }
  }

  /// The number of properties.
  public var count: Int { withState { $0.count } }

  /// The keys, in the order of the text.
  public var keys: [String] { withState { $0.allKeys() } }

  /// The value as `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``; nil if there is
  /// none. A number can be cast to every numeric type that holds it exactly: `as? Int64`, `as? Double`.
  public func value(forKey key: String) -> Any? { withState { $0.item(forKey: key) }?.castableValue }

  /// The array, or nil.
  public func array(forKey key: String) -> ArrayObject? { value(forKey: key) as? ArrayObject }

  /// The dictionary, or nil.
  public func dictionary(forKey key: String) -> DictionaryObject? { value(forKey: key) as? DictionaryObject }

  /// Whether there is a property with this key, null included.
  public func contains(key: String) -> Bool { withState { $0.position(of: key) } != nil }

  /// All properties as Swift values, nested ones too. See ``DictionaryProtocol/toDictionary()``.
  public func toDictionary() -> [String: Any] {
    let (keys, values) = plainItems()
    return Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
  }

  /// The dictionary as JSON text: as it was read where nothing was edited.
  public func toJSON() -> String { jsonText }

  /// A copy that can be edited; it shares nothing with this one.
  public func toMutable() -> MutableDictionaryObject { MutableDictionaryObject(mutableState()) }
}

extension DictionaryObject: Equatable, Hashable {
  /// Whether both have the same properties with equal values, in any order. Numbers are equal when they are worth the same.
  public static func == (one: DictionaryObject, other: DictionaryObject) -> Bool {
    one === other || one.comparableValue() == other.comparableValue()
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(comparableValue()) }
}

extension DictionaryObject: Sequence {
  /// Iterates over the keys.
  public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}

extension DictionaryObject: CustomStringConvertible {
  /// The JSON text.
  public var description: String { toJSON() }
}
