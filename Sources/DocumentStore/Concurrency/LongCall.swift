/// Ends one long call of a function when the operation of its thread is interrupted (``Interruption``) or its time is over
/// (``Deadline``).
///
/// SQLite asks between the steps of a statement (``StatementInterruption``), and a call of an SQL function is a part of one step. So
/// functions whose work grows with their arguments count it:
///
/// ```swift
/// var call = LongCall()
/// for element in elements {
///   try call.step()
///   …
/// }
/// ```
///
/// On the writing connection this is safe, too: SQLite ends the statement and not the transaction.
public struct LongCall {
  /// Steps between two looks at the clock, which takes as long as many cheap steps. A call with less work never looks.
  public static let interval = 4096

  private var steps = 0

  /// Begins a call.
  public init() {}

  /// Counts work.
  ///
  /// - Parameter count: elements, or bytes of text in units of 16.
  /// - Throws: as ``check()``.
  public mutating func step(_ count: Int = 1) throws {
    steps += count
    guard steps >= LongCall.interval else { return }
    steps = 0
    try LongCall.check()
  }

  /// Throws `CancellationError` if the operation of this thread was interrupted, and ``StoreError`` of kind
  /// ``StoreError/Kind/timeout`` once its time is over.
  public static func check() throws {
    guard shouldEnd() else { return }
    try Interruption.check()
    try Deadline.check()
  }

  /// Whether a call should end: for code that cannot throw these errors. Call ``check()`` after it.
  @Sendable public static func shouldEnd() -> Bool {
    Interruption.current?.isInterrupted == true || Deadline.current?.interrupts() == true
  }
}
