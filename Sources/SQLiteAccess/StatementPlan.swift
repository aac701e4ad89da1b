public import GRDB

/// SQLite's plan for a statement. Whether rows are sorted can only be read from the text of the plan. This text comes
/// from SQLite's `select.c`; only this file depends on it.
public struct StatementPlan: Sendable {
  /// The lines of `EXPLAIN QUERY PLAN`.
  public let lines: [String]

  /// Plans a statement without running it.
  ///
  /// - Throws: `DatabaseError` if SQLite cannot compile the statement.
  public init(of sql: String, _ db: Database) throws {
    let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
    // The plan does not depend on the values of parameters, so they are not required.
    statement.setUncheckedArguments(StatementArguments())
    lines = try Row.fetchAll(statement).compactMap { $0["detail"] }
  }

  /// Whether rows are sorted after they are found, by all or some of the terms of ORDER BY.
  public var sortsRows: Bool { lines.contains { $0.hasPrefix(StatementPlan.sorting) && $0.hasSuffix("ORDER BY") } }

  /// Whether rows are sorted to find the groups of GROUP BY.
  public var sortsGroups: Bool { lines.contains { $0.hasPrefix(StatementPlan.sorting + " GROUP BY") } }

  /// The descriptions of the plans of virtual tables, see ``RowTablePlan/describe(_:)``.
  public var tableDescriptions: [String] {
    lines.compactMap { line in
      guard let plan = line.firstRange(of: " VIRTUAL TABLE INDEX "),
        let colon = line[plan.upperBound...].firstIndex(of: ":")
      else { return nil }
      let description = line[line.index(after: colon)...]
      return description.isEmpty ? nil : String(description)
    }
  }

  private static let sorting = "USE TEMP B-TREE FOR"
}
