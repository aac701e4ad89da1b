import PostgresAccess
import SQLiteAccess

/// A table of the catalog with few rows, all of which the session has in memory.
final class SmallTable: RemoteTable {
  /// The number of the table in ``SmallTables``.
  private let number: Int
  /// Retained as long as the SQLite connection has its tables.
  private let owner: ConnectionTables

  init(_ session: ConnectionSession, number: Int, owner: ConnectionTables) {
    self.number = number
    self.owner = owner
    super.init(session, TableShape.small[number])
  }

  override func choose(_ plan: RowTablePlan) -> Bool {
    plan.setEstimate(cost: 10, rows: 10)
    return true
  }

  override func rows(plan: Int32, _ arguments: SQLArguments) throws -> RowIterator? {
    try session.reloadSmallTablesIfNeeded()
    return LocalRows(session.smallTables.rows(ofTable: number))
  }

  /// The columns whose values identify a row, besides its number.
  private var keyColumns: [String] {
    switch shape.name {
    case "concordance_meta": ["key"]
    case "concordance_collection": ["scope", "name"]
    default: ["collection", "name"]
    }
  }

  private func row(sameAs values: [RemoteValue]) -> Int64? {
    let columns = keyColumns.compactMap { name in shape.columns.firstIndex { $0.name == name } }
    return session.smallTables.rows(ofTable: number)
      .first { row in columns.allSatisfy { row.values[$0] == values[$0] } }?.number
  }

  override func insert(row: Int64?, _ values: SQLArguments, _ resolution: ConflictResolution) throws -> Int64 {
    try session.reloadSmallTablesIfNeeded()
    var values = values.map { RemoteValue($0) }
    let existing = self.row(sameAs: values)
    if let existing, resolution != .replace {
      throw KeyConflict("UNIQUE constraint failed: \(shape.name) (row \(existing))")
    }
    var number = existing ?? session.smallTables.nextNumber(ofTable: self.number)
    if let sequence = shape.sequence {
      number = try values[0].int64 ?? session.nextNumber(of: sequence.name, step: sequence.step)
      values[0] = .integer(number)
    }
    try session.enqueue(PostgresStatement(insertion(resolution), parameters(values)), on: 0)
    session.smallTables.set(values, number: number, table: self.number)
    return number
  }

  override func update(row: Int64, _ values: SQLArguments, _ resolution: ConflictResolution) throws {
    let values = values.map { RemoteValue($0) }
    let names = shape.columns.map(\.name)
    let assignments = names.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: ", ")
    // The first column is the key of all these tables.
    try session.enqueue(
      PostgresStatement("UPDATE \(shape.remote) SET \(assignments) WHERE \(names[0]) = $1", parameters(values)), on: 0)
    session.smallTables.set(values, number: row, table: number)
  }

  override func delete(row: Int64) throws {
    try session.reloadSmallTablesIfNeeded()
    guard let found = session.smallTables.rows(ofTable: number).first(where: { $0.number == row }) else { return }
    try session.enqueue(
      PostgresStatement(
        "DELETE FROM \(shape.remote) WHERE \(shape.columns[0].name) = $1", parameters([found.values[0]])), on: 0)
    session.smallTables.set(nil, number: row, table: number)
    // PostgreSQL also deletes rows that refer to a collection.
    if shape.name == "concordance_collection" { session.smallTables.invalidate() }
  }
}
