import DocumentStore
import PostgresAccess
import SQLiteAccess
import Synchronization
import TextIndex

/// Databases on Citus, which distributes the rows of tables among PostgreSQL servers. Clients connect to its coordinator.
///
/// Each shard of the database is a separate node (``NodeLayout``), so what reads or writes rows of several shards sends a
/// statement for each. Node 0 is the coordinator, whose local tables are the catalog, the manifest and the counters.
///
/// Rules of Citus, and what follows from them. The sources are its manual (<https://docs.citusdata.com>, "SQL Support and
/// Workarounds", "Ingesting, Modifying Data", "Citus Utility Functions"), numbered pull requests of
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
/// `NOTIFY`, sequences, advisory locks and the lock of writers are those of the coordinator.
enum Citus {
  /// What is added to the version in the manifest of a database on Citus, so that older versions of this library, which do
  /// not know it, refuse the database.
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

/// The condition on the distribution column in a statement about the rows of a node; none if the database is not on Citus.
struct ShardFilter {
  /// The value of the column.
  let value: Int32?

  /// Returns the condition, to be appended to others.
  ///
  /// - Parameters:
  ///   - parameter: the number of the parameter with the value.
  ///   - table: the alias of the table.
  func condition(_ parameter: Int, _ table: String = "") -> String {
    value == nil ? "" : " AND \(table.isEmpty ? "" : table + ".")shard = $\(parameter)"
  }

  /// The parameter.
  var parameters: [PostgresValue] { value.map { [.int32($0)] } ?? [] }

  /// The column, to be appended to the columns of a key or of a new row.
  var column: String { value == nil ? "" : ", shard" }

  /// The value of the column in a new row.
  func inserted(_ parameter: Int) -> String { value == nil ? "" : ", $\(parameter)" }

  /// Returns the statement that deletes the rows of an index from a table.
  func deletion(from table: String, index: Int64) -> PostgresStatement {
    PostgresStatement("DELETE FROM \(table) WHERE idx = $1\(condition(2))", [.int64(index)] + parameters)
  }
}

extension NodeLayout {
  /// Returns the number in the columns `shard` of a shard.
  func value(ofShard shard: Int32) -> Int32 {
    citusValues.indices.contains(Int(shard)) ? citusValues[Int(shard)] : shard
  }

  /// Returns the shard of a number in the columns `shard`.
  func shard(ofValue value: Int64) -> Int32 {
    guard isOnCitus else { return Int32(clamping: value) }
    return citusValues.firstIndex { $0 == value }.map { Int32(clamping: $0) } ?? -1
  }

  /// Returns the condition for the rows of a node.
  func filter(_ node: Int) -> ShardFilter {
    ShardFilter(value: isOnCitus && all.contains(node) ? citusValues[node - 1] : nil)
  }
}

extension PostgresSession {
  /// Returns the condition for the rows of a node.
  func filter(_ node: Int) -> ShardFilter { nodes.filter(node) }
}

/// The shards that a transaction of a database on Citus uses.
///
/// Citus commits on the coordinator before it commits on the other servers, so for a moment a transaction can be seen on the
/// coordinator only. A transaction therefore adds its number to the rows of `cx_shard` of all shards that it changes, and
/// to their rows of `cx_node` on the coordinator:
///
/// - A reader compares both at its beginning, and begins again if they differ. States that were equal once are not compared
///   again. Later statements may see later transactions, because the shards have no common snapshot.
/// - A writer locks the row of a shard before it uses the shard, and so waits until the previous writer is committed there.
struct CitusTransaction {
  /// The nodes whose rows of `cx_shard` the write transaction has locked.
  fileprivate var locked: Set<Int> = []
  /// The nodes whose rows it changes.
  fileprivate var changed: Set<Int> = []
  /// The nodes with new expirations of documents.
  private var expiring: Set<Int> = []

  mutating func noteChange(of node: Int) { changed.insert(node) }

