import GRDB
import SQLiteAccess

/// The file format and its migrations.
///
/// A file is an SQLite database whose header contains this library's application id and the format version
/// (`user_version`). The `sqlite3` program can open it and read every document. Queries of the full-text tables need
/// the tokenizer of this library.
///
/// | table | content |
/// |---|---|
/// | `concordance_meta` | values of the file: ids (``SourceIdentity``), counters, migrations (``MigrationLog``) |
/// | `concordance_collection` | one row per collection: scope, name, the table of its documents, counters |
/// | `concordance_index` | one row per index: its definition as JSON, the version of the analyzer that filled it |
/// | `concordance_source` | one row per file that documents were read from: path, size, time |
/// | `concordance_replacement` | pairs of sources: a document of the first replaced a document of the second |
/// | `concordance_blob` | one row per blob: its digest, its length in bytes |
/// | `concordance_blob_chunk` | the content of the blobs, in chunks of 256 KiB numbered from 0; the last is shorter |
/// | `concordance_purge` | the ids of recently purged documents, by collection and sequence |
/// | `concordance_version` | the version vectors of documents that a replication has written, see ``VersionRecords`` |
/// | `concordance_conflict` | revisions from other databases that conflict with a stored document |
/// | `concordance_checkpoint` | the progress of replications, see ``Checkpoints`` |
/// | `"scope.name"` | the documents of a collection: id, sequence, revision, expiration, JSON text |
/// | `concordance_ft_N` | the full-text index with the id N: a contentless FTS5 table and its shadow tables |
/// | `concordance_fl_N` | the lengths of its documents, one row per field and 512 documents, see `LengthTable` |
/// | `concordance_pi_N` | the pattern index with the id N: an FTS5 table of trigrams (`detail=none`) |
/// | `concordance_pi_N_parts` | the document of each row of `concordance_pi_N`, with long documents in chunks |
/// | `concordance_vi_N` | the value index with the id N, see `ValueIndexTable` |
/// | `concordance_vw_N`, `concordance_vw_N_…` | the view with the id N, see `ViewTables` |
///
/// History of the format, one line per version:
///
/// - 1: the first version.
/// - 2: the definitions of full-text and pattern indexes list the properties that `*` excludes (`excluded`). Format 1
///   has the flag `skipsFiles` instead, which is still read. The version of a value index contains the version of ICU
///   only if its definition has a Unicode collation.
/// - 3: version vectors, conflicts and checkpoints of replications, in tables of their own.
enum FileFormat {
  /// `Conc` in ASCII, at offset 68 of the file.
  static let applicationID: Int32 = 0x436F_6E63

  /// The version that this library writes.
  static let currentVersion: Int32 = 3

  /// Returns a number in `concordance_meta`; 0 if it is missing.
  static func number(_ key: String, _ db: Database) throws -> Int64 {
    let statement = try SQLStatement(cached: "SELECT value FROM concordance_meta WHERE key = ?", in: db)
    defer { statement.reset() }
    return try statement.withText(1, key) { try statement.step() ? statement.row.int64(0) : 0 }
  }

  /// Migrates a file, which may be empty, to ``currentVersion``. Runs inside the caller's transaction.
  static func migrate(_ db: Database, from version: Int32) throws {
    for (number, upgrade) in upgrades where number > version {
      try upgrade(db)
    }
    try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    try db.execute(sql: "PRAGMA user_version = \(currentVersion)")
  }

  private static let upgrades: [(version: Int32, upgrade: @Sendable (Database) throws -> Void)] = [
    (1, { try createTables($0) }),
    // The tables do not change, and definitions of format 1 are still read. The new number prevents earlier versions of
    // this library from writing to indexes whose definitions they would misread.
    (2, { _ in }),
    (3, { try addReplication($0) }),
  ]

  private static func createTables(_ db: Database) throws {
    for statement in initialStatements { try db.execute(sql: statement) }
    try db.execute(
      sql: """
        INSERT INTO concordance_meta VALUES ('uuid', lower(hex(randomblob(16)))), ('last_revision', 0), ('catalog_version', 0)
        """)
  }

  private static func addReplication(_ db: Database) throws {
    for statement in replicationStatements { try db.execute(sql: statement) }
    try db.execute(
      sql: """
        INSERT INTO concordance_meta VALUES ('private_uuid', lower(hex(randomblob(16)))), ('former_uuids', '[]')
        """)
  }

  /// Returns the statements that create the tables of a file of a version, as `sqlite_schema` stores them.
  static func statements(_ version: Int32) -> [String] {
    initialStatements + (version < 3 ? [] : replicationStatements)
  }

  private static let replicationStatements: [String] = [
    """
    CREATE TABLE concordance_version (
      collection INTEGER NOT NULL REFERENCES concordance_collection (id) ON DELETE CASCADE,
      document INTEGER NOT NULL,
      vector BLOB NOT NULL,
      PRIMARY KEY (collection, document)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE concordance_conflict (
      collection INTEGER NOT NULL REFERENCES concordance_collection (id) ON DELETE CASCADE,
      document INTEGER NOT NULL,
      remote TEXT NOT NULL,
      vector BLOB NOT NULL,
      body TEXT,
      PRIMARY KEY (collection, document, remote)
    )
    """,
    """
    CREATE TABLE concordance_checkpoint (
      id TEXT NOT NULL,
      is_peer INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (is_peer, id)
    ) WITHOUT ROWID
    """,
  ]

  private static let initialStatements: [String] = [
    """
    CREATE TABLE concordance_meta (
      key TEXT PRIMARY KEY NOT NULL,
      value NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE concordance_collection (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      scope TEXT NOT NULL,
      name TEXT NOT NULL,
      table_name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      last_sequence INTEGER NOT NULL DEFAULT 0,
      document_count INTEGER NOT NULL DEFAULT 0,
      UNIQUE (scope, name)
    )
    """,
    """
    CREATE TABLE concordance_index (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES concordance_collection (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      definition TEXT NOT NULL,
      analyzer_version TEXT,
      UNIQUE (collection, name)
    )
    """,
    """
    CREATE TABLE concordance_source (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES concordance_collection (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      settings TEXT NOT NULL,
      is_complete INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX concordance_source_path ON concordance_source (collection, path)",
    """
    CREATE TABLE concordance_replacement (
      winner INTEGER NOT NULL REFERENCES concordance_source (id) ON DELETE CASCADE,
      loser INTEGER NOT NULL REFERENCES concordance_source (id) ON DELETE CASCADE,
      PRIMARY KEY (winner, loser)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX concordance_replacement_loser ON concordance_replacement (loser)",
    """
    CREATE TABLE concordance_blob (
      id INTEGER PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      length INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE concordance_blob_chunk (
      blob INTEGER NOT NULL REFERENCES concordance_blob (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      content BLOB NOT NULL,
      UNIQUE (blob, number)
    )
    """,
    """
    CREATE TABLE concordance_purge (
      collection INTEGER NOT NULL REFERENCES concordance_collection (id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (collection, sequence)
    ) WITHOUT ROWID
    """,
  ]
}
