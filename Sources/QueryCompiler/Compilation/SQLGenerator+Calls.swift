import QueryModel
import SQLiteAccess

/// Function calls.
extension SQLGenerator {
  /// Returns SQL that calls a function for its exact result or, if `isCondition` is true and the function has such a
  /// form, for its result as a condition.
  func call(
    _ function: QueryFunction, _ arguments: [QueryExpression], isDistinct: Bool, isCondition: Bool = false
  ) throws -> String {
    if function.isAggregate { return try aggregate(function, arguments[0], isDistinct: isDistinct) }
    guard let implementation = QueryFunctions.implementation(of: function) else {
      throw QueryCompilationError(.unsupported, "the function \(function.rawValue) is not available yet")
    }
    var values = try arguments.map { try exact($0) }
    if implementation.takesCollation, let collation = try collationName() {
      values.append(SQLText.literal(collation))
    }
    guard values.count <= QueryFunctions.maximumArity else {
      throw QueryCompilationError(
        .unsupported, "\(function.rawValue) takes at most \(QueryFunctions.maximumArity) arguments, not \(values.count)"
      )
    }
    let name = isCondition ? implementation.conditionName ?? implementation.sqlName : implementation.sqlName
    return "\(name)(\(values.joined(separator: ", ")))"
  }

  private func aggregate(
    _ function: QueryFunction, _ argument: QueryExpression, isDistinct: Bool
  ) throws -> String {
    if function == .count {
      if case .everything(nil) = argument, !isDistinct { return "count(*)" }
      if case .everything(let name?) = argument, !isDistinct, try source(name).isDocument {
        // In a left join, the row may have no document.
        return "count(\(try document(name)).rowid)"
      }
      return isDistinct ? "count(DISTINCT \(try countedKey(argument)))" : "count(\(try key(argument)))"
    }
    guard let aggregate = QueryAggregates.implementation(of: function) else {
      throw QueryCompilationError(.unsupported, "the function \(function.rawValue) is not available yet")
    }
    guard isDistinct else { return "\(aggregate.sqlName)(\(try exact(argument)))" }
    // SQLite evaluates DISTINCT with collations.
    if function == .arrayAggregate, argument.splittingCollation.collation == .binary {
      return "\(QueryAggregates.distinctArray.sqlName)(\(try exact(argument)))"
    }
    return "\(aggregate.sqlName)(DISTINCT \(try groupKey(argument)))"
  }

  /// Returns the operand of COUNT(DISTINCT x): NULL for null, otherwise an encoding that is identical for equal values.
  private func countedKey(_ argument: QueryExpression) throws -> String {
    var argument = argument
    if case .everything(nil) = argument, let only = sources.first, sources.count == 1 {
      argument = .everything(source: only.key)
    }
    return "nullif(\(try groupKey(argument)), \(SQLText.null))"
  }
}
