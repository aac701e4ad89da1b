/// The tables that full-text and pattern indexes keep in a file.
public enum IndexTables {
  /// Whether a statement of `sqlite_schema` makes a table or index that belongs to a full-text or pattern index, used or abandoned.
  public static func isStatement(_ sql: String, ofObject name: String) -> Bool {
    guard let id = id(in: name) else { return false }
    return statements(id: id, columnCount: sql.utf8.count { $0 == UInt8(ascii: ",") } - 1).contains(sql)
  }

  /// The number of the index that a name belongs to.
  private static func id(in name: String) -> Int64? {
    let parts = name.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "concordance" else { return nil }
    return Int64(parts[2])
  }

  /// - Parameter columnCount: the number of columns of a full-text index; the statements of other tables do not depend on it.
  private static func statements(id: Int64, columnCount: Int) -> [String] {
    let fullText = FullTextTable(name: InvertedIndex.tableName(id: id), columnCount: max(0, columnCount))
    let pattern = PatternIndexTable(name: PatternIndex.tableName(id: id))
    return [fullText.creation, LengthTable.creation(LengthTable.name(id: id))]
      + FTS5Schema.shadowTables(of: fullText.name, hasSizes: true)
      + pattern.creation + FTS5Schema.shadowTables(of: pattern.name, hasSizes: false)
  }
}
