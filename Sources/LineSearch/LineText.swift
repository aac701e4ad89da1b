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

/// A line that a search shows. A match across lines may cover several lines.
public struct SearchedLine: Hashable, Sendable {
  /// The reason for showing a line.
  public enum Kind: Hashable, Sendable {
    /// The line matches or, if the search is inverted, does not match.
    case match
    /// The line is near a matching line.
    case context
  }

  /// The reason for showing the line.
  public let kind: Kind
  /// The bytes of the line in the text, line break included.
  public let range: Range<Int>
  /// The number of the line, or of the first line, from 1; nil if lines are not numbered.
  public let number: Int?
  /// Whether lines were omitted between this line and the previous one shown; false if no context is shown.
  public let followsGap: Bool
}
