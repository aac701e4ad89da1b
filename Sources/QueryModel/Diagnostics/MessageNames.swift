/// Names from a query in messages. They may be of any length and number, and may contain control characters.
public enum MessageNames {
  /// The maximum number of terminal columns of a name.
  private static let maximumWidth = 100
  /// The maximum number of names in a list.
  private static let maximumCount = 5

  /// Returns a name in printable characters, truncated if it is long.
  public static func visible(_ name: String) -> String { SourceExcerpt.visible(name, limit: maximumWidth) }

  /// Returns the first names, separated by commas, and the number of the others.
  ///
  /// - Parameters:
  ///   - prefix: text before each name, such as the `$` of parameters.
  ///   - quoted: whether each name is in quotation marks.
  public static func list(_ names: [String], prefix: String = "", quoted: Bool = false) -> String {
    let mark = quoted ? "\"" : ""
    let shown = names.prefix(maximumCount).map { mark + prefix + visible($0) + mark }
    let others = names.count - maximumCount
    return shown.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
  }
}
