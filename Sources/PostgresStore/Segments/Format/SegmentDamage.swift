import TextIndex

/// Data of a segment that this library cannot have written.
package struct SegmentDamage: IndexDamage, Hashable {
  /// A description of the damage.
  package let reason: String

  init(_ reason: String) { self.reason = reason }

  static let truncated = SegmentDamage("a payload is truncated")
  static let badNumber = SegmentDamage("a number is out of range")
  static let unordered = SegmentDamage("terms or rows are out of order")
}
