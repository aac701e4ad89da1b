import GRDB
import TextIndex

/// The tables of a pattern index.
///
/// - An FTS5 table whose terms are trigrams, each once a part of a document. It keeps no content, no positions (`detail=none`) and
///   no lengths (`columnsize=0`): whether a pattern matches is decided on the document. A row is removed by handing FTS5 the
///   trigrams that were put in.
/// - `…_parts` tells the document of each part. Parts are numbered as they come, so that rows of a document that is changed are
///   added behind all others: FTS5 writes a segment whenever a row comes before one that it has gathered.
struct PatternIndexTable: Sendable {
  let name: String

  var parts: String { "\(name)_parts" }

  var insertion: String { "INSERT INTO \(name) (rowid, trigrams) VALUES (?, ?)" }
  var removal: String { "INSERT INTO \(name) (\(name), rowid, trigrams) VALUES ('delete', ?, ?)" }
  var partInsertion: String { "INSERT INTO \(parts) (doc) VALUES (?)" }
  var partSelection: String { "SELECT part FROM \(parts) WHERE doc = ? ORDER BY part" }
  var partRemoval: String { "DELETE FROM \(parts) WHERE doc = ?" }

  /// The statements that make the tables.
  var creation: [String] {
    [
      """
      CREATE VIRTUAL TABLE \(name) USING fts5(
        trigrams, content = '', detail = none, columnsize = 0, tokenize = '\(TrigramTokenizer.name)')
      """,
      "CREATE TABLE \(parts) (part INTEGER PRIMARY KEY, doc INTEGER NOT NULL)",
      "CREATE INDEX \(parts)_doc ON \(parts) (doc)",
    ]
  }

  func create(_ db: Database) throws {
    for statement in creation { try db.execute(sql: statement) }
  }

  /// - Parameter abandoningTable: whether the FTS5 table stays behind, for one so damaged that SQLite cannot drop it.
  func drop(abandoningTable: Bool = false, _ db: Database) throws {
    if !abandoningTable { try db.execute(sql: "DROP TABLE \(name)") }
    try db.execute(sql: "DROP TABLE \(parts)")
  }

  /// Merges all segments into one.
  func optimize(_ db: Database) throws { try command("optimize", db) }

  /// FTS5's own check of its b-trees.
  func checkIntegrity(_ db: Database) throws { try command("integrity-check", db) }

  private func command(_ word: String, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO \(name) (\(name)) VALUES (?)", arguments: [word])
  }
}

extension PatternIndexCatalog {
  /// Returns whether a statement of `sqlite_schema` creates a table or index of a pattern index, used or abandoned.
  public static func isStatement(_ sql: String, ofObject name: String) -> Bool {
    guard let id = IndexTableName.id(in: name) else { return false }
    let table = PatternIndexTable(name: StoredPatternIndex.tableName(id: id))
    return (table.creation + FTS5Schema.shadowTables(of: table.name, hasSizes: false)).contains(sql)
  }
}
