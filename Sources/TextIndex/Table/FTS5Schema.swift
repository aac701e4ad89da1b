/// The statements by which FTS5 makes the tables behind its own, as `sqlite_schema` keeps them.
package enum FTS5Schema {
  /// The statements for the table with this name.
  ///
  /// - Parameter hasSizes: false for a table with `columnsize=0`.
  package static func shadowTables(of table: String, hasSizes: Bool) -> [String] {
    [
      "CREATE TABLE '\(table)_data'(id INTEGER PRIMARY KEY, block BLOB)",
      "CREATE TABLE '\(table)_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
      "CREATE TABLE '\(table)_config'(k PRIMARY KEY, v) WITHOUT ROWID",
    ] + (hasSizes ? ["CREATE TABLE '\(table)_docsize'(id INTEGER PRIMARY KEY, sz BLOB)"] : [])
  }
}
