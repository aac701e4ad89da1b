/// Tracks the changes that a peer has announced, in the peer's order, to determine the checkpoint: the last sequence up
/// to which all changes are complete.
struct PullTracker {
  private struct Entry {
    let sequence: RemoteSequence
    var isDone: Bool
  }

  /// The sequence up to which all changes are complete; nil if there is none.
  private(set) var completed: RemoteSequence?
  private var entries: [Entry] = []
  private var first = 0
  /// The positions of incomplete entries by sequence, counted from the start of the replication.
  private var positions: [RemoteSequence: Int] = [:]
  private var removedCount = 0
  /// Whether a change was abandoned, so that the checkpoint cannot advance beyond it.
  private(set) var isBlocked = false
  /// The sequences of revisions that were sent to the peer.
  private var echoes = SequenceSet()

  init(since completed: RemoteSequence?) { self.completed = completed }

  /// The number of incomplete changes.
  var pendingCount: Int { positions.count }

  /// Returns whether a change was announced and is incomplete.
  func isPending(_ sequence: RemoteSequence) -> Bool { positions[sequence] != nil }

  /// Adds an announced change.
  mutating func add(_ sequence: RemoteSequence, isDone: Bool) {
    // If a sequence is announced again, the new announcement replaces the earlier one.
    finish(sequence)
    if !isDone { positions[sequence] = isBlocked ? Int.max : removedCount + entries.count }
    guard !isBlocked else { return }
    entries.append(Entry(sequence: sequence, isDone: isDone))
    advance()
  }

  /// Records that a change is complete.
  ///
  /// - Returns: whether the change was incomplete until now.
  @discardableResult
  mutating func finish(_ sequence: RemoteSequence) -> Bool {
    guard let position = positions.removeValue(forKey: sequence) else { return false }
    guard position - removedCount < entries.count else { return true }
    entries[position - removedCount].isDone = true
    advance()
    return true
  }

  /// Records that the transmission of a change has ended although the change is incomplete. In the next replication,
  /// the peer announces this change and all later ones again, so later changes are no longer recorded.
  mutating func abandon(_ sequence: RemoteSequence) {
    guard let position = positions.removeValue(forKey: sequence) else { return }
    isBlocked = true
    guard position - removedCount < entries.count else { return }
    entries.removeSubrange((position - removedCount)...)
  }

  /// Records a sequence that the peer assigned to a revision from this database. The peer does not announce it.
  mutating func addEcho(_ sequence: UInt64) {
    echoes.insert(sequence)
    advance()
  }

  private mutating func advance() {
    while first < entries.count, entries[first].isDone {
      completed = entries[first].sequence
      first += 1
    }
    if first == entries.count || first > 4096 {
      removedCount += first
      entries.removeFirst(first)
      first = 0
    }
    guard entries.isEmpty, !isBlocked, !echoes.ranges.isEmpty else { return }
    // Without these sequences, the next replication would compare all documents that this one sent.
    let number = completed.map(\.number) ?? 0
    guard let number, let range = echoes.ranges.first(where: { $0.contains(number + 1) }),
      let sequence = RemoteSequence(range.upperBound - 1)
    else { return }
    completed = sequence
  }
}
