/// An error for a pattern that contains a line break in a query whose matches cannot cross lines.
package struct LineQueryError: Error, Hashable, CustomStringConvertible {
  /// The pattern.
  package let pattern: String

  /// A description of the error, with the pattern.
  package var description: String {
    "the pattern \"\(pattern)\" contains a line break, but a match cannot cross lines"
  }
}
