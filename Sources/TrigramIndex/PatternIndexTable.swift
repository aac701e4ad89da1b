import GRDB
import TextIndex

/// The tables of a pattern index.
///
/// - An FTS5 table whose terms are trigrams, one posting per chunk of a document. It stores no content, positions
///   (`detail=none`) or lengths (`columnsize=0`), because patterns are tested on the document. To remove a row, FTS5
///   must be given the trigrams that were inserted.
/// - `…_parts` maps each chunk to its document. Chunk numbers ascend, so the rows of a changed document are
///   appended: FTS5 flushes a segment if a rowid is lower than one in its hash table.
struct PatternIndexTable: Sendable {
  let name: String

  var chunkTable: String { "\(name)_parts" }

  var insertion: String { "INSERT INTO \(name) (rowid, trigrams) VALUES (?, ?)" }
  var removal: String { "INSERT INTO \(name) (\(name), rowid, trigrams) VALUES ('delete', ?, ?)" }
  var chunkInsertion: String { "INSERT INTO \(chunkTable) (doc) VALUES (?)" }
  var chunkSelection: String { "SELECT part FROM \(chunkTable) WHERE doc = ? ORDER BY part" }
  var chunkRemoval: String { "DELETE FROM \(chunkTable) WHERE doc = ?" }

  /// The statements that create the tables.
  var creation: [String] {
    [
      """
      CREATE VIRTUAL TABLE \(name) USING fts5(
        trigrams, content = '', detail = none, columnsize = 0, tokenize = '\(TrigramTokenizer.name)')
      """,
      "CREATE TABLE \(chunkTable) (part INTEGER PRIMARY KEY, doc INTEGER NOT NULL)",
      "CREATE INDEX \(chunkTable)_doc ON \(chunkTable) (doc)",
    ]
  }

  func create(_ db: Database) throws {
    for statement in creation { try db.execute(sql: statement) }
  }

  /// - Parameter abandoningTable: whether to leave the FTS5 table in the file, if it is too damaged to drop.
  func drop(abandoningTable: Bool = false, _ db: Database) throws {
    if !abandoningTable { try db.execute(sql: "DROP TABLE \(name)") }
    try db.execute(sql: "DROP TABLE \(chunkTable)")
  }

  /// Adds segments to the FTS5 table, and merges them.
  var appender: SegmentAppender { SegmentAppender(table: name, detail: .none, hasSizes: false) }

  /// Merges all segments into one.
  func optimize(_ db: Database) throws { try command("optimize", db) }

  /// Runs FTS5's integrity check.
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
