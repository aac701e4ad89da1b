import DocumentStore
import PostgresAccess
import SQLiteAccess

/// Databases on Citus, which distributes the rows of tables among PostgreSQL servers. Clients connect to its
/// coordinator.
///
/// Each shard of the database is a separate node (``NodeLayout``), so what reads or writes rows of several shards sends
/// a statement for each. Node 0 is the coordinator, whose local tables are the catalog, the manifest and the counters.
///
/// Rules of Citus, and what follows from them. The sources are its manual (<https://docs.citusdata.com>, "SQL Support
/// and Workarounds", "Ingesting, Modifying Data", "Citus Utility Functions"), numbered pull requests of
/// <https://github.com/citusdata/citus>, and, marked by *, measurements with Citus 13.2.
///
/// | rule | consequence |
/// |---|---|
/// | Primary keys and unique indexes contain the distribution column | ``script`` appends the shard to the keys |
/// | A statement that names one value of the distribution column for each table is sent to one server and may contain any SQL; others support less: no `LATERAL … LIMIT` over `unnest`*, `FOR UPDATE` or correlated subqueries | every statement has `shard = $n` (``ShardFilter``), and none has `LATERAL` |
/// | Subqueries in INSERT … VALUES, CTEs that write, volatile functions in UPDATE and DELETE, and changes of the distribution column are refused | the client computes the values (``PostgresSegments/recordOnCitus(_:_:shard:)``) |
/// | INSERT … SELECT without tables is evaluated by the coordinator, which copies the rows | its rows are of one shard |
/// | Numbers of shards are hashed: 0 to 5 reach only 4 of 6 shards of Citus* | the column `shard` contains values that `get_shard_id_for_distribution_column` assigns to different shards of Citus |
/// | Identity columns of distributed tables are restricted | rows of value indexes are numbered by the sequence `cx_row_id` |
/// | Transactions on several servers are committed by Citus in two phases; the servers' states are not one snapshot* | `cx_shard` has the number of the last transaction of each shard, see ``CitusTransaction`` |
/// | Since version 11.2, the servers' transactions have the isolation level of that of the coordinator (#6483) | `REPEATABLE READ`, as everywhere |
/// | Cursors with parameters may be refused if they are `WITH HOLD` (#6073) | cursors end with their transaction, as everywhere |
/// | `pg_total_relation_size` of a distributed table is that of the empty table of the coordinator | `citus_total_relation_size` |
/// | Tables cannot be distributed in parallel after other statements of the transaction | `citus.multi_shard_modify_mode` is `sequential` |
///
/// `NOTIFY`, sequences, advisory locks and the lock of writers are those of the coordinator. Statements that Citus
/// needs in another form are in `PostgresSegments+Citus.swift` and `ValueTable+Citus.swift`.
enum Citus {
  /// What is added to the version in the manifest of a database on Citus, so that older versions of this library, which
  /// do not know it, refuse the database.
  static let versionOffset: Int64 = 1000

  /// Whether a version in the manifest is that of a database on Citus.
  static func isOnCitus(version: Int64) -> Bool { version >= versionOffset }

  /// Returns the version of the schema of a version in the manifest.
  static func schemaVersion(_ version: Int64) -> Int64 { version % versionOffset }

  // MARK: Creating

