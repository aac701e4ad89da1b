/// Tracks the changes that a peer has announced, in the peer's order, to determine the checkpoint: the last sequence up
/// to which all changes are complete.
struct PullTracker {
  private struct Entry {
    let sequence: RemoteSequence
    var isDone: Bool
  }

  /// An incomplete entry.
  private struct Pending {
    /// Its position, counted from the start of the replication; `Int.max` if it is not in ``entries``.
    let position: Int
    /// The number of incomplete changes with this sequence, more than one if the peer has announced it repeatedly.
    var count = 1
  }

  /// The sequence up to which all changes are complete; nil if there is none.
  private(set) var completed: RemoteSequence?
  private var entries: [Entry] = []
  private var first = 0
  private var pending: [RemoteSequence: Pending] = [:]
  private var removedCount = 0
  /// Whether a change was abandoned, so that the checkpoint cannot advance beyond it.
  private(set) var isBlocked = false
  /// The sequences of revisions that were sent to the peer.
  private var echoes = SequenceSet()

  init(since completed: RemoteSequence?) { self.completed = completed }

  /// The number of incomplete changes.
  private(set) var pendingCount = 0

  /// Returns whether a change was announced and is incomplete.
  func isPending(_ sequence: RemoteSequence) -> Bool { pending[sequence] != nil }

  /// Adds an announced change.
  mutating func add(_ sequence: RemoteSequence, isDone: Bool) {
    if !isDone { pendingCount += 1 }
    // If the sequence was announced before and is incomplete, the checkpoint must not pass the earlier announcement.
    guard pending[sequence] == nil else {
      if !isDone { pending[sequence]?.count += 1 }
      return
    }
    if !isDone { pending[sequence] = Pending(position: isBlocked ? Int.max : removedCount + entries.count) }
    guard !isBlocked else { return }
    entries.append(Entry(sequence: sequence, isDone: isDone))
    advance()
  }

  /// Records that a change is complete.
  ///
  /// - Returns: whether the change was incomplete until now.
  @discardableResult
  mutating func finish(_ sequence: RemoteSequence) -> Bool {
    guard let position = endOne(sequence) else { return false }
    guard pending[sequence] == nil, position - removedCount < entries.count else { return true }
    entries[position - removedCount].isDone = true
    advance()
    return true
  }

  /// Records that the transmission of a change has ended although the change is incomplete. In the next replication,
  /// the peer announces this change and all later ones again, so later changes are no longer recorded.
  mutating func abandon(_ sequence: RemoteSequence) {
    guard let position = endOne(sequence) else { return }
    isBlocked = true
    guard position - removedCount < entries.count else { return }
    entries.removeSubrange((position - removedCount)...)
  }

  /// Removes one of the incomplete changes with a sequence.
  ///
  /// - Returns: the position of their entry; nil if there is none.
  private mutating func endOne(_ sequence: RemoteSequence) -> Int? {
    guard var found = pending.removeValue(forKey: sequence) else { return nil }
    pendingCount -= 1
    found.count -= 1
    if found.count > 0 { pending[sequence] = found }
    return found.position
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
