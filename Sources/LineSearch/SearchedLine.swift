/// A line that a search shows; across lines, one match may make several.
public struct SearchedLine: Hashable, Sendable {
  /// Why a line is shown.
  public enum Kind: Hashable, Sendable {
    /// It matches, or it does not and the search is inverted.
    case match
    /// It stands near one that does.
    case context
  }

  /// Why the line is shown.
  public let kind: Kind
  /// Its bytes in the text, line break included.
  public let range: Range<Int>
  /// The number of the line, or of the first one, from 1; nil where lines are not numbered.
  public let number: Int?
  /// Whether lines were left out between this one and the one shown before; false where no context is shown.
  public let followsGap: Bool
}