  /// Notes that a document of a node has an expiration, so that readers look for expired documents.
  mutating func noteExpiration(on node: Int) { expiring.insert(node) }

  /// Forgets the locks after a rollback to a savepoint.
  mutating func forgetLocks() { locked = [] }

  /// Returns the statements that record a transaction in the shards that it has changed; none if the database is not on Citus.
  func states(_ state: Int64, _ nodes: NodeLayout) -> [PostgresStatement] {
    guard nodes.isOnCitus else { return [] }
    let changed = changed.filter { nodes.all.contains($0) }.sorted()
    var statements = changed.map { node in
      PostgresStatement(
        "UPDATE cx_shard SET state = $1 WHERE shard = $2", [.int64(state)] + nodes.filter(node).parameters)
    }
    if !changed.isEmpty { statements.append(NodeState.update(state, of: changed)) }
    if !expiring.isEmpty {
      statements.append(
        PostgresStatement(
          "UPDATE cx_node SET expires = true WHERE number = ANY ($1) AND NOT expires",
          [.int32s(expiring.sorted().map { Int32($0) })]))
    }
    return statements
  }
}

/// The states in which transactions of an open database have seen the shards.
final class ShardStates: Sendable {
  private let known = Mutex<[Int: Int64]>([:])

  func isKnown(_ state: Int64, of node: Int) -> Bool { known.withLock { $0[node] == state } }
  func add(_ state: Int64, of node: Int) { known.withLock { $0[node] = max(state, $0[node] ?? 0) } }
  func removeAll() { known.withLock { $0 = [:] } }
}

extension FrontSession {
  /// Locks the shard of a node of a database on Citus, before a change that is sent next.
  func joinShard(_ node: Int) {
    guard nodes.isOnCitus else { return }
    citus.changed.insert(node)
    for lock in shardLocks([node]) { channel(node).pending.append(lock) }
  }

  /// Returns the statements that lock the shards that a write transaction begins to use.
  func shardLocks(_ wanted: [Int]) -> [PostgresStatement] {
    guard isWriting else { return [] }
    return wanted.filter { nodes.all.contains($0) && citus.locked.insert($0).inserted }.map { node in
      PostgresStatement("SELECT state FROM cx_shard WHERE shard = $1 FOR UPDATE", filter(node).parameters)
    }
  }

  /// Returns whether a read transaction sees the shards in the states that the coordinator lists.
  func seesShards(_ expected: [Int64]) throws -> Bool {
    let unknown = zip(nodes.all, expected).filter { !storage.shardStates.isKnown($1, of: $0) }
    guard expected.count == nodes.all.count else { return false }
    let results = try run(
      unknown.map { node, _ in
        NodeStatements(
          node, [PostgresStatement("SELECT state FROM cx_shard WHERE shard = $1", filter(node).parameters)])
      })
    for ((node, state), results) in zip(unknown, results) {
      guard let result = results.first, result.count == 1, result.int64(0, 0) == state else { return false }
      storage.shardStates.add(state, of: node)
    }
    return true
  }

  /// Returns the statements of all nodes as those of the coordinator, if the database is on Citus: they share its connection.
  func onCoordinator(_ batches: [NodeStatements]) -> [NodeStatements] {
    nodes.isOnCitus ? [NodeStatements(0, batches.flatMap(\.statements))] : batches
  }

  /// Runs the statements of several nodes on the coordinator in one round trip.
  func outcomesOnCoordinator(_ batches: [NodeStatements]) -> [Result<[PostgresResult], any Error>] {
    do {
      var results = try run(onCoordinator(batches))[0][...]
      return batches.map { batch in
        defer { results = results.dropFirst(batch.statements.count) }
        return .success(Array(results.prefix(batch.statements.count)))
      }
    } catch { return batches.map { _ in .failure(error) } }
  }
}

extension ValueTable.Layout {
  /// The first columns on Citus, where rows are numbered by the client.
  var columnsOnCitus: [String] {
    ["\(isOfDocuments ? "" : "rowid int8 NOT NULL, ")doc int8 NOT NULL, shard int4 NOT NULL, PRIMARY KEY (\(key))"]
  }

