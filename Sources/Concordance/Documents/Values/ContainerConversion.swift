import DocumentStore
import JSONText

/// Converts a Swift array or dictionary, with all arrays and dictionaries inside it, to containers.
///
/// It does not recurse, because a program can nest arrays so deeply that the stack would overflow.
struct ContainerConversion {
  /// A container whose items were not converted yet.
  private struct Pending {
    let container: any PropertyContainer
    /// The keys of a dictionary; empty for an array.
    let keys: [String]
    let values: [Any]
    let depth: Int
  }

  private var pending: [Pending] = []
  /// The depth of the container whose items are being converted; 0 for the value itself.
  private var depth = 0

  /// Returns an array whose elements are set by `finish()`.
  mutating func array(_ values: [Any]) -> MutableArrayObject {
    let array = MutableArrayObject()
    pending.append(Pending(container: array, keys: [], values: values, depth: depth + 1))
    return array
  }

  /// Returns a dictionary whose properties are set by `finish()`.
  mutating func dictionary(_ members: [String: Any]) -> MutableDictionaryObject {
    let dictionary = MutableDictionaryObject()
    // Sorted, so that equal dictionaries produce the same text.
    let sorted = members.sorted { $0.key < $1.key }
    pending.append(
      Pending(container: dictionary, keys: sorted.map(\.key), values: sorted.map(\.value), depth: depth + 1))
    return dictionary
  }

  /// Converts the items of all containers.
  ///
  /// - Returns: false if the containers are nested deeper than a document may be. Some of them are empty then.
  mutating func finish() -> Bool {
    while let next = pending.popLast() {
      guard next.depth <= DocumentBody.maximumDepth else { return false }
      depth = next.depth
      var items: [PropertyValue] = []
      items.reserveCapacity(next.values.count)
      for value in next.values {
        let item = PropertyValue(value, &self)
        if let container = item.container { container.withState { $0.hasContainer = true } }
        items.append(item)
      }
      _ = next.container.withState { $0.replaceAll(keys: next.keys, items: items) }
    }
    return true
  }
}

extension PropertyValue {
  /// The value of arrays and dictionaries that are nested deeper than a document may be.
  static let tooDeep = PropertyValue.unusable(
    "arrays and dictionaries nested deeper than \(DocumentBody.maximumDepth) levels")
}
