/// The names of tables of indexes: `concordance_KIND_ID`, and with a suffix the tables that FTS5 keeps for them.
package enum IndexTableName {
  /// Returns the number of the index that a table or an index of `sqlite_schema` belongs to; nil if its name has another form.
  package static func id(in name: String) -> Int64? {
    let parts = name.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "concordance" else { return nil }
    return Int64(parts[2])
  }
}
