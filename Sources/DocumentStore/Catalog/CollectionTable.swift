import SQLiteAccess

/// The table of a collection's documents.
enum CollectionTable {
  /// Returns whether ``WriteTransaction/createCollection(_:)`` may have given this name to the table of a collection:
  /// the full name, or the full name with a number if that name was already in use.
  static func isName(_ table: String, for name: CollectionName) -> Bool {
    let base = name.description
    guard table.utf8.starts(with: base.utf8) else { return false }
    let suffix = table.utf8.dropFirst(base.utf8.count)
    guard let first = suffix.first else { return true }
    return first == UInt8(ascii: "~") && Int(Substring(suffix.dropFirst())).map { $0 > 1 } == true
  }

  /// Returns the statements that create the table with this name and its indexes, as `sqlite_schema` stores them.
  static func statements(_ name: String) -> [String] {
    let table = name.sqlIdentifier
    return [
      """
      CREATE TABLE \(table) (
        rowid INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        sequence INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0,
        source INTEGER,
        expiration INTEGER,
        body TEXT
      )
      """,
      "CREATE UNIQUE INDEX \((name + ".sequence").sqlIdentifier) ON \(table) (sequence)",
      "CREATE INDEX \((name + ".source").sqlIdentifier) ON \(table) (source) WHERE source IS NOT NULL",
      """
      CREATE INDEX \((name + ".expiration").sqlIdentifier) ON \(table) (expiration)
        WHERE expiration IS NOT NULL
      """,
    ]
  }
}
