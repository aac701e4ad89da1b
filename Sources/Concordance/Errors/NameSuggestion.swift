import QueryModel

/// Suggestions for misspelled names, for the command. Not public API.
@_spi(Command) public enum NameSuggestion {
  /// Returns the element of `names` with the smallest edit distance to `name`, or nil if all distances are too large
  /// for its length.
  public static func closest(to name: String, among names: [String]) -> String? {
    SpellingDistance.closest(to: name, among: names)
  }
}
