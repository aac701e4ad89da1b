/// Limits the received revisions of all collections of a connection that wait for their blobs.
struct WaitingRevisions {
  /// The maximum number of revisions. It is less than that of unanswered requests at which the peer is disconnected.
  static let maximumCount = 8000
  /// The maximum size of the revisions in bytes.
  static let maximumSize = 64 << 20

  private var count = 0
  private var size = 0

  /// Counts a revision with its size in bytes.
  ///
  /// - Returns: false if too many are waiting. The revision is then not counted.
  mutating func reserve(_ size: Int) -> Bool {
    guard count < WaitingRevisions.maximumCount, self.size + size <= WaitingRevisions.maximumSize else { return false }
    count += 1
    self.size += size
    return true
  }

  /// Counts a revision as no longer waiting.
  mutating func release(_ size: Int) {
    count -= 1
    self.size -= size
  }
}
