import SQLiteAccess
package import TextIndex

/// Data of a segment that this library cannot have written.
package struct SegmentDamage: IndexDamage, Hashable {
  /// What is damaged.
  package let reason: String

  init(_ reason: String) { self.reason = reason }

  static let truncated = SegmentDamage("a payload is truncated")
  static let badNumber = SegmentDamage("a number is out of range")
  static let unordered = SegmentDamage("terms or rows are out of order")

  /// Returns the error for an index.
  package func error(index name: String) -> TextIndexError {
    TextIndexError(
      .damaged, "the index \"\(name)\" is damaged: \(reason); it must be rebuilt", recovery: .rebuildIndexes)
  }
}
