import Synchronization

/// What becomes of a transaction, or of one inside another: known by everybody who holds this object, once it is decided.
///
/// For objects in memory that mirror the file, of which there may be many in a transaction: they ask when they are asked,
/// where ``WriteTransaction/onCompletion(_:)`` would have to keep each of them.
public final class TransactionOutcome: Sendable {
  private enum State: UInt8 { case open, ended, rolledBack }

  private let parent: TransactionOutcome?
  private let state = Atomic<UInt8>(State.open.rawValue)

  init(inside parent: TransactionOutcome? = nil) { self.parent = parent }

  /// Whether the changes were undone.
  public var isRolledBack: Bool {
    state.load(ordering: .acquiring) == State.rolledBack.rawValue || (parent?.isRolledBack ?? false)
  }

  /// Whether the changes are in the file for good.
  public var isCommitted: Bool {
    state.load(ordering: .acquiring) == State.ended.rawValue && (parent?.isCommitted ?? true)
  }

  func end(isRolledBack: Bool) {
    state.store((isRolledBack ? State.rolledBack : .ended).rawValue, ordering: .releasing)
  }
}
