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
/// It is immutable; ``toMutable()`` returns a copy that can be edited. Any number of threads can read it.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of the object, a `StripedLock`.
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

  /// Returns a value by its key.
  ///
  /// The types of the result are `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` and
  /// ``DictionaryObject``. A number can be cast to every numeric type that represents it exactly: `as? Int64`, `as?
  /// Double`.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the value; nil if it does not exist.
  public func value(forKey key: String) -> Any? { withState { $0.item(forKey: key) }?.castableValue }

  /// Returns an array by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array; nil if it is missing or of another type.
  public func array(forKey key: String) -> ArrayObject? { value(forKey: key) as? ArrayObject }

  /// Returns a dictionary by its key.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary; nil if it is missing or of another type.
  public func dictionary(forKey key: String) -> DictionaryObject? { value(forKey: key) as? DictionaryObject }

  /// Returns whether a property exists; null is a value, too.
  ///
  /// - Parameter key: the key of the property.
  public func contains(key: String) -> Bool { withState { $0.position(of: key) } != nil }

  /// Returns all properties as Swift values, nested ones too. See ``DictionaryProtocol/toDictionary()``.
  public func toDictionary() -> [String: Any] {
    let (keys, values) = plainItems()
    return Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
  }

  /// Returns the dictionary as JSON text: as it was read if nothing was edited.
  public func toJSON() -> String { jsonText }

  /// Returns a copy that can be edited. It shares nothing with this object.
  public func toMutable() -> MutableDictionaryObject { MutableDictionaryObject(mutableState()) }
}

extension DictionaryObject: Equatable, Hashable {
  /// Returns whether both have the same properties with equal values, in any order. Numbers are equal if their values
  /// are.
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
