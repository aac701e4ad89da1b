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
/// An `ArrayObject` is immutable; ``toMutable()`` returns a copy that can be edited. Any number of threads can use it
/// at the same time. It is a sequence of the values of its elements:
///
/// ```swift
/// if let phones {
///   for case let phone as String in phones { print(phone) }
/// }
/// ```
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of the object, a `StripedLock`.
public class ArrayObject: ArrayProtocol, PropertyContainer, @unchecked Sendable {
  private var state: ContainerState

  init(_ state: ContainerState) { self.state = state }

  deinit { ContainerRelease.releaseItems(of: &state) }

  func withState<T>(_ body: (inout ContainerState) throws -> T) rethrows -> T {
    try StripedLock.of(self).withLock { try body(&state) }
  }

  /// The number of elements.
  public var count: Int { withState { $0.count } }

  /// Returns the value of an element.
  ///
  /// The result is a `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``. A
  /// number can be cast to every numeric type that represents it exactly, for example with `as? Int64` or `as? Double`.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the value, or nil if the element does not exist.
  public func value(at index: Int) -> Any? { withState { $0.item(at: index) }?.castableValue }

  /// Returns an element as an array.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the array, or nil if the value is missing or of another type.
  public func array(at index: Int) -> ArrayObject? { value(at: index) as? ArrayObject }

  /// Returns an element as a dictionary.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the dictionary, or nil if the value is missing or of another type.
  public func dictionary(at index: Int) -> DictionaryObject? { value(at: index) as? DictionaryObject }

  /// Returns all elements, including nested ones, as Swift values. See ``ArrayProtocol/toArray()``.
  public func toArray() -> [Any] { plainItems().values }

  /// Returns the array as JSON text. If nothing was edited, it is the text that was read.
  public func toJSON() -> String { jsonText }

  /// Returns a copy that can be edited. Edits to the copy do not change this object.
  public func toMutable() -> MutableArrayObject { MutableArrayObject(mutableState()) }
}

extension ArrayObject: Equatable, Hashable {
  /// Returns whether both arrays have equal elements in the same order. Numbers are compared by value.
  public static func == (one: ArrayObject, other: ArrayObject) -> Bool {
    one === other || one.comparableValue() == other.comparableValue()
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(comparableValue()) }
}

extension ArrayObject: Sequence {
  /// Returns an iterator over the values of the elements, as ``value(at:)`` returns them. Later edits do not affect the
  /// iterator.
  public func makeIterator() -> AnyIterator<Any> {
    let values = withState { $0.allItems() }.map { $0.castableValue ?? JSONValue.null.swiftValue }
    return AnyIterator(values.makeIterator())
  }
}

extension ArrayObject: CustomStringConvertible {
  /// The JSON text.
  public var description: String { toJSON() }
}
