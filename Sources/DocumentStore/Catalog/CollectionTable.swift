import SQLiteAccess

/// The table of a collection's documents.
enum CollectionTable {
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
