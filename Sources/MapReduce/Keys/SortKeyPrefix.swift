/// The part of a sort key that identifies the group of a row.
enum SortKeyPrefix {
  /// Returns the sort key of an array's first elements, without the end marker. Returns the whole key if it is not an
  /// array or if the array has fewer elements.
  ///
  /// - Parameters:
  ///   - key: a sort key.
  ///   - count: the number of elements, at least 1.
  /// - Complexity: O(n) in the length of the result.
  static func of(_ key: [UInt8], elements count: Int) -> ArraySlice<UInt8> {
    guard key.first == SortKeyType.array else { return key[...] }
    var index = 1
    for _ in 0..<count {
      guard index < key.count, key[index] != SortKeyType.end else { return key[...] }
      index = end(of: key, from: index)
    }
    return key[..<min(index, key.count)]
  }

  /// Returns the end index of the value that begins at `start`. In a damaged key, a value ends no later than the key
  /// itself.
  private static func end(of key: [UInt8], from start: Int) -> Int {
    // Counts open arrays and objects instead of recursing: a damaged file could otherwise cause any recursion depth.
    var depth = 0
    var index = start
    repeat {
      guard index < key.count else { return key.count }
      switch key[index] {
      case SortKeyType.end:
        depth -= 1
        index += 1
      case SortKeyType.array, SortKeyType.object:
        depth += 1
        index += 1
      case SortKeyType.number: index += SortKeyType.numberLength
      case SortKeyType.string: index = (key[index...].firstIndex(of: 0) ?? key.count - 1) + 1
      default: index += 1
      }
    } while depth > 0
    return index
  }
}
