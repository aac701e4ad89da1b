import PostgresAccess

/// The tables of a database on PostgreSQL, in the schema `concordance`.
///
/// | table | content |
/// |---|---|
/// | `cx_manifest` | one row: the version of the schema, the number of shards, and the number of committed write transactions. Writers lock it |
/// | `cx_node` | the servers of a database on several: their addresses, shards and states |
/// | `cx_commit` | the last committed write transactions of each client, see ``CommitLog`` |
/// | `cx_doc` | the documents of all collections: their shard, row, id, sequence, revision, expiration, JSON text |
/// | `cx_counter` | the last row number of each collection in each shard |
/// | `cx_value_table`, `cx_vi_N` | the value indexes, and the rows of each, see ``ValueTable`` |
/// | `cx_ft`, `cx_seg`, … | full-text indexes, see ``SegmentSchema`` |
/// | `cx_tri`, `cx_tri_recent`, `cx_tri_long` | pattern indexes: the documents of trigrams in segments, recent documents with their trigrams, documents of several chunks; see ``PatternSegments`` |
/// | `cx_meta`, `cx_collection`, `cx_index`, … | the rows of `concordance_meta` and so on, see `FileFormat` |
///
/// JSON is stored as `text`: `jsonb` would reject U+0000 and change numbers and the order of keys. Texts that are
/// compared have the collation `C`, which compares bytes like SQLite.
enum StoreSchema {
  /// The name of the schema.
  static let name = "concordance"

  /// The version that this library writes and reads.
  static let version: Int64 = 6

  /// The statements that create a version from the previous one.
  static let migrations: [(version: Int64, script: String)] = [
    (1, initialScript + SegmentSchema.script), (2, nodeScript), (3, patternScript), (4, sharedListsScript),
    (5, packedListsScript), (6, droppedValueTablesScript),
  ]

  /// Segments of pattern indexes list their documents. Those of older versions list none, so merges do not know which
  /// of their postings are outdated.
  private static let patternScript = """
    INSERT INTO cx_tri (idx, tri, seg, payload) SELECT DISTINCT idx, \(PatternSegments.documentsNumber), seg, ''::bytea
      FROM cx_tri;
    """

  /// Short lists of trigrams share rows, which older versions of this library would not read. Rows of older segments
  /// remain until they are merged.
  private static let sharedListsScript = ""

  /// Lists of trigrams are packed, which older versions of this library would not read. PostgreSQL need not try to
  /// compress them, which was a fifth of the server's processor time in an import. Rows of older segments remain until
  /// they are merged.
  private static let packedListsScript = "ALTER TABLE cx_tri ALTER payload SET STORAGE EXTERNAL;"

  /// When a merge has found that a value index was deleted; infinite until then. See ``DroppedValueTables``.
  private static let droppedValueTablesScript = "ALTER TABLE cx_value_table ADD COLUMN dropped timestamptz;"

  private static let nodeScript = """
    ALTER TABLE cx_manifest ADD COLUMN node int4 NOT NULL DEFAULT 0, ADD COLUMN cluster text NOT NULL DEFAULT '';
    CREATE TABLE cx_node (
      number int4 PRIMARY KEY, address text NOT NULL, first_shard int4 NOT NULL, last_shard int4 NOT NULL,
      state int8 NOT NULL);
    CREATE TABLE cx_commit (
      client text COLLATE "C" PRIMARY KEY, batches int8[] NOT NULL, since timestamptz NOT NULL DEFAULT now());
    """

