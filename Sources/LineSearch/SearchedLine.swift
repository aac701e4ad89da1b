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
