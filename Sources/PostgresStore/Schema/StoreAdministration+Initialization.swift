import DocumentStore
import Foundation
import PostgresAccess
import SQLiteAccess

extension StoreAdministration {
  /// Creates the tables, or updates those of an older version.
  ///
  /// - Parameters:
  ///   - addresses: the URLs of existing databases, one for each server. Clients open the first.
  ///   - shards: the number of shards.
  ///   - onCitus: whether the tables are distributed by Citus; the address is that of its coordinator.
  /// - Returns: false if the database has been initialized before with the same servers and number of shards, and
  ///   completely.
  /// - Throws: ``StoreError``.
  package static func initialize(
    _ addresses: [String], shards: ShardLayout, onCitus: Bool = false
  ) throws -> Bool {
    try translatingPostgresErrors {
      let connections = try addresses.map { try PostgresConnection($0) }
      guard let first = connections.first else { throw StoreError(.misuse, "a database needs the address of a server") }
      let name = first.name
      for connection in connections {
        try requireEncoding(connection)
        if connections.count > 1 { try requirePreparedTransactions(connection) }
      }
      if onCitus { _ = try Citus.requireExtension(first) }
      try requireDifferentDatabases(connections)
      for connection in connections { _ = try connection.run([.lockTimeout(lockTimeout, ofSession: true)]) }
      try first.execute("BEGIN")
      // Two programs that create the tables at the same time wait for each other.
      _ = try first.run("SELECT pg_advisory_xact_lock($1)", [.int64(lockNumber)])
      if try exists(first) {
        let version = try requireSame(first, name: name, addresses, shards, onCitus: onCitus)
        let isCompleted = try commitInterrupted(first, version: version, connections.dropFirst())
        let layout = NodeLayout(dividing: shards, among: addresses, cluster: "")
        for (node, connection) in connections.enumerated().dropFirst() where try !exists(connection) {
          throw missingTables(layout.nodes[node], number: node + 1, count: connections.count)
        }
        guard version < StoreSchema.version else { return isCompleted }
        // The first server is last, so that an interrupted update is repeated.
        for connection in connections.dropFirst() { try connection.execute("BEGIN") }
        for connection in connections.reversed() { try update(connection) }
        for connection in connections.reversed() { try connection.execute("COMMIT") }
        return true
      }
      let cluster = connections.count == 1 ? "" : randomIdentifier()
      let nodes = NodeLayout(dividing: shards, among: addresses, cluster: cluster)
      try rollBackInterrupted(connections.dropFirst())
      for (node, connection) in connections.enumerated() {
        if node > 0 {
          try connection.execute("BEGIN")
          guard try !exists(connection) else {
            throw StoreError(
              .alreadyExists,
              "\(connection.name): the server already has tables of Concordance; choose another database, or "
                + "delete them with `DROP SCHEMA concordance CASCADE`")
          }
        }
        try create(connection, node, nodes, shards)
      }
      if onCitus { try Citus.distribute(first, shards) }
      let names = connections.indices.map { PreparedName(cluster: cluster, client: initialClient, number: Int64($0)) }
      for (connection, name) in zip(connections, names).dropFirst() { _ = try connection.run([name.preparation]) }
      try first.execute("COMMIT")
      for (connection, name) in zip(connections, names).dropFirst() { try commit(name, connection) }
      return true
    }
  }

  /// The time in seconds for which an initialization waits for another one.
  private static let lockTimeout = 60.0

  /// The time in seconds for which an update waits for a transaction that uses a table.
  private static let updateTimeout = 5.0

  /// Updates the tables of a server.
  private static func update(_ connection: PostgresConnection) throws {
    try connection.execute("SET LOCAL search_path = \(StoreSchema.name)")
    // Other transactions wait while this one waits for those that use the tables.
    _ = try connection.run([.lockTimeout(updateTimeout)])
    let version = try connection.run("SELECT version FROM cx_manifest FOR UPDATE").int64(0, 0)
    try migrate(connection, from: Citus.schemaVersion(version))
    _ = try connection.run(
      "UPDATE cx_manifest SET version = version + $1", [.int64(StoreSchema.version - Citus.schemaVersion(version))])
  }

