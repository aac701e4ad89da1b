/// The result of a query.
public struct OracleResult: Sendable {
  /// The columns, in order.
  public let columns: [OracleColumn]
  /// The rows, in order if the query specifies one.
  public let rows: [[OracleValue]]
  /// If there is an order: a number for each row, equal for rows that are equal in the order.
  var ties: [Int] = []
  /// Whether the query has no other correct result: LIMIT and OFFSET may separate rows that are equal in the order.
  public internal(set) var isDeterminate = true

  init(columns: [OracleColumn], rows: [[OracleValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A column of an ``OracleResult``.
public struct OracleColumn: Sendable {
  /// The alias, or the name derived from the expression.
  public let name: String
  /// The permitted differences of a correct value.
  let tolerance: OracleTolerance
}
