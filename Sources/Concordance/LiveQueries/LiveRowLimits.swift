/// The limits on the rows of a live query, which are all in memory.
struct LiveRowLimits: Sendable {
  /// The maximum number of rows; nil for no limit.
  var rowCount: Int?
  /// The maximum size of the rows in bytes; nil for no limit.
  var size: Int?

  func check(count: Int) throws {
    guard let rowCount, count > rowCount else { return }
    throw CBLError(
      CBLError.invalidQuery,
      "the live query has more than \(rowCount) rows, the maximum that was set; add a LIMIT clause",
      isRowLimitExceeded: true)
  }

  func check(size: Int) throws {
    guard let limit = self.size, size > limit else { return }
    throw CBLError(
      CBLError.invalidQuery,
      "the rows of the live query have more than \(limit) bytes, the maximum that was set; select fewer properties or "
        + "add a LIMIT clause",
      isSizeLimitExceeded: true)
  }
}
