public import GRDB
import GRDBSQLite

/// What compiled queries need of a connection: functions and collations of ours.
///
/// The schema names none of them, so that the stock `sqlite3` opens and reads every file. SQLITE_DIRECTONLY enforces it: SQLite
/// refuses them in indexes, views and triggers, also in those that somebody else put into a file.
public enum QueryRuntime {
  /// Adds all functions and collations to a connection. Once for each; a second time does no harm.
  ///
  /// - Parameters:
  ///   - database: the connection.
  ///   - predictor: what PREDICTION asks; nil where no query calls it.
  /// - Throws: `DatabaseError` when SQLite refuses.
  /// - Complexity: about 100 functions, 0.1 ms.
  public static func register(on database: Database, predictor: Predictor? = nil) throws {
    guard let connection = database.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(ValueBudget.maximumLength))
    try check(PropertyFunction.register(on: connection, flags: flags), connection)
    try check(CollatedFunction.register(on: connection, flags: flags), connection)
    try check(registerConversions(on: connection), connection)
    for function in QueryFunctions.all {
      try check(register(function, .exact, named: function.sqlName, on: connection), connection)
      if let name = function.conditionName {
        try check(register(function, .condition, named: name, on: connection), connection)
      }
    }
    for aggregate in QueryAggregates.all { try check(register(aggregate, on: connection), connection) }
    try check(EachTableFunction.register(on: connection), connection)
    try check(RowIDTableFunction.register(on: connection), connection)
    try check(MatchTableFunction.register(on: connection), connection)
    try check(MatchFunction.register(on: connection), connection)
    try check(CollationCallbacks.register(on: connection), connection)
    if let predictor { try check(PredictionSQLFunction.register(predictor, on: connection), connection) }
  }

  private static let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY

  private static func check(_ code: Int32, _ connection: OpaquePointer) throws {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
  }

  /// The functions that are no functions of SQL++.
  private static func registerConversions(on connection: OpaquePointer) -> Int32 {
    let codes = [
      scalar("concordance_sort", 1, connection) { context, _, arguments in
        ConversionCallbacks.sortKey(context, arguments)
      },
      scalar("concordance_group", 1, connection) { context, _, arguments in
        ConversionCallbacks.group(context, arguments)
      },
      scalar("concordance_count", 1, connection) { context, _, arguments in
        ConversionCallbacks.count(context, arguments)
      },
      scalar("concordance_text", 1, connection) { context, _, arguments in
        ConversionCallbacks.text(context, arguments)
      },
      scalar("concordance_truth", 1, connection) { context, _, arguments in
        ConversionCallbacks.truth(context, arguments)
      },
      scalar("concordance_boolean", 1, connection) { context, _, arguments in
        ConversionCallbacks.boolean(context, arguments)
      },
    ]
    return codes.first { $0 != SQLITE_OK } ?? SQLITE_OK
  }

  private static func scalar(
    _ name: String, _ arity: Int32, _ connection: OpaquePointer,
    _ call: @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) -> Int32 {
    sqlite3_create_function_v2(
      connection, name, arity, flags | SQLITE_DETERMINISTIC, nil, call, nil, nil, nil)
  }

  private static func register(
    _ function: ScalarFunction, _ encoding: SQLEncoding, named name: String, on connection: OpaquePointer
  ) -> Int32 {
    let hasOneArity = function.arity.count == 1 && !function.takesCollation
    return sqlite3_create_function_v2(
      connection, name, hasOneArity ? Int32(function.arity.lowerBound) : -1,
      flags | (function.isDeterministic ? SQLITE_DETERMINISTIC : 0),
      Unmanaged.passRetained(RegisteredFunction(function, encoding)).toOpaque(),
      { context, count, arguments in
        guard let owner = sqlite3_user_data(context) else { return }
        Unmanaged<RegisteredFunction>.fromOpaque(owner).takeUnretainedValue()
          .call(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
      }, nil, nil,
      // SQLite calls this after a failure as well.
      { owner in if let owner { Unmanaged<RegisteredFunction>.fromOpaque(owner).release() } })
  }

  private static func register(_ aggregate: QueryAggregate, on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, aggregate.sqlName, 1, flags | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(RegisteredAggregate(aggregate)).toOpaque(), nil,
      { context, _, arguments in
        guard let owner = sqlite3_user_data(context), let arguments else { return }
        Unmanaged<RegisteredAggregate>.fromOpaque(owner).takeUnretainedValue().step(context, arguments[0])
      },
      { context in
        guard let owner = sqlite3_user_data(context) else { return }
        Unmanaged<RegisteredAggregate>.fromOpaque(owner).takeUnretainedValue().finish(context)
      },
      { owner in if let owner { Unmanaged<RegisteredAggregate>.fromOpaque(owner).release() } })
  }
}
