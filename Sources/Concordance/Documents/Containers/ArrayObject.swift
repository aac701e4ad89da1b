import Foundation
import JSONText

/// An array inside a document.
///
/// ```swift
/// let phones = hotel.array(forKey: "phones")
/// phones?.string(at: 0)
/// hotel["phones"][0].string   // the same
/// ```
///
/// It is immutable; ``toMutable()`` returns a copy that can be edited. Any number of threads can read it.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of the object, a `StripedLock`.
public class ArrayObject: ArrayProtocol, PropertyContainer, @unchecked Sendable {
  private var state: ContainerState

  init(_ state: ContainerState) { self.state = state }

  func withState<T>(_ body: (inout ContainerState) throws -> T) rethrows -> T {
    try StripedLock.of(self).withLock { try body(&state) }
  }

  /// The number of elements.
  public var count: Int { withState { $0.count } }

  /// Returns a value by its position.
  ///
  /// The types of the result are `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` and
  /// ``DictionaryObject``. A number can be cast to every numeric type that represents it exactly: `as? Int64`, `as?
  /// Double`.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the value; nil if it does not exist.
  public func value(at index: Int) -> Any? { withState { $0.item(at: index) }?.castableValue }

  /// Returns an array by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the array; nil if it is missing or of another type.
  public func array(at index: Int) -> ArrayObject? { value(at: index) as? ArrayObject }

  /// Returns a dictionary by its position.
  ///
  /// - Parameter index: the position of the element, beginning with 0.
  /// - Returns: the dictionary; nil if it is missing or of another type.
  public func dictionary(at index: Int) -> DictionaryObject? { value(at: index) as? DictionaryObject }

  /// Returns all elements as Swift values, nested ones too. See ``ArrayProtocol/toArray()``.
  public func toArray() -> [Any] { plainItems().values }

  /// Returns the array as JSON text: as it was read if nothing was edited.
  public func toJSON() -> String { jsonText }

  /// Returns a copy that can be edited. It shares nothing with this object.
  public func toMutable() -> MutableArrayObject { MutableArrayObject(mutableState()) }
}

extension ArrayObject: Equatable, Hashable {
  /// Returns whether both have equal elements in the same order. Numbers are equal if their values are.
  public static func == (one: ArrayObject, other: ArrayObject) -> Bool {
    one === other || one.comparableValue() == other.comparableValue()
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(comparableValue()) }
}

extension ArrayObject: Sequence {
  /// Returns an iterator over the values, see ``value(at:)``. It does not see later edits.
  public func makeIterator() -> AnyIterator<Any> {
    let values = withState { $0.allItems() }.map { $0.castableValue ?? JSONValue.null.swiftValue }
    return AnyIterator(values.makeIterator())
  }
}

extension ArrayObject: CustomStringConvertible {
  /// The JSON text.
  public var description: String { toJSON() }
}
