import DocumentStore

/// Counts the rows of a loop, and checks the time limit of the search after every 4096 of them.
///
/// Loops with short steps use it instead of `LongCall`, because a call into another module may take as long as a step.
struct RowCheck {
  /// A power of two.
  private static let interval = 4096

  private var count = 0

  /// Counts a row.
  ///
  /// - Throws: the errors of `LongCall.check()`.
  @inline(__always)
  mutating func step() throws {
    count &+= 1
    if count & (RowCheck.interval - 1) == 0 { try LongCall.check() }
  }

  /// Counts a row and returns whether the loop should end, for code that cannot throw. Call `LongCall.check()` after
  /// such code.
  @inline(__always)
  mutating func shouldEnd() -> Bool {
    count &+= 1
    return count & (RowCheck.interval - 1) == 0 && LongCall.shouldEnd()
  }
}
