import DocumentStore
import PostgresAccess
import SQLiteAccess

/// Creates and describes databases on PostgreSQL.
package enum StoreAdministration {
  /// The state of a database.
  package struct Status: Sendable {
    /// The first server and the database.
    package let name: String
    package let shards: ShardLayout
    /// The version of the schema.
    package var version: Int64 = 0
    /// The number of committed write transactions.
    package var state: Int64 = 0
    /// The number of documents in each shard without tombstones; 0 if its server cannot be reached.
    package var documentCounts: [Int64] = []
    package var nodes: [Node] = []
    /// The full-text and pattern indexes, by collection and name.
    package var indexes: [Index] = []
    /// The version of Citus; nil if the database is not on it.
    package var citusVersion: String?

    /// A server.
    package struct Node: Sendable {
      package let name: String
      /// The version of the server, such as 150018; 0 if it cannot be reached.
      package let serverVersion: Int32
      package let shards: ClosedRange<Int32>
      /// The size of the schema's tables and indexes in bytes.
      package let size: Int64
      /// The reason why the server cannot be used; nil if it can.
      package var failure: String?
    }

    /// An index that has segments.
    package struct Index: Sendable {
      let id: Int64
      /// The scope and the name of its collection.
      package let collection: String
      package let name: String
      /// The number of segments in all shards.
      package var segmentCount = 0
    }
  }

  /// Returns whether an address contains a password.
  ///
  /// - Throws: ``StoreError``.
  package static func containsPassword(_ address: String) throws -> Bool {
    try translatingPostgresErrors { try PostgresAddress.containsPassword(address) }
  }

  /// Returns the state of a database. Servers other than the first may be unreachable.
  ///
  /// - Throws: ``StoreError``.
  package static func status(_ address: String) throws -> Status {
    try translatingPostgresErrors {
      let storage = try PostgresStorage(address)
      defer { storage.close() }
      var status = Status(name: storage.name, shards: storage.shards)
      status.documentCounts = [Int64](repeating: 0, count: storage.shards.count)
      for node in storage.nodes.servers {
        do {
          var complete = status
          try storage.pools[node].withConnection { try add($0, node, storage, to: &complete) }
          status = complete
        } catch let error as PostgresError {
          guard node > 0, error.kind == .notConnected || error.kind == .connectionLost else {
            throw storage.naming(node, in: error)
          }
          let missing = storage.nodes.nodes[node]
          status.nodes.append(
            Status.Node(
              name: missing.address, serverVersion: 0, shards: missing.shards, size: 0, failure: error.message))
        }
      }
      for node in storage.nodes.servers.dropFirst() where status.nodes[node].failure == nil {
        // If the server is lost in the meantime, the rest of the status is still of use.
        if let states = try? storage.differentStates(of: node) { status.nodes[node].failure = "\(states)" }
      }
      return status
    }
  }

  private static func add(
    _ connection: PostgresConnection, _ node: Int, _ storage: PostgresStorage, to status: inout Status
  ) throws {
    let nodes = storage.nodes
    let size = """
      SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
      """
    let documentCounts = "SELECT shard, count(*) FROM cx_doc WHERE deleted = 0 GROUP BY shard"
    var statements = [
      PostgresStatement("SELECT version, state FROM cx_manifest"),
      PostgresStatement(nodes.isOnCitus ? Citus.size : size, [.text(StoreSchema.name)]),
    ]
    if !nodes.isOnCitus { statements.append(PostgresStatement(documentCounts)) }
    let results = try connection.run(statements)
    if node == 0 {
      (status.version, status.state) = (Citus.schemaVersion(results[0].int64(0, 0)), results[0].int64(0, 1))
    }
    if nodes.isOnCitus {
      (status.citusVersion, status.documentCounts) = try Citus.status(connection, nodes)
    }
    for counts in results.dropFirst(2) {
      for row in 0..<counts.count {
        let shard = Int(counts.int64(row, 0))
        if status.documentCounts.indices.contains(shard) { status.documentCounts[shard] = counts.int64(row, 1) }
      }
    }
    if node == 0 { status.indexes = try indexes(connection) }
    try addSegments(connection, nodes, to: &status.indexes)
    status.nodes.append(
      Status.Node(
        name: connection.name, serverVersion: connection.serverVersion,
        shards: storage.nodes.nodes[node].shards, size: results[1].int64(0, 0)))
  }

  /// Reads and checks the manifest.
  static func layout(
    _ connection: PostgresConnection, name: String
  ) throws -> (shards: ShardLayout, nodes: NodeLayout) {
    guard try exists(connection) else {
      throw StoreError(
        .notFound, "\(name): the database has no tables of Concordance; initialize it first")
    }
    let schema = StoreSchema.name
    let manifest = try connection.run("SELECT version, shards FROM \(schema).cx_manifest")
    guard manifest.count == 1, let shards = ShardLayout(count: Int(manifest.int64(0, 1))) else {
      throw damage(name)
    }
    try requireVersion(manifest.int64(0, 0), name: name)
    guard !Citus.isOnCitus(version: manifest.int64(0, 0)) else {
      return (shards, try Citus.layout(connection, shards, damage: damage(name)))
    }
    let nodes = try nodes(connection, name: name, Int64(shards.count))
    return (shards, nodes.count == 0 ? NodeLayout(single: shards) : nodes)
  }

  /// Reads the value that identifies the database.
  static func identity(_ connection: PostgresConnection) throws -> String {
    guard let value = identity(try connection.run([identitySelection])[0]) else { throw damage(connection.name) }
    return value
  }

  /// Reads the row with the value that identifies the database.
  static let identitySelection = PostgresStatement(
    "SELECT value FROM \(StoreSchema.name).cx_meta WHERE key = 'uuid'")

  /// Returns the value in the result of ``identitySelection``; nil if there is no row.
  static func identity(_ result: PostgresResult) -> String? {
    result.count == 1 ? result.byteArray(0, 0).withUnsafeBytes { TaggedValue.decode($0).string } : nil
  }

  /// Reads the servers; none if there is only one.
  static func nodes(_ connection: PostgresConnection, name: String, _ shardCount: Int64) throws -> NodeLayout {
    let schema = StoreSchema.name
    let results = try connection.run([
      PostgresStatement("SELECT node, cluster FROM \(schema).cx_manifest"),
      PostgresStatement("SELECT address, first_shard, last_shard FROM \(schema).cx_node ORDER BY number"),
    ])
    let number = results[0].int64(0, 0)
    guard number == 0 else {
      throw StoreError(
        .cannotOpen,
        "\(name): this server is node \(number + 1) of a database on several servers; open the address of its first server"
      )
    }
    var next: Int64 = 0
    let nodes = try (0..<results[1].count).map { row in
      let (first, last) = (results[1].int64(row, 1), results[1].int64(row, 2))
      guard first == next, last >= first, last < shardCount else { throw damage(name) }
      next = last + 1
      return NodeLayout.Node(address: results[1].string(row, 0), shards: Int32(first)...Int32(last))
    }
    guard nodes.isEmpty || next == shardCount else { throw damage(name) }
    return NodeLayout(nodes, cluster: results[0].string(0, 1))
  }

  static func damage(_ name: String) -> StoreError {
    StoreError(
      .corrupt, "\(name): the table cx_manifest, cx_meta or cx_node is damaged; restore a backup of the database")
  }

  /// The error for a further server of a database whose tables do not exist.
  static func missingTables(_ node: NodeLayout.Node, number: Int, count: Int) -> StoreError {
    StoreError(
      .corrupt,
      "\(node.address): node \(number) of \(count) has lost its tables, which contain the documents of the shards "
        + "\(node.shards.lowerBound) to \(node.shards.upperBound); restore a backup of this server's database")
  }

  static func exists(_ connection: PostgresConnection) throws -> Bool {
    try connection.run(
      "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'cx_manifest')",
      [.text(StoreSchema.name)]
    ).bool(0, 0)
  }

  /// Returns 16 random bytes in hexadecimal digits.
  static func randomIdentifier() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = (0..<16).flatMap { _ in
      let byte = UInt8.random(in: 0...255)
      return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
