import PostgresAccess

/// The condition on the distribution column in a statement about the rows of a node; none if the database is not on
/// Citus.
struct ShardFilter {
  /// The value of the column.
  let value: Int32?

  /// Returns the condition, to be appended to others.
  ///
  /// - Parameters:
  ///   - parameter: the number of the parameter with the value.
  ///   - table: the alias of the table.
  func condition(_ parameter: Int, _ table: String = "") -> String {
    value == nil ? "" : " AND \(table.isEmpty ? "" : table + ".")shard = $\(parameter)"
  }

  /// The parameter.
  var parameters: [PostgresValue] { value.map { [.int32($0)] } ?? [] }

  /// The column, to be appended to the columns of a key or of a new row.
  var column: String { value == nil ? "" : ", shard" }

  /// The value of the column in a new row.
  func inserted(_ parameter: Int) -> String { value == nil ? "" : ", $\(parameter)" }

  /// Returns the statement that deletes the rows of an index from a table.
  func deletion(from table: String, index: Int64) -> PostgresStatement {
    PostgresStatement("DELETE FROM \(table) WHERE idx = $1\(condition(2))", [.int64(index)] + parameters)
  }
}

extension PostgresSession {
  /// Returns the condition for the rows of a node.
  func filter(_ node: Int) -> ShardFilter { nodes.filter(node) }
}
