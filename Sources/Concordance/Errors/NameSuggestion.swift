import QueryModel

/// Suggestions for misspelt names. For the command; not public API.
@_spi(Command) public enum NameSuggestion {
  /// Returns the name with the smallest edit distance to a name; nil if all distances are too large for its length.
  public static func closest(to name: String, among names: [String]) -> String? {
    SpellingDistance.closest(to: name, among: names)
  }
}
