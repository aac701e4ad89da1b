import QueryModel

/// Suggestions for misspelt names. The command uses it; it is not public API.
@_spi(Command) public enum NameSuggestion {
  /// Returns the name that needs the fewest edits to equal another name, or nil if all need too many for its length.
  public static func closest(to name: String, among names: [String]) -> String? {
    SpellingDistance.closest(to: name, among: names)
  }
}
