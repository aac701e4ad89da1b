/// Names from a query in messages. They may be of any length and number, and may contain control characters.
public enum MessageNames {
  /// The maximum number of terminal columns of a name.
  private static let maximumWidth = 100
  /// The maximum number of names in a list.
  private static let maximumCount = 5

  /// Returns a name in printable characters, truncated if it is long.
  public static func visible(_ name: String) -> String { SourceExcerpt.visible(name, limit: maximumWidth) }

  /// Returns the first names, separated by commas, and the number of the others.
  public static func list(_ names: [String]) -> String {
    let shown = names.prefix(maximumCount).map { visible($0) }.joined(separator: ", ")
    let others = names.count - maximumCount
    return others > 0 ? "\(shown) and \(others) more" : shown
  }
}