  /// The columns of the primary key.
  var key: String { (isOfDocuments ? "doc" : "rowid") + (isOnCitus ? ", shard" : "") }

  /// Returns the values that only a row on Citus has: the shard, and the number of the row.
  func valuesOnCitus(_ document: Int64, _ session: FrontSession) throws -> [(column: String, value: PostgresValue)] {
    guard isOnCitus else { return [] }
    let node = session.node(ofRow: document)
    let shard = session.filter(node).parameters.map { (column: "shard", value: $0) }
    guard !isOfDocuments else { return shard }
    let number = try session.nextNumber(of: "cx_row_id", step: Citus.rowStep)
    return shard + [("rowid", .int64(Int64(node) << ValueTable.Layout.rowBits | number))]
  }
}

// Statements of full-text indexes that Citus requires in another form.

extension PostgresSegments {
  /// The statements that read the state of a shard: its manifest, its recent changes, and, if nothing is known, the headers
  /// of its segments.
  func manifestStatementsOnCitus(_ node: Int, _ known: [Int32: Int64]) -> [PostgresStatement] {
    let location = [.int64(index)] + session.filter(node).parameters
    let shard = Int32(clamping: node - 1)
    let state = [
      PostgresStatement(
        "SELECT shard, seq, flushed, totals, segments FROM cx_ft WHERE idx = $1 AND shard = $2", location),
      PostgresStatement(
        "SELECT shard, doc, seq, added, removed FROM cx_recent WHERE idx = $1 AND shard = $2 AND seq > $3",
        location + [.int64(known[shard] ?? 0)]),
    ]
    guard known.isEmpty else { return state }
    return state + [PostgresStatement("SELECT shard, seg, header FROM cx_seg WHERE idx = $1 AND shard = $2", location)]
  }

  func headersOnCitus(_ segments: [SegmentKey]) throws -> [[UInt8]] {
    let shards = Dictionary(grouping: segments, by: \.shard).sorted { $0.key < $1.key }
    let results = try session.query(
      shards.map { shard, segments in
        NodeStatements(
          session.node(ofShard: shard),
          [
            PostgresStatement(
              "SELECT shard, seg, header FROM cx_seg WHERE idx = $1 AND shard = $2 AND seg = ANY ($3)",
              location(shard) + [.int32s(segments.map(\.segment))])
          ])
      })
    var headers: [SegmentKey: [UInt8]] = [:]
    for result in results.joined() {
      for row in 0..<result.count {
        let key = SegmentKey(shard: shard(result, row), segment: Int32(clamping: result.int64(row, 1)))
        headers[key] = result.byteArray(row, 2)
      }
    }
    return try segments.map { segment in
      guard let header = headers[segment] else { throw MissingSegmentRow(segment) }
      return header
    }
  }

  /// Returns the statement that reads the pages of a node. Without `LATERAL`, each range selects its first page by the
  /// greatest first term that is not above its beginning, and ends at a page that the limit excludes, so that the server
  /// does not read and sort the rest of the dictionary.
  func pagesOnCitus(_ ranges: [TermRange], limit: Int, _ node: Int) -> PostgresStatement {
    let own = ranges.enumerated().filter { session.node(ofShard: $0.element.segment.shard) == node }
    return PostgresStatement(
      """
      SELECT n, term, payload FROM (
        SELECT k.n, d.term, d.payload, row_number() OVER (PARTITION BY k.n ORDER BY d.term) AS number
        FROM unnest($3::int8[], $4::int4[], $5::bytea[], $6::bytea[]) AS k (n, seg, lower, upper)
        JOIN cx_dict d ON d.idx = $1 AND d.shard = $2 AND d.seg = k.seg AND d.term < k.upper AND d.term >= coalesce(
          (SELECT p.term FROM cx_dict p WHERE p.idx = $1 AND p.shard = $2 AND p.seg = k.seg AND p.term <= k.lower
           ORDER BY p.term DESC LIMIT 1), '') AND d.term < coalesce(
          (SELECT p.term FROM cx_dict p WHERE p.idx = $1 AND p.shard = $2 AND p.seg = k.seg AND p.term > k.lower
           ORDER BY p.term LIMIT 1 OFFSET $7), k.upper)
      ) pages WHERE number <= $7 ORDER BY n, term
      """,
      [.int64(index)] + session.filter(node).parameters + [
        .int64s(own.map { Int64($0.offset + 1) }), .int32s(own.map(\.element.segment.segment)),
        .byteArrays(own.map(\.element.lower)), .byteArrays(own.map(\.element.upper)), .int64(Int64(limit)),
      ])
  }

