/// The answer to a query.
public struct OracleResult: Sendable {
  /// The columns, in order.
  public let columns: [OracleColumn]
  /// The rows, in order where the query has one.
  public let rows: [[OracleValue]]
  /// Where there is an order: a number for each row, the same for rows that the order does not tell apart.
  var ties: [Int] = []
  /// Whether the query has no other right answer: LIMIT and OFFSET may cut between rows that the order does not tell
  /// apart.
  public internal(set) var isDeterminate = true

  init(columns: [OracleColumn], rows: [[OracleValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A column of an ``OracleResult``.
public struct OracleColumn: Sendable {
  /// Its name: the alias or what is derived from the expression.
  public let name: String
  /// What another right value may differ in.
  let tolerance: OracleTolerance
}
