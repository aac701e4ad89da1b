import DocumentStore
import PostgresAccess
import SQLiteAccess

/// Creates and describes databases on PostgreSQL.
package enum StoreAdministration {
  /// The state of a database.
  package struct Status: Sendable {
    /// The server and the database.
    package let name: String
    /// The version of the server, such as 150018.
    package let serverVersion: Int32
    /// The version of the schema.
    package let version: Int64
    package let shards: ShardLayout
    /// The number of committed write transactions.
    package let state: Int64
    /// The number of documents in each shard, tombstones included.
    package let documentCounts: [Int64]
    /// The size of the schema's tables and indexes in bytes.
    package let size: Int64
  }

  /// Creates the tables.
  ///
  /// - Parameters:
  ///   - address: the URL of an existing database.
  ///   - shards: the number of shards.
  /// - Returns: false if the database has been initialized before with the same number of shards.
  /// - Throws: ``StoreError``.
  package static func initialize(_ address: String, shards: ShardLayout) throws -> Bool {
    try translating {
      let connection = try PostgresConnection(address)
      let name = "postgresql://\(connection.name)"
      let encoding = try connection.run("SELECT current_setting('server_encoding')").string(0, 0)
      guard encoding == "UTF8" else {
        throw StoreError(
          .cannotOpen,
          "\(name): the encoding of the database is \(encoding); create one with `createdb --encoding=UTF8 --template=template0`"
        )
      }
      try connection.execute("BEGIN")
      // Two programs that create the tables at the same time wait for each other.
      _ = try connection.run("SELECT pg_advisory_xact_lock($1)", [.int64(lockNumber)])
      if try exists(connection) {
        try connection.execute("ROLLBACK")
        try connection.execute("SET search_path = \(StoreSchema.name)")
        let existing = try layout(connection, name: name)
        guard existing == shards else {
          throw StoreError(
            .alreadyExists,
            "\(name): the database has been initialized with \(existing.count) shards, which cannot be changed; export its "
              + "documents and import them into another database")
        }
        return false
      }
      try connection.execute("CREATE SCHEMA IF NOT EXISTS \(StoreSchema.name); SET search_path = \(StoreSchema.name)")
      for migration in StoreSchema.migrations { try connection.execute(migration.script) }
      _ = try connection.run([
        PostgresStatement(
          "INSERT INTO cx_manifest (lock, version, shards, state) VALUES (1, $1, $2, 0)",
          [.int64(StoreSchema.version), .int32(Int32(shards.count))]),
        PostgresStatement(
          "INSERT INTO cx_meta (key, value) SELECT * FROM unnest($1::text[], $2::bytea[])",
          [.texts(initialMeta.map(\.key)), .byteArrays(initialMeta.map { TaggedValue.encode($0.value) })]),
      ])
      try connection.execute("COMMIT")
      return true
    }
  }

  /// Returns the state of a database.
  ///
  /// - Throws: ``StoreError``.
  package static func status(_ address: String) throws -> Status {
    try translating {
      var settings = PostgresSettings()
      settings.schema = StoreSchema.name
      let connection = try PostgresConnection(address, settings)
      let name = "postgresql://\(connection.name)"
      let shards = try layout(connection, name: name)
      let results = try connection.run([
        PostgresStatement("SELECT version, state FROM cx_manifest"),
        PostgresStatement("SELECT shard, count(*) FROM cx_doc GROUP BY shard"),
        PostgresStatement(
          """
          SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
          """, [.text(StoreSchema.name)]),
      ])
      var counts = [Int64](repeating: 0, count: shards.count)
      for row in 0..<results[1].count {
        let shard = Int(results[1].int64(row, 0))
        if counts.indices.contains(shard) { counts[shard] = results[1].int64(row, 1) }
      }
      return Status(
        name: name, serverVersion: connection.serverVersion, version: results[0].int64(0, 0), shards: shards,
        state: results[0].int64(0, 1), documentCounts: counts, size: results[2].int64(0, 0))
    }
  }

  /// Reads and checks the manifest.
  static func layout(_ connection: PostgresConnection, name: String) throws -> ShardLayout {
    guard try exists(connection) else {
      throw StoreError(
        .notFound, "\(name): the database has no tables of Concordance; run `concord cluster init` to create them")
    }
    let manifest = try connection.run("SELECT version, shards FROM cx_manifest")
    guard manifest.count == 1, let shards = ShardLayout(count: Int(manifest.int64(0, 1))) else {
      throw StoreError(.corrupt, "\(name): the table cx_manifest is damaged; restore a backup of the database")
    }
    let version = manifest.int64(0, 0)
    guard version <= StoreSchema.version else {
      throw StoreError(
        .newerVersion,
        "\(name): written by a newer version (schema \(version), this one reads up to \(StoreSchema.version)); update "
          + "Concordance")
    }
    return shards
  }

  private static func exists(_ connection: PostgresConnection) throws -> Bool {
    try connection.run(
      "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'cx_manifest')",
      [.text(StoreSchema.name)]
    ).bool(0, 0)
  }

  /// The number of the advisory lock for creating tables: "Conc" in ASCII, as in the header of files.
  private static let lockNumber: Int64 = 0x436F_6E63

  private static var initialMeta: [(key: String, value: RemoteValue)] {
    func number() -> RemoteValue {
      .text((0..<16).flatMap { _ in hex(UInt8.random(in: 0...255)) })
    }
    return [
      ("uuid", number()), ("private_uuid", number()), ("former_uuids", .text(Array("[]".utf8))),
      ("last_revision", .integer(0)), ("catalog_version", .integer(0)),
    ]
  }

  private static func hex(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func translating<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as PostgresError { throw StoreError(error) }
  }
}