  private static func create(
    _ connection: PostgresConnection, _ node: Int, _ nodes: NodeLayout, _ shards: ShardLayout
  ) throws {
    try connection.execute(
      "CREATE SCHEMA IF NOT EXISTS \(StoreSchema.name); SET LOCAL search_path = \(StoreSchema.name)")
    try migrate(connection, from: 0)
    var statements = [
      PostgresStatement(
        "INSERT INTO cx_manifest (lock, version, shards, state, node, cluster) VALUES (1, $1, $2, 0, $3, $4)",
        [
          .int64(StoreSchema.version), .int32(Int32(shards.count)), .int32(Int32(clamping: node)), .text(nodes.cluster),
        ])
    ]
    if node == 0 {
      statements.append(
        PostgresStatement(
          "INSERT INTO cx_meta (key, value) SELECT * FROM unnest($1::text[], $2::bytea[])",
          [.texts(initialMeta.map(\.key)), .byteArrays(initialMeta.map { TaggedValue.encode($0.value) })]))
    }
    if !nodes.isSingle {
      statements.append(
        PostgresStatement(
          """
          INSERT INTO cx_node (number, address, first_shard, last_shard, state)
          SELECT n, a, f, l, 0 FROM unnest($1::int4[], $2::text[], $3::int4[], $4::int4[]) AS t (n, a, f, l)
          """,
          [
            .int32s(nodes.shardNodes.map { Int32($0) }), .texts(nodes.nodes.map(\.address)),
            .int32s(nodes.nodes.map(\.shards.lowerBound)), .int32s(nodes.nodes.map(\.shards.upperBound)),
          ]))
      // Clients decide about prepared transactions by this table, so the creation of the tables is recorded in it too.
      statements.append(
        PostgresStatement(
          "INSERT INTO cx_commit (client, batches) VALUES ($1, $2)",
          [.text(initialClient), .int64s(nodes.shardNodes.map { Int64($0) })]))
    }
    _ = try connection.run(statements)
  }

  private static func migrate(_ connection: PostgresConnection, from version: Int64) throws {
    for migration in StoreSchema.migrations where migration.version > version {
      try connection.execute(migration.script)
    }
  }

  private static func requireEncoding(_ connection: PostgresConnection) throws {
    let encoding = try connection.run("SELECT current_setting('server_encoding')").string(0, 0)
    guard encoding == "UTF8" else {
      throw StoreError(
        .cannotOpen,
        "\(connection.name): the encoding of the database is \(encoding); create one with "
          + "`createdb --encoding=UTF8 --template=template0`")
    }
  }

  /// Checks that no two addresses lead to the same database: the transactions of the connections would wait for each
  /// other.
  ///
  /// Only one session of a database can hold an advisory lock.
  private static func requireDifferentDatabases(_ connections: [PostgresConnection]) throws {
    guard connections.count > 1 else { return }
    let number = PostgresValue.int64(Int64.random(in: Int64.min...Int64.max))
    for (position, connection) in connections.enumerated() {
      guard try connection.run("SELECT pg_try_advisory_lock($1)", [number]).bool(0, 0) else {
        throw StoreError(
          .cannotOpen,
          "\(connection.name): the address number \(position + 1) leads to the same database as an earlier one; each "
            + "server of a database has its own")
      }
    }
    for connection in connections { _ = try connection.run("SELECT pg_advisory_unlock($1)", [number]) }
  }

  /// A transaction on several servers is prepared on each before it is committed.
  private static func requirePreparedTransactions(_ connection: PostgresConnection) throws {
    let limit = try connection.run("SELECT current_setting('max_prepared_transactions')::int4").int64(0, 0)
    guard limit > 0 else {
      throw StoreError(
        .cannotOpen,
        "\(connection.name): a database on several servers needs prepared transactions; set "
          + "max_prepared_transactions = 20 in postgresql.conf and restart the server")
    }
  }

