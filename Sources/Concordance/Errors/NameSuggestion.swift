import QueryModel

/// What a misspelt name may mean.
package enum NameSuggestion {
  /// The name that another one can be turned into with the fewest changes, if these are few for its length.
  package static func closest(to name: String, among names: [String]) -> String? {
    SpellingDistance.closest(to: name, among: names)
  }
}
