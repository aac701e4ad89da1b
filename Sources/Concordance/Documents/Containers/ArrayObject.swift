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
/// It does not change; ``toMutable()`` makes one that can be edited. Any number of threads may read it.
///
/// `@unchecked Sendable`: `state` is accessed only under the object's lock, a `StripedLock`.
public class ArrayObject: ArrayProtocol, PropertyContainer, @unchecked Sendable {
  private var state: ContainerState

  init(_ state: ContainerState) { self.state = state }

  func withState<T>(_ body: (inout ContainerState) throws -> T) rethrows -> T {
    try StripedLock.of(self).withLock { try body(&state) }
  }

  /// The number of elements.
  public var count: Int { withState { $0.count } }

  /// The value as `String`, `NSNumber`, `Bool`, `NSNull`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``; nil if there is
  /// none. A number can be cast to every numeric type that holds it exactly: `as? Int64`, `as? Double`.
  public func value(at index: Int) -> Any? { withState { $0.item(at: index) }?.castableValue }

  /// The array, or nil.
  public func array(at index: Int) -> ArrayObject? { value(at: index) as? ArrayObject }

  /// The dictionary, or nil.
  public func dictionary(at index: Int) -> DictionaryObject? { value(at: index) as? DictionaryObject }

  /// All elements as Swift values, nested ones too. See ``ArrayProtocol/toArray()``.
  public func toArray() -> [Any] { plainItems().values }

  /// The array as JSON text: as it was read where nothing was edited.
  public func toJSON() -> String { jsonText }

  /// A copy that can be edited; it shares nothing with this one.
  public func toMutable() -> MutableArrayObject { MutableArrayObject(mutableState()) }
}

extension ArrayObject: Equatable, Hashable {
  /// Whether both have equal elements in the same order. Numbers are equal when they are worth the same.
  public static func == (one: ArrayObject, other: ArrayObject) -> Bool {
    one === other || one.comparableValue() == other.comparableValue()
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(comparableValue()) }
}

extension ArrayObject: Sequence {
  /// Iterates over the values, see ``value(at:)``. Edits made meanwhile are not seen.
  public func makeIterator() -> AnyIterator<Any> {
    let values = withState { $0.allItems() }.map { $0.castableValue ?? JSONValue.null.swiftValue }
    return AnyIterator(values.makeIterator())
  }
}

extension ArrayObject: CustomStringConvertible {
  /// The JSON text.
  public var description: String { toJSON() }
}