  /// Returns the version of Citus in a database.
  static func requireExtension(_ connection: PostgresConnection) throws -> String {
    let version = try connection.run("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
    guard version.count == 1 else {
      throw StoreError(
        .cannotOpen,
        "\(connection.name): the extension citus is not installed in the database; install Citus on the "
          + "servers (https://docs.citusdata.com), add citus to shared_preload_libraries, and run CREATE EXTENSION citus"
      )
    }
    return version.string(0, 0)
  }

  /// Changes new tables so that they can be distributed, distributes them, and chooses the values of the shards.
  static func distribute(_ connection: PostgresConnection, _ shards: ShardLayout) throws {
    try connection.execute(script)
    for table in ["cx_shard"] + tables {
      try connection.execute(distribution(table, shardCount: table == "cx_shard" ? shards.count : nil))
    }
    let values = try values(connection, count: shards.count)
    var statements = [
      PostgresStatement(
        """
        INSERT INTO cx_node (number, address, first_shard, last_shard, state, value)
        SELECT n, '', n - 1, n - 1, 0, v FROM unnest($1::int4[]) WITH ORDINALITY AS t (v, n)
        """, [.int32s(values)])
    ]
    statements += values.map {
      PostgresStatement("INSERT INTO cx_shard (shard, state) VALUES ($1, 0)", [.int32($0)])
    }
    statements.append(
      PostgresStatement("UPDATE cx_manifest SET version = version + $1", [.int64(versionOffset)]))
    _ = try connection.run(statements)
  }

  /// Returns the statement that distributes a table.
  ///
  /// - Parameter shardCount: the number of Citus's shards, for the first table; others are in the same places.
  static func distribution(_ table: String, shardCount: Int? = nil) -> String {
    let place = shardCount.map { "shard_count => \($0), colocate_with => 'none'" } ?? "colocate_with => 'cx_shard'"
    return "SELECT create_distributed_table('\(table)', 'shard', \(place))"
  }

  /// Makes Citus change one shard of a table after the other, in the rest of the transaction.
  static let sequentialChanges = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"

  /// The distributed tables, besides `cx_shard` and those of value indexes.
  private static let tables =
    ["cx_doc", "cx_ft", "cx_recent", "cx_retired"] + SegmentSchema.segmentTables + PatternSegments.tables

  /// Appends the shard to keys. The others contain it already.
  private static let script = """
    \(sequentialChanges);
    CREATE SEQUENCE cx_row_id INCREMENT BY \(rowStep);
    CREATE TABLE cx_shard (shard int4 PRIMARY KEY, state int8 NOT NULL);
    ALTER TABLE cx_node ADD COLUMN value int4 NOT NULL, ADD COLUMN expires bool NOT NULL DEFAULT false;
    ALTER TABLE cx_doc DROP CONSTRAINT cx_doc_pkey, DROP CONSTRAINT cx_doc_collection_id_key,
      ADD PRIMARY KEY (collection, row, shard), ADD UNIQUE (collection, id, shard);
    DROP INDEX cx_doc_sequence;
    CREATE UNIQUE INDEX cx_doc_sequence ON cx_doc (collection, sequence, shard);
    ALTER TABLE cx_tri ADD COLUMN shard int4 NOT NULL, DROP CONSTRAINT cx_tri_pkey,
      ADD PRIMARY KEY (idx, tri, seg, shard);
    ALTER TABLE cx_tri_recent ADD COLUMN shard int4 NOT NULL, DROP CONSTRAINT cx_tri_recent_pkey,
      ADD PRIMARY KEY (idx, doc, shard);
    ALTER TABLE cx_tri_long ADD COLUMN shard int4 NOT NULL, DROP CONSTRAINT cx_tri_long_pkey,
      ADD PRIMARY KEY (idx, doc, shard);
    """

  /// The number of numbers that ``script``'s sequence reserves at a time.
  static let rowStep: Int64 = 4096

  /// Returns a value for each shard, so that each shard of Citus has one.
  private static func values(_ connection: PostgresConnection, count: Int) throws -> [Int32] {
    var values: [Int64: Int32] = [:]
    for first in stride(from: Int32(0), to: 1 << 20, by: 4096) {
      let shards = try connection.run(
        "SELECT v, get_shard_id_for_distribution_column('cx_shard', v) FROM generate_series($1::int4, $2::int4) AS v",
        [.int32(first), .int32(first + 4095)])
      for row in 0..<shards.count where values[shards.int64(row, 1)] == nil {
        values[shards.int64(row, 1)] = Int32(clamping: shards.int64(row, 0))
      }
      // Successive shards of Citus are on different servers.
      if values.count == count { return values.sorted { $0.key < $1.key }.map(\.value) }
    }
    throw StoreError(
      .cannotOpen,
      "\(connection.name): Citus has distributed the tables among \(values.count) shards, not \(count)")
  }

  /// Reads the values of the shards.
  static func layout(_ connection: PostgresConnection, _ shards: ShardLayout, damage: StoreError) throws -> NodeLayout {
    let rows = try connection.run("SELECT value FROM \(StoreSchema.name).cx_node ORDER BY number")
    let values = (0..<rows.count).map { Int32(clamping: rows.int64($0, 0)) }
    guard values.count == shards.count, Set(values).count == values.count else { throw damage }
    return NodeLayout(NodeLayout(single: shards).nodes, cluster: "", citusValues: values)
  }

  // MARK: State

  /// Returns a row if a document has or had an expiration.
  static let expiration = PostgresStatement("SELECT 1 FROM cx_node WHERE expires LIMIT 1")

  /// The size of the tables and indexes of the schema `$1` on all servers.
  static let size = """
    SELECT coalesce(sum(CASE WHEN p.logicalrelid IS NULL THEN pg_total_relation_size(c.oid)
      ELSE citus_total_relation_size(c.oid) END), 0)::int8
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
    WHERE n.nspname = $1 AND c.relkind = 'r'
    """

  /// Returns the version of Citus, and the number of documents of each shard.
  static func status(
    _ connection: PostgresConnection, _ nodes: NodeLayout
  ) throws -> (version: String, documentCounts: [Int64]) {
    let version = try requireExtension(connection)
    let counts = try connection.run(
      nodes.citusValues.map {
        PostgresStatement("SELECT count(*) FROM cx_doc WHERE shard = $1 AND deleted = 0", [.int32($0)])
      })
    return (version, counts.map { $0.int64(0, 0) })
  }
}
