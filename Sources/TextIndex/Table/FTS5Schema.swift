/// The statements with which FTS5 creates its shadow tables, as `sqlite_schema` stores them.
package enum FTS5Schema {
  /// Returns the statements for the table with this name.
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

/// The names of index tables: `concordance_KIND_ID`, with a suffix for FTS5's shadow tables.
package enum IndexTableName {
  /// Returns the ID of the index that a table or index of `sqlite_schema` belongs to; nil if the name has a different
  /// form.
  package static func id(in name: String) -> Int64? {
    let parts = name.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "concordance" else { return nil }
    return Int64(parts[2])
  }
}
