import PatternMatching

/// A text prepared for searches.
package struct LineText {
  let bytes: UnsafeRawBufferPointer
  /// The parts of the text.
  let parts: [Range<Int>]
  let isValidUTF8: Bool
  /// The pieces that are searched as a whole: the whole text, for lines that match or may match; each part of it; or
  /// nothing.
  let searched: [PatternText]

  /// Returns the first part that ends after an offset, or the number of parts.
  ///
  /// - Complexity: O(log p) in the number of parts, which are in order.
  func indexOfPart(endingAfter offset: Int) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].upperBound > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
