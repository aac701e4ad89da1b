import Synchronization

/// Cancels an operation of the asynchronous API whose waiting task was cancelled.
///
/// The threads of ``WorkerThreads`` set ``current`` while they run an operation. Long loops call ``check()``, and
/// SQLite checks it between the steps of a statement on a reading connection. Statements of the writing connection are
/// never interrupted: SQLite would end the transaction, and later statements of the same batch would be committed one
/// by one.
public final class Interruption: Sendable {
  /// The operation that this thread runs; nil for calls to the blocking API.
  @TaskLocal public static var current: Interruption?

  private enum State {
    static let waiting: UInt8 = 0
    static let begun: UInt8 = 1
    static let interruptedBeforeBeginning: UInt8 = 2
    static let interrupted: UInt8 = 3
  }

  private let state = Atomic(State.waiting)

  /// Creates the state of an operation that has not started.
  public init() {}

  /// Whether the operation should end.
  public var isInterrupted: Bool { state.load(ordering: .acquiring) >= State.interruptedBeforeBeginning }

  /// Whether the operation has started. An operation that is interrupted before it starts never does.
  var hasBegun: Bool { [State.begun, State.interrupted].contains(state.load(ordering: .acquiring)) }

  /// Marks the start of the operation. Before it starts, it has no effect, so a cancelled caller need not wait for the
  /// thread.
  ///
  /// - Throws: `CancellationError` if it has already been interrupted.
  public func begin() throws {
    _ = state.compareExchange(
      expected: State.waiting, desired: State.begun, ordering: .acquiringAndReleasing)
    if isInterrupted { throw CancellationError() }
  }

  /// Requests that the operation end.
  public func interrupt() {
    let found = state.compareExchange(
      expected: State.waiting, desired: State.interruptedBeforeBeginning, ordering: .acquiringAndReleasing)
    if found.original == State.begun { state.store(State.interrupted, ordering: .releasing) }
  }

  /// Throws `CancellationError` if the operation of this thread should end.
  public static func check() throws {
    if current?.isInterrupted == true { throw CancellationError() }
  }
}
