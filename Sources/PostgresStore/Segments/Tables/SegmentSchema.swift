/// The tables of full-text indexes.
///
/// | table | a row for each | content |
/// |---|---|---|
/// | `cx_ft` | index and shard | the number of the last change, totals, list of segments; see ``ShardManifest`` |
/// | `cx_seg` | segment | ``SegmentHeader`` |
/// | `cx_dict` | page of a dictionary | ``DictionaryPage``, by the first term |
/// | `cx_blk`, `cx_pos`, `cx_len` | block of a segment | postings (``BlockFormat``), positions, lengths (``DocumentLengthRows``) |
/// | `cx_recent` | changed document that is not in a segment | ``ForwardDocument``, and the terms that it hides |
/// | `cx_retired` | segment that is not in a manifest | the time since when: being written, or replaced by a merge |
///
/// Rows of segments are never updated. Payloads are compressed already, so PostgreSQL does not compress them again, and
/// rows of up to 8 kB are not split.
enum SegmentSchema {
  /// The statements that create the tables.
  static let script = """
    CREATE TABLE cx_ft (
      idx int8 NOT NULL, shard int4 NOT NULL, seq int8 NOT NULL, flushed int8 NOT NULL, next_seg int4 NOT NULL,
      totals int8[] NOT NULL, segments bytea NOT NULL, PRIMARY KEY (idx, shard)) WITH (fillfactor = 50);
    CREATE TABLE cx_seg (
      idx int8 NOT NULL, shard int4 NOT NULL, seg int4 NOT NULL, header bytea NOT NULL, PRIMARY KEY (idx, shard, seg));
    CREATE TABLE cx_dict (
      idx int8 NOT NULL, shard int4 NOT NULL, seg int4 NOT NULL, term bytea NOT NULL, payload bytea NOT NULL,
      PRIMARY KEY (idx, shard, seg, term)) WITH (toast_tuple_target = 8160);
    ALTER TABLE cx_dict ALTER payload SET STORAGE EXTERNAL;
    CREATE TABLE cx_blk (
      idx int8 NOT NULL, shard int4 NOT NULL, seg int4 NOT NULL, bno int4 NOT NULL, payload bytea NOT NULL,
      PRIMARY KEY (idx, shard, seg, bno)) WITH (toast_tuple_target = 8160);
    ALTER TABLE cx_blk ALTER payload SET STORAGE EXTERNAL;
    CREATE TABLE cx_pos (LIKE cx_blk INCLUDING ALL) WITH (toast_tuple_target = 8160);
    CREATE TABLE cx_len (LIKE cx_blk INCLUDING ALL) WITH (toast_tuple_target = 8160);
    CREATE TABLE cx_recent (
      idx int8 NOT NULL, shard int4 NOT NULL, doc int8 NOT NULL, seq int8 NOT NULL, added bytea, removed bytea,
      PRIMARY KEY (idx, shard, doc));
    CREATE INDEX cx_recent_seq ON cx_recent (idx, shard, seq);
    CREATE TABLE cx_retired (
      idx int8 NOT NULL, shard int4 NOT NULL, seg int4 NOT NULL, since timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (idx, shard, seg));
    """

  /// The tables whose rows belong to a segment.
  static let segmentTables = ["cx_dict", "cx_blk", "cx_pos", "cx_len", "cx_seg"]

  /// All tables, in the order in which the rows of an index are deleted. A merge locks the row of its new segment in
  /// `cx_retired` while it adds rows to the segment, so it adds none after this row is deleted.
  static let tables = ["cx_retired"] + segmentTables + ["cx_recent", "cx_ft"]
}

extension PayloadTable {
  /// The table of PostgreSQL.
  var name: String {
    switch self {
    case .blocks: "cx_blk"
    case .positions: "cx_pos"
    case .lengths: "cx_len"
    }
  }
}
