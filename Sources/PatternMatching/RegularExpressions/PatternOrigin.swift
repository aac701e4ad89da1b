/// The patterns of the user from which an expression was generated, for messages.
package struct PatternOrigin: Hashable, Sendable {
  /// The text that messages quote if the expression has one pattern.
  package let text: String
  /// The number of patterns.
  package let count: Int
  /// The number of patterns of the query, some of which may be in other expressions.
  package let totalCount: Int

  /// Creates the origin of an expression.
  package init(text: String, count: Int = 1, totalCount: Int = 1) {
    (self.text, self.count, self.totalCount) = (text, count, totalCount)
  }
}