  /// Records recent changes with numbers and totals that the client computes.
  func recordOnCitus(_ changes: [RecentChange], _ totals: IndexTotals, shard: Int32) throws {
    var manifest = try manifest(shard: shard, columnCount: totals.tokenCounts.count)
    let node = session.node(ofShard: shard)
    manifest.totals.add(totals)
    try session.enqueue(
      PostgresStatement(
        "UPDATE cx_ft SET seq = $3, totals = $4 WHERE idx = $1 AND shard = $2",
        location(shard) + [.int64(manifest.sequence + Int64(changes.count)), .int64s(manifest.totals.numbers)]),
      on: node)
    for start in stride(from: 0, to: changes.count, by: 1000) {
      let part = changes[start..<min(changes.count, start + 1000)]
      let numbers = part.indices.map { manifest.sequence + Int64($0) + 1 }
      try session.enqueue(
        PostgresStatement(
          """
          INSERT INTO cx_recent (idx, shard, doc, seq, added, removed)
          SELECT $1, $2, c.doc, c.seq, nullif(c.added, ''), nullif(c.removed, '')
          FROM unnest($3::int8[], $4::int8[], $5::bytea[], $6::bytea[]) AS c (doc, seq, added, removed)
          ON CONFLICT (idx, shard, doc) DO UPDATE SET seq = excluded.seq, added = excluded.added
          """,
          location(shard) + [
            .int64s(part.map { Int64($0.number) }), .int64s(numbers), .byteArrays(part.map { $0.added?.bytes ?? [] }),
            .byteArrays(part.map { $0.removed?.storedBytes ?? [] }),
          ]), on: node)
    }
  }

  /// Returns the statement that replaces the segments of a manifest. Its current totals are read first.
  func replacementOnCitus(
    _ replacement: ShardManifest, adding totals: IndexTotals, isFlushed: Bool
  ) throws -> PostgresStatement {
    var current = try manifest(shard: replacement.shard, columnCount: totals.tokenCounts.count)
    current.totals.add(totals)
    let sequence = current.sequence + 1
    return PostgresStatement(
      "UPDATE cx_ft SET seq = $3, flushed = $4, segments = $5, totals = $6 WHERE idx = $1 AND shard = $2",
      location(replacement.shard) + [
        .int64(sequence), .int64(isFlushed ? sequence : current.flushed), .bytes(replacement.segmentBytes),
        .int64s(current.totals.numbers),
      ])
  }
}

extension PayloadRanges {
  /// The statement without `LATERAL`.
  func statementOnCitus(index: Int64, _ shard: ShardFilter) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT p.shard, p.seg, p.bno, p.payload FROM unnest($3::int4[], $4::int4[], $5::int4[]) AS k (seg, first, last)
      JOIN \(table.name) p ON p.idx = $1 AND p.shard = $2 AND p.seg = k.seg AND p.bno BETWEEN k.first AND k.last
      """, [.int64(index)] + shard.parameters + [.int32s(segments), .int32s(first), .int32s(last)])
  }
}
