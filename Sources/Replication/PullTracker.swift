/// The changes that a peer has announced, in its order, for the checkpoint: the last sequence up to which all changes
/// are complete.
struct PullTracker {
  private struct Entry {
    let sequence: RemoteSequence
    var isDone: Bool
  }

  /// The sequence up to which all changes are complete; nil at the beginning.
  private(set) var completed: RemoteSequence?
  private var entries: [Entry] = []
  private var first = 0
  /// The positions of incomplete entries, counted from the beginning of the replication, by sequence.
  private var positions: [RemoteSequence: Int] = [:]
  private var removedCount = 0
  /// Whether a change was abandoned, so that the checkpoint cannot advance beyond it.
  private var isBlocked = false
  /// The sequences of revisions that were sent to the peer.
  private var echoes = SequenceSet()

  init(since completed: RemoteSequence?) { self.completed = completed }

  /// The number of incomplete changes.
  var pendingCount: Int { positions.count }

  /// Adds an announced change.
  mutating func add(_ sequence: RemoteSequence, isDone: Bool) {
    // A sequence that is announced again replaces its earlier announcement.
    finish(sequence)
    if !isDone { positions[sequence] = isBlocked ? Int.max : removedCount + entries.count }
    guard !isBlocked else { return }
    entries.append(Entry(sequence: sequence, isDone: isDone))
    advance()
  }

  /// Records that a change is complete.
  ///
  /// - Returns: whether it was incomplete.
  @discardableResult
  mutating func finish(_ sequence: RemoteSequence) -> Bool {
    guard let position = positions.removeValue(forKey: sequence) else { return false }
    guard position - removedCount < entries.count else { return true }
    entries[position - removedCount].isDone = true
    advance()
    return true
  }

  /// Records that the transmission of a change has ended, although the change is not complete. It and all later changes
  /// are announced again by the next replication, so later changes are no longer recorded.
  mutating func abandon(_ sequence: RemoteSequence) {
    guard let position = positions.removeValue(forKey: sequence) else { return }
    isBlocked = true
    guard position - removedCount < entries.count else { return }
    entries.removeSubrange((position - removedCount)...)
  }

  /// Records a sequence that the peer has given to a revision of this database. The peer does not announce it.
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
    // Without these sequences, the next replication would compare all documents that this one has sent.
    let number = completed.map(\.number) ?? 0
    guard let number, let range = echoes.ranges.first(where: { $0.contains(number + 1) }),
      let sequence = RemoteSequence(range.upperBound - 1)
    else { return }
    completed = sequence
  }
}
