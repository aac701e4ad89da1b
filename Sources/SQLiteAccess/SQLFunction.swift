public import GRDB
import GRDBSQLite

/// A scalar function of one connection, used by one thread at a time.
open class SQLFunction {
  /// Creates a function.
  public init() {}

  /// Calls the function and sets its result. If no result is set, it is NULL.
  open func call(_ arguments: SQLArguments, _ result: SQLResult) {}
}

/// An aggregate function.
open class SQLAggregate {
  /// Creates a function.
  public init() {}

  /// Creates the state of a group.
  open func makeState() -> SQLAggregateState { SQLAggregateState() }
}

/// The state of an aggregate function for one group.
open class SQLAggregateState {
  /// Creates a state without rows.
  public init() {}

  /// Adds a row. Setting an error as the result ends the statement.
  open func add(_ argument: SQLArgument, _ result: SQLResult) {}

  /// Sets the result. SQLite calls this once for each group, even after an error and for a group without rows.
  open func finish(_ result: SQLResult) {}
}

/// Functions are added with SQLITE_DIRECTONLY: SQLite rejects them in indexes, views and triggers, including those of
/// an untrusted file.
extension Database {
  /// Adds a function to this connection, which retains it.
  ///
  /// - Parameters:
  ///   - name: its name in SQL.
  ///   - arity: the number of arguments; nil for any number.
  ///   - isDeterministic: whether the result is always the same for the same arguments.
  ///   - function: the implementation.
  /// - Throws: `DatabaseError`.
  public func addFunction(_ name: String, arity: Int?, isDeterministic: Bool = true, _ function: SQLFunction) throws {
    let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    let code = sqlite3_create_function_v2(
      sqliteConnection, name, arity.map { Int32($0) } ?? -1, flags, Unmanaged.passRetained(function).toOpaque(),
      { context, count, arguments in
        guard let owner = sqlite3_user_data(context) else { return }
        // The connection retains the function during the call.
        Unmanaged<SQLFunction>.fromOpaque(owner)._withUnsafeGuaranteedRef {
          $0.call(SQLArguments(arguments, count), SQLResult(context: context))
        }
      }, nil, nil,
      // SQLite also calls this after a failure.
      { owner in if let owner { Unmanaged<SQLFunction>.fromOpaque(owner).release() } })
    try DatabaseError.check(code, sqliteConnection)
  }

  /// Adds a deterministic function without state to this connection.
  ///
  /// - Throws: `DatabaseError`.
  public func addFunction(_ name: String, arity: Int, _ call: @escaping (SQLArguments, SQLResult) -> Void) throws {
    try addFunction(name, arity: arity, ClosureFunction(call))
  }

  /// Adds an aggregate function of one argument to this connection, which retains it.
  ///
  /// - Throws: `DatabaseError`.
  public func addAggregate(_ name: String, _ aggregate: SQLAggregate) throws {
    let code = sqlite3_create_function_v2(
      sqliteConnection, name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(aggregate).toOpaque(), nil,
      { context, _, arguments in
        guard let arguments else { return }
        let result = SQLResult(context: context)
        guard let state = AggregateSlot.state(context) else { return sqlite3_result_error_nomem(context) }
        state.add(SQLArgument(handle: arguments[0]), result)
      },
      { context in AggregateSlot.takeState(context)?.finish(SQLResult(context: context)) },
      { owner in if let owner { Unmanaged<SQLAggregate>.fromOpaque(owner).release() } })
    try DatabaseError.check(code, sqliteConnection)
  }
}

private final class ClosureFunction: SQLFunction {
  private let body: (SQLArguments, SQLResult) -> Void

  init(_ body: @escaping (SQLArguments, SQLResult) -> Void) { self.body = body }

  override func call(_ arguments: SQLArguments, _ result: SQLResult) { body(arguments, result) }
}

/// The memory that SQLite allocates for each group: a reference to its state.
private enum AggregateSlot {
  /// Returns the state of the current group, which is created for its first row; nil if memory is exhausted.
  static func state(_ context: OpaquePointer?) -> SQLAggregateState? {
    guard let slot = slot(context, size: MemoryLayout<UnsafeMutableRawPointer>.size) else { return nil }
    if let known = slot.pointee { return Unmanaged<SQLAggregateState>.fromOpaque(known).takeUnretainedValue() }
    guard let state = newState(context) else { return nil }
    slot.pointee = Unmanaged.passRetained(state).toOpaque()
    return state
  }

  /// Returns the state of a group after its last row, or a new state if the group had no rows.
  static func takeState(_ context: OpaquePointer?) -> SQLAggregateState? {
    guard let known = slot(context, size: 0)?.pointee else { return newState(context) }
    return Unmanaged<SQLAggregateState>.fromOpaque(known).takeRetainedValue()
  }

  private static func newState(_ context: OpaquePointer?) -> SQLAggregateState? {
    sqlite3_user_data(context).map { Unmanaged<SQLAggregate>.fromOpaque($0).takeUnretainedValue().makeState() }
  }

  private static func slot(_ context: OpaquePointer?, size: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
