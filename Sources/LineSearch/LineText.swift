import PatternMatching

/// A text and what is known of it.
package struct LineText {
  let bytes: UnsafeRawBufferPointer
  /// What the text is made of.
  let parts: [Range<Int>]
  let isValidUTF8: Bool
  /// What is searched as a whole: all of the text, or each part of it, or nothing.
  let searched: [PatternText]

  /// The first part that ends behind a place, or the number of parts.
  ///
  /// - Complexity: O(log p) in the number of parts, which are in order.
  func indexOfPart(endingBehind place: Int) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].upperBound > place { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
