/// Limits the revisions that are sent over a connection and not answered yet, over all of its collections.
///
/// A peer closes a connection with too many unanswered requests, so a limit for each collection would not be enough. A
/// sender that finds no room waits. Waiting senders continue in turns when revisions are answered.
///
/// Not `Sendable`: it is used only on the queue of its link.
final class RevisionBudget {
  /// The maximum number of unanswered revisions. Peers of this library close a connection with more than 10,000
  /// unanswered requests, and each collection also has up to five lists of changes.
  static let maximumCount = 1500
  /// The size in bytes of unanswered bodies above which no more are sent.
  static let maximumSize = 2 << 20

  private(set) var count = 0
  private var size = 0
  private var waiting = FIFO<() -> Void>()

  private var hasRoom: Bool { count < RevisionBudget.maximumCount && size < RevisionBudget.maximumSize }

  /// Counts a revision as sent.
  ///
  /// - Returns: false if there is no room. The revision is then not counted.
  func take(_ bodySize: Int) -> Bool {
    guard hasRoom else { return false }
    count += 1
    size += bodySize
    return true
  }

  /// Calls a function once when there is room. It may take room, and may wait again.
  func wait(_ resume: @escaping () -> Void) { waiting.append(resume) }

  /// Counts a revision as answered, and lets waiting senders continue.
  func release(_ bodySize: Int) {
    count -= 1
    size -= bodySize
    while hasRoom, let resume = waiting.popFirst() { resume() }
  }
}
