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
/// A `DictionaryObject` is immutable; ``toMutable()`` returns a copy that can be edited. Any number of threads can use
/// it at the same time. It is a sequence of its keys:
///
/// ```swift
/// if let address {
///   for key in address { print(key, address.value(forKey: key) ?? "") }
/// }
/// ```
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of the object, a `StripedLock`.
public class DictionaryObject: DictionaryProtocol, PropertyContainer, @unchecked Sendable {
  private var state: ContainerState

  init(_ state: ContainerState) { self.state = state }

  deinit { ContainerRelease.releaseItems(of: &state) }

  func withState<T>(_ body: (inout ContainerState) throws -> T) rethrows -> T {
    try StripedLock.of(self).withLock { try body(&state) }
  }

  /// The number of properties.
  public var count: Int { withState { $0.count } }

  /// The keys, in the order of the JSON text.
  public var keys: [String] { withState { $0.allKeys() } }

  /// Returns the value of a property.
  ///
  /// The result is a `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``. A
  /// number can be cast to every numeric type that represents it exactly, for example with `as? Int64` or `as? Double`.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the value, or nil if the property does not exist.
  public func value(forKey key: String) -> Any? { withState { $0.item(forKey: key) }?.castableValue }

  /// Returns the value of a property as an array.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array, or nil if the value is missing or of another type.
  public func array(forKey key: String) -> ArrayObject? { value(forKey: key) as? ArrayObject }

  /// Returns the value of a property as a dictionary.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary, or nil if the value is missing or of another type.
  public func dictionary(forKey key: String) -> DictionaryObject? { value(forKey: key) as? DictionaryObject }

  /// Returns whether a property exists. A property that is null exists.
  ///
  /// - Parameter key: the key of the property.
  public func contains(key: String) -> Bool { withState { $0.position(of: key) } != nil }

  /// Returns all properties, including nested ones, as Swift values. See ``DictionaryProtocol/toDictionary()``.
  public func toDictionary() -> [String: Any] {
    let (keys, values) = plainItems()
    return Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
  }

  /// Returns the dictionary as JSON text. If nothing was edited, it is the text that was read.
  public func toJSON() -> String { jsonText }

  /// Returns a copy that can be edited. Edits to the copy do not change this object.
  public func toMutable() -> MutableDictionaryObject { MutableDictionaryObject(mutableState()) }
}

extension DictionaryObject: Equatable, Hashable {
  /// Returns whether both dictionaries have the same keys with equal values, in any order. Numbers are compared by
  /// value.
  public static func == (one: DictionaryObject, other: DictionaryObject) -> Bool {
    one === other || one.comparableValue() == other.comparableValue()
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(comparableValue()) }
}

extension DictionaryObject: Sequence {
  /// Returns an iterator over the keys.
  public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}

extension DictionaryObject: CustomStringConvertible {
  /// The JSON text.
  public var description: String { toJSON() }
}
