import Synchronization

/// The outcome of a transaction or nested transaction, shared by all holders of this object.
///
/// For objects in memory that mirror the file. A transaction may create many of them: they query the outcome when they
/// need it, while ``WriteTransaction/onCompletion(_:)`` would have to keep a closure for each.
public final class TransactionOutcome: Sendable {
  private enum State: UInt8 { case open, ended, rolledBack }

  private let parent: TransactionOutcome?
  private let state = Atomic<UInt8>(State.open.rawValue)

  init(inside parent: TransactionOutcome? = nil) { self.parent = parent }

  /// Whether the changes were rolled back.
  public var isRolledBack: Bool {
    state.load(ordering: .acquiring) == State.rolledBack.rawValue || (parent?.isRolledBack ?? false)
  }

  /// Whether the changes were committed.
  public var isCommitted: Bool {
    state.load(ordering: .acquiring) == State.ended.rawValue && (parent?.isCommitted ?? true)
  }

  func end(isRolledBack: Bool) {
    state.store((isRolledBack ? State.rolledBack : .ended).rawValue, ordering: .releasing)
  }
}
