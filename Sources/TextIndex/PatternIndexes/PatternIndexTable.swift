import GRDB

/// The FTS5 table of a pattern index: a term is a trigram, once a document.
///
/// It keeps no content, no positions (`detail=none`) and no lengths (`columnsize=0`): whether a pattern matches is decided on the
/// document. A row is removed by handing FTS5 the trigrams that were put in.
struct PatternIndexTable: Sendable {
  let name: String

  var insertion: String { "INSERT INTO \(name) (rowid, trigrams) VALUES (?, ?)" }
  var removal: String { "INSERT INTO \(name) (\(name), rowid, trigrams) VALUES ('delete', ?, ?)" }

  func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE \(name) USING fts5(
          trigrams, content = '', detail = none, columnsize = 0, tokenize = '\(TrigramTokenizer.name)')
        """)
  }

  func drop(_ db: Database) throws { try db.execute(sql: "DROP TABLE \(name)") }

  /// Merges all segments into one.
  func optimize(_ db: Database) throws { try command("optimize", db) }

  /// FTS5's own check of its b-trees.
  func checkIntegrity(_ db: Database) throws { try command("integrity-check", db) }

  private func command(_ word: String, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO \(name) (\(name)) VALUES (?)", arguments: [word])
  }
}
