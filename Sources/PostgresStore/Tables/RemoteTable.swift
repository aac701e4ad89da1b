import PostgresAccess
import SQLiteAccess

/// A virtual table whose rows are in PostgreSQL.
class RemoteTable: WritableTable {
  let session: ConnectionSession
  let shape: TableShape
  /// The plans that SQLite may use, by their number, and the number of each.
  private var plans: [TablePlan] = []
  private var planNumbers: [TablePlan: Int32] = [:]

  init(_ session: ConnectionSession, _ shape: TableShape) {
    self.session = session
    self.shape = shape
    super.init(columns: shape.declaration)
  }

  // MARK: Reading

  /// The columns that identify a row.
  var uniqueColumns: Set<Int> { shape.sequence == nil ? [] : [0] }

  /// The columns that begin an index.
  var indexedColumns: Set<Int> { [0, 1] }

  /// The estimated number of rows.
  var estimatedRowCount: Double { 10_000 }

  override func choose(_ plan: RowTablePlan) -> Bool {
    let chosen = TablePlan(
      plan, shape, unique: uniqueColumns, indexed: indexedColumns, rowCount: estimatedRowCount,
      isMerged: session.nodes.shardNodes.count > 1)
    plan.describe(chosen.description(shape))
    if let known = planNumbers[chosen] {
      plan.number = known
    } else {
      plan.number = Int32(clamping: plans.count)
      planNumbers[chosen] = plan.number
      plans.append(chosen)
    }
    return true
  }

  override func rows(plan number: Int32, _ arguments: SQLArguments) throws -> RowIterator? {
    guard plans.indices.contains(Int(number)) else { return nil }
    return try rows(plans[Int(number)], arguments)
  }

  func rows(_ plan: TablePlan, _ arguments: SQLArguments) throws -> RowIterator? {
    guard let statement = try plan.statement(shape, arguments) else { return nil }
    return try RemoteRows.open(
      session, shape, statement, on: nodes(plan, arguments), order: plan.mergeOrder(shape))
  }

  /// The nodes that may have the rows of a plan.
  func nodes(_ plan: TablePlan, _ arguments: SQLArguments) -> Range<Int> { 0..<1 }

  /// The node of a row.
  func node(ofRow row: Int64) -> Int { 0 }

  // MARK: Writing

  /// Returns the parameters for the values of a row.
  func parameters(_ values: [RemoteValue]) throws -> [PostgresValue] {
    try zip(shape.columns, values).map { column, value in
      guard let parameter = column.kind.parameter(value) else {
        if column.kind == .text, case .text = value {
          throw PostgresError(.statement, "\(shape.name): PostgreSQL cannot store U+0000 in the column \(column.name)")
        }
        throw PostgresError(.statement, "\(shape.name): the column \(column.name) cannot contain a value of this type")
      }
      return parameter == .null ? column.defaultValue : parameter
    }
  }

  override func insert(row: Int64?, _ values: SQLArguments, _ resolution: ConflictResolution) throws -> Int64 {
    var parameters = try parameters(values.map { RemoteValue($0) })
    var number: Int64 = 0
    if let sequence = shape.sequence {
      if case .int64(let given) = parameters[0] {
        number = given
      } else {
        number = try session.nextNumber(of: sequence.name, step: sequence.step)
        parameters[0] = .int64(number)
      }
    }
    try session.enqueue(PostgresStatement(insertion(resolution), parameters), on: 0)
    return number
  }

  func insertion(_ resolution: ConflictResolution) -> String {
    let names = shape.columns.map(\.name)
    let text =
      "INSERT INTO \(shape.remote) (\(names.joined(separator: ", "))) "
      + "VALUES (\(names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))"
    switch resolution {
    case .fail: return text
    case .ignore: return "\(text) ON CONFLICT DO NOTHING"
    case .replace:
      let changed = names.filter { !shape.key.contains($0) }.map { "\($0) = excluded.\($0)" }
      return "\(text) ON CONFLICT (\(shape.key.joined(separator: ", "))) DO "
        + (changed.isEmpty ? "NOTHING" : "UPDATE SET \(changed.joined(separator: ", "))")
    }
  }

  override func update(row: Int64, _ values: SQLArguments, _ resolution: ConflictResolution) throws {
    let names = shape.columns.map(\.name)
    let assignments = names.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: ", ")
    var text = "UPDATE \(shape.remote) SET \(assignments) WHERE \(shape.rowCondition(names.count + 1))"
    if resolution == .ignore {
      let same = shape.key.map { key in "other.\(key) = $\((names.firstIndex(of: key) ?? 0) + 1)" }
      text += " AND NOT EXISTS (SELECT 1 FROM \(shape.remote) AS other WHERE \(same.joined(separator: " AND ")))"
    }
    let node = node(ofRow: row)
    try session.enqueue(
      PostgresStatement(
        text, parameters(values.map { RemoteValue($0) }) + [.int64(row)] + session.filter(node).parameters), on: node)
  }

  override func delete(row: Int64) throws {
    let node = node(ofRow: row)
    try session.enqueue(
      PostgresStatement(
        "DELETE FROM \(shape.remote) WHERE \(shape.rowCondition(1))",
        [.int64(row)] + session.filter(node).parameters), on: node)
  }

  // MARK: Savepoints

  override func beginSavepoint(_ number: Int32) throws { session.beginSavepoint(number) }
  override func releaseSavepoint(_ number: Int32) throws { session.releaseSavepoint(number) }
  override func rollBack(toSavepoint number: Int32) throws { try session.rollBack(toSavepoint: number) }
}
