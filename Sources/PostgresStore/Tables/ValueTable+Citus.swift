import PostgresAccess

extension ValueTable.Layout {
  /// The first columns on Citus, where rows are numbered by the client.
  var columnsOnCitus: [String] {
    ["\(isOfDocuments ? "" : "rowid int8 NOT NULL, ")doc int8 NOT NULL, shard int4 NOT NULL, PRIMARY KEY (\(key))"]
  }

  /// The columns of the primary key.
  var key: String { (isOfDocuments ? "doc" : "rowid") + (isOnCitus ? ", shard" : "") }

  /// Returns the values that only a row on Citus has: the shard, and the number of the row.
  func valuesOnCitus(_ document: Int64, _ session: ConnectionSession) throws -> [(column: String, value: PostgresValue)]
  {
    guard isOnCitus else { return [] }
    let node = session.node(ofRow: document)
    let shard = session.filter(node).parameters.map { (column: "shard", value: $0) }
    guard !isOfDocuments else { return shard }
    let number = try session.nextNumber(of: "cx_row_id", step: Citus.rowStep)
    return shard + [("rowid", .int64(Int64(node) << ValueTable.Layout.rowBits | number))]
  }
}
