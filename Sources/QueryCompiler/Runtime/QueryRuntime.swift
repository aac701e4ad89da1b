public import GRDB
import SQLiteAccess

/// Registers the functions, tables and collations of compiled queries with a connection.
///
/// The schema of a file names none of them, so an unmodified `sqlite3` can open and read every file. SQLITE_DIRECTONLY
/// enforces this: SQLite refuses them in indexes, views and triggers, including those that another program added to a
/// file.
public enum QueryRuntime {
  /// Adds all functions and collations to a connection. Repeated calls are harmless.
  ///
  /// - Parameters:
  ///   - database: the connection.
  ///   - predictor: calls the models of PREDICTION; nil if no query uses PREDICTION.
  /// - Throws: `DatabaseError` if SQLite reports an error.
  /// - Complexity: about 0.1 ms for about 100 functions.
  public static func register(on database: Database, predictor: Predictor? = nil) throws {
    database.setMaximumLength(ValueBudget.maximumLength)
    try PropertyFunction.register(on: database)
    try database.addFunction("concordance_collated", arity: 2, CollatedFunction())
    try addConversions(to: database)
    for function in QueryFunctions.all {
      try add(function, .exact, named: function.sqlName, to: database)
      if let name = function.conditionName { try add(function, .condition, named: name, to: database) }
    }
    for aggregate in QueryAggregates.all + [QueryAggregates.distinctArray] {
      try database.addAggregate(aggregate.sqlName, RegisteredAggregate(aggregate))
    }
    try database.addTable(EachTableFunction.name, EachTableFunction())
    try database.addTable(RowIDTableFunction.name, RowIDTableFunction())
    try database.addTable(MatchTableFunction.name, MatchTableFunction())
    try database.addFunction(
      MatchFunction.name, arity: 2, isDeterministic: false, MatchFunction())
    try database.provideCollations(RegisteredCollation.self)
    if let predictor {
      try database.addFunction(PredictionSQLFunction.name, arity: 3, PredictionSQLFunction(predictor))
    }
  }

  /// Adds the functions that are not functions of SQL++.
  private static func addConversions(to database: Database) throws {
    try database.addFunction("concordance_sort", arity: 1, ConversionCallbacks.sortKey)
    try database.addFunction("concordance_group", arity: 1, ConversionCallbacks.group)
    try database.addFunction("concordance_count", arity: 1, ConversionCallbacks.count)
    try database.addFunction("concordance_text", arity: 1, ConversionCallbacks.text)
    try database.addFunction("concordance_truth", arity: 1, ConversionCallbacks.truth)
    try database.addFunction("concordance_boolean", arity: 1, ConversionCallbacks.boolean)
  }

  private static func add(
    _ function: ScalarFunction, _ encoding: SQLEncoding, named name: String, to database: Database
  ) throws {
    let hasOneArity = function.arity.count == 1 && !function.takesCollation
    try database.addFunction(
      name, arity: hasOneArity ? function.arity.lowerBound : nil, isDeterministic: function.isDeterministic,
      RegisteredFunction(function, encoding))
  }
}
