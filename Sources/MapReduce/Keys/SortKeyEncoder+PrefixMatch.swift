public import JSONText

extension SortKeyEncoder {
  /// Returns the lowest byte string above the sort keys of all strings that begin with a string, or of all arrays that
  /// begin with the elements of an array.
  ///
  /// Strings are compared by the primary weights of the collation: `"fe"` is the beginning of `"Fête"`.
  ///
  /// - Parameters:
  ///   - value: the string or the array.
  ///   - level: 1 for the value itself; a higher level n applies level n - 1 to the last element of an array.
  /// - Returns: nil if the value or the last element is not a string or an array.
  public func upperBound(ofPrefix value: JSONValue, level: Int) -> [UInt8]? {
    guard var bound = beginning(of: value, level: level) else { return nil }
    // The byte strings with a prefix are those from the prefix up to the prefix with its last byte incremented.
    while let last = bound.popLast() {
      if last < .max { return bound + [last + 1] }
    }
    return nil
  }

  /// Returns the bytes with which the sort keys begin.
  private func beginning(of value: JSONValue, level: Int) -> [UInt8]? {
    switch value {
    case .string:
      // ICU ends the primary weights with this byte, which does not occur in weights.
      let endOfLevel: UInt8 = 1
      return Array(key(of: value).dropLast().prefix { $0 != endOfLevel })
    case .array(let elements):
      guard level > 1 else { return Array(key(of: value).dropLast()) }
      guard let last = elements.last, let end = beginning(of: last, level: level - 1) else { return nil }
      return Array(key(of: .array(Array(elements.dropLast()))).dropLast()) + end
    default: return nil
    }
  }
}