  private static let initialScript = """
    CREATE TABLE cx_manifest (
      lock int4 PRIMARY KEY CHECK (lock = 1), version int8 NOT NULL, shards int4 NOT NULL, state int8 NOT NULL);
    CREATE SEQUENCE cx_collection_id;
    CREATE SEQUENCE cx_index_id;
    CREATE SEQUENCE cx_source_id INCREMENT BY 32;
    CREATE SEQUENCE cx_blob_id;
    CREATE TABLE cx_meta (key text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);
    CREATE TABLE cx_collection (
      id int8 PRIMARY KEY, scope text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
      table_name text COLLATE "C" NOT NULL, last_sequence int8 NOT NULL, document_count int8 NOT NULL,
      UNIQUE (scope, name));
    CREATE TABLE cx_index (
      id int8 PRIMARY KEY, collection int8 NOT NULL REFERENCES cx_collection ON DELETE CASCADE,
      name text COLLATE "C" NOT NULL, kind text NOT NULL, definition text NOT NULL, analyzer_version text,
      UNIQUE (collection, name));
    CREATE TABLE cx_source (
      id int8 PRIMARY KEY, collection int8 NOT NULL REFERENCES cx_collection ON DELETE CASCADE,
      path text COLLATE "C" NOT NULL, size int8 NOT NULL, modified int8 NOT NULL, settings text NOT NULL,
      is_complete int8 NOT NULL);
    CREATE INDEX cx_source_path ON cx_source (collection, path, id);
    CREATE TABLE cx_replacement (
      rowid int8 GENERATED ALWAYS AS IDENTITY UNIQUE, winner int8 NOT NULL REFERENCES cx_source ON DELETE CASCADE,
      loser int8 NOT NULL REFERENCES cx_source ON DELETE CASCADE, PRIMARY KEY (winner, loser));
    CREATE INDEX cx_replacement_loser ON cx_replacement (loser);
    CREATE TABLE cx_blob (id int8 PRIMARY KEY, digest text COLLATE "C" NOT NULL UNIQUE, length int8 NOT NULL);
    CREATE TABLE cx_blob_chunk (
      rowid int8 GENERATED ALWAYS AS IDENTITY UNIQUE, blob int8 NOT NULL REFERENCES cx_blob ON DELETE CASCADE,
      number int8 NOT NULL, content bytea NOT NULL, PRIMARY KEY (blob, number));
    ALTER TABLE cx_blob_chunk ALTER content SET STORAGE EXTERNAL;
    CREATE TABLE cx_purge (
      rowid int8 GENERATED ALWAYS AS IDENTITY UNIQUE, collection int8 NOT NULL REFERENCES cx_collection ON DELETE CASCADE,
      sequence int8 NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (collection, sequence));
    CREATE TABLE cx_version (
      rowid int8 GENERATED ALWAYS AS IDENTITY UNIQUE, collection int8 NOT NULL REFERENCES cx_collection ON DELETE CASCADE,
      document int8 NOT NULL, vector bytea NOT NULL, PRIMARY KEY (collection, document));
    CREATE TABLE cx_conflict (
      rowid int8 GENERATED ALWAYS AS IDENTITY UNIQUE, collection int8 NOT NULL REFERENCES cx_collection ON DELETE CASCADE,
      document int8 NOT NULL, remote text COLLATE "C" NOT NULL, vector bytea NOT NULL, body text,
      PRIMARY KEY (collection, document, remote));
    CREATE TABLE cx_checkpoint (
      rowid int8 GENERATED ALWAYS AS IDENTITY UNIQUE, id text COLLATE "C" NOT NULL, is_peer int8 NOT NULL,
      revision int8 NOT NULL, body text NOT NULL, PRIMARY KEY (is_peer, id));
    CREATE TABLE cx_value_table (
      id int8 PRIMARY KEY, key_count int4 NOT NULL, is_of_documents bool NOT NULL, has_output bool NOT NULL);
    CREATE SEQUENCE cx_tri_segment;
    CREATE TABLE cx_tri (
      idx int8 NOT NULL, tri int4 NOT NULL, seg int8 NOT NULL, payload bytea NOT NULL, PRIMARY KEY (idx, tri, seg));
    CREATE TABLE cx_tri_recent (idx int8 NOT NULL, doc int8 NOT NULL, trigrams bytea NOT NULL, PRIMARY KEY (idx, doc));
    CREATE TABLE cx_tri_long (idx int8 NOT NULL, doc int8 NOT NULL, PRIMARY KEY (idx, doc));
    CREATE TABLE cx_counter (
      collection int8 NOT NULL, shard int4 NOT NULL, last_number int8 NOT NULL, PRIMARY KEY (collection, shard));
    CREATE TABLE cx_doc (
      collection int8 NOT NULL, row int8 NOT NULL, shard int4 NOT NULL, id text COLLATE "C" NOT NULL,
      sequence int8 NOT NULL, revision int8 NOT NULL, deleted int8 NOT NULL DEFAULT 0, source int8, expiration int8,
      body text COLLATE "C", PRIMARY KEY (collection, row), UNIQUE (collection, id));
    CREATE UNIQUE INDEX cx_doc_sequence ON cx_doc (collection, sequence);
    CREATE INDEX cx_doc_source ON cx_doc (collection, source) WHERE source IS NOT NULL;
    CREATE INDEX cx_doc_expiration ON cx_doc (collection, expiration) WHERE expiration IS NOT NULL;
    """
}