  /// Commits what an initialization has prepared on the other servers before it was interrupted: the commit on the
  /// first server has decided.
  ///
  /// - Returns: whether there was something to commit.
  private static func commitInterrupted(
    _ first: PostgresConnection, version: Int64, _ others: ArraySlice<PostgresConnection>
  ) throws -> Bool {
    // Databases of version 1 have one server.
    guard version > 1, !others.isEmpty else { return false }
    let cluster = try first.run("SELECT cluster FROM \(StoreSchema.name).cx_manifest").string(0, 0)
    var wasInterrupted = false
    for connection in others {
      let prepared = try connection.run("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()")
      for row in 0..<prepared.count {
        guard let name = PreparedName(prepared.string(row, 0), cluster: cluster), name.client == initialClient else {
          continue
        }
        try commit(name, connection)
        wasInterrupted = true
      }
    }
    return wasInterrupted
  }

  private static func commit(_ name: PreparedName, _ connection: PostgresConnection) throws {
    let end = ContinuousClock.now + .seconds(commitTimeout)
    while true {
      do {
        _ = try connection.run([name.commit])
        return
      } catch let error as PostgresError where PostgresError.endedElsewhere.contains(error.state) {
        // Another program has committed it.
        if error.state == PostgresError.undefinedObject { return }
        // Another program is committing it, and the tables cannot be seen before the end.
        guard ContinuousClock.now < end else { throw error }
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// The time in seconds for which an initialization waits for another program that commits the same tables.
  private static let commitTimeout = 10.0

  /// Removes what an interrupted initialization has left.
  private static func rollBackInterrupted(_ connections: ArraySlice<PostgresConnection>) throws {
    for connection in connections {
      let prepared = try connection.run(
        """
        SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND gid LIKE 'concordance:%:init:%'
          AND NOT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'cx_manifest')
        """, [.text(StoreSchema.name)])
      for row in 0..<prepared.count {
        let parts = prepared.string(row, 0).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let name = PreparedName(prepared.string(row, 0), cluster: String(parts[1])) else {
          continue
        }
        _ = try connection.run([name.rollback])
      }
    }
  }

  /// Checks that a database was initialized with the same servers and shards, and returns its version.
  private static func requireSame(
    _ connection: PostgresConnection, name: String, _ addresses: [String], _ shards: ShardLayout, onCitus: Bool
  ) throws -> Int64 {
    let manifest = try connection.run("SELECT version, shards FROM \(StoreSchema.name).cx_manifest")
    let (version, count) = (Citus.schemaVersion(manifest.int64(0, 0)), manifest.int64(0, 1))
    let wasOnCitus = Citus.isOnCitus(version: manifest.int64(0, 0))
    guard wasOnCitus == onCitus else {
      throw StoreError(
        .alreadyExists,
        "\(name): the database has been initialized \(wasOnCitus ? "on" : "without") Citus, which cannot be changed; "
          + "export its documents and import them into another database")
    }
    // Databases of version 1 have one server.
    let others =
      version == 1 || onCitus ? [] : try nodes(connection, name: name, count).nodes.dropFirst().map(\.address)
    guard count == Int64(shards.count), others == Array(addresses.dropFirst()) else {
      throw StoreError(
        .alreadyExists,
        "\(name): the database has been initialized with \(count) \(count == 1 ? "shard" : "shards") on \(others.count + 1) "
          + "\(others.isEmpty ? "server" : "servers"), which cannot be changed; export its documents and import them into "
          + "another database")
    }
    return version
  }

  /// The client in the names of the transactions that create the tables.
  private static let initialClient = "init"

  /// The number of the advisory lock for creating tables: "Conc" in ASCII, as in the header of files.
  private static let lockNumber: Int64 = 0x436F_6E63

  private static var initialMeta: [(key: String, value: RemoteValue)] {
    func number() -> RemoteValue { .text(Array(randomIdentifier().utf8)) }
    return [
      ("uuid", number()), ("private_uuid", number()), ("former_uuids", .text(Array("[]".utf8))),
      ("last_revision", .integer(0)), ("catalog_version", .integer(0)),
    ]
  }
}
