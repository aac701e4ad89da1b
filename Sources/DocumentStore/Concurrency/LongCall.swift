/// Ends a long function call if the operation of its thread is interrupted (``Interruption``) or its deadline has
/// passed (``Deadline``).
///
/// SQLite checks between the steps of a statement (``StatementInterruption``), and a call to an SQL function is part of
/// a single step. Functions whose work grows with their arguments must therefore count it:
///
/// ```swift
/// var call = LongCall()
/// for element in elements {
///   try call.step()
///   …
/// }
/// ```
///
/// This is safe on the writing connection as well: SQLite ends the statement but not the transaction.
public struct LongCall {
  /// The number of steps between two checks. A check reads the clock, which costs as much as many cheap steps. A call
  /// with fewer steps never checks.
  public static let interval = 4096

  private var steps = 0

  /// Creates the counter of a call.
  public init() {}

  /// Counts work, and calls ``check()`` after every ``interval`` steps.
  ///
  /// - Parameter count: the number of elements, or of 16-byte units of text.
  /// - Throws: The same errors as ``check()``.
  public mutating func step(_ count: Int = 1) throws {
    steps += count
    guard steps >= LongCall.interval else { return }
    steps = 0
    try LongCall.check()
  }

  /// Throws `CancellationError` if the operation of this thread was interrupted, and ``StoreError`` of kind
  /// ``StoreErrorKind/timeout`` if its deadline has passed.
  public static func check() throws {
    guard shouldEnd() else { return }
    try Interruption.check()
    try Deadline.check()
  }

  /// Returns whether a call should end, for code that cannot throw these errors. Call ``check()`` after such code.
  @Sendable public static func shouldEnd() -> Bool {
    Interruption.current?.isInterrupted == true || Deadline.current?.interrupts() == true
  }
}
