import PostgresStore

extension Database {
  /// The state of a database on PostgreSQL.
  public struct ClusterStatus: Sendable {
    /// The first server and the database, without a password.
    public let name: String
    /// The version of the first server, such as `15.18`.
    public let serverVersion: String
    /// The version of the tables.
    public let schemaVersion: Int
    /// The number of committed batches.
    public let batchCount: Int64
    /// The number of documents of each shard, excluding tombstones; 0 if its server cannot be reached.
    public let documentCounts: [Int64]
    /// The size of all tables and indexes on all servers that can be reached, in bytes.
    public let size: Int64
    /// The servers.
    public let nodes: [ClusterNode]
    /// The full-text and pattern indexes, ordered by collection and name.
    public let indexes: [ClusterIndex]
    /// The version of Citus, such as `13.2-1`; nil if the database is not on it.
    public let citusVersion: String?
  }

  /// A server of a database on PostgreSQL.
  public struct ClusterNode: Sendable {
    /// The server and the database, without a password.
    public let name: String
    /// The version of the server, such as `15.18`; empty if it cannot be reached.
    public let serverVersion: String
    /// The numbers of its shards.
    public let shards: ClosedRange<Int>
    /// The size of its tables and indexes, in bytes.
    public let size: Int64
    /// The reason why the server cannot be used: it cannot be reached, or was restored to another point in time than
    /// the first; nil if it can.
    public let failure: String?
  }

  /// A full-text or pattern index of a database on PostgreSQL.
  public struct ClusterIndex: Sendable {
    /// The scope and the name of its collection, such as `_default._default`.
    public let collection: String
    /// The name of the index.
    public let name: String
    /// The number of segments in all shards whose servers can be reached.
    ///
    /// If it grows without limit, merges fail; see the warnings in the log.
    public let segmentCount: Int
  }

  /// Returns the state of a database on PostgreSQL. Servers that cannot be used, other than the first, have a
  /// ``ClusterNode/failure``.
  ///
  /// - Parameter url: the address, `postgresql://…`.
  /// - Throws: ``CBLError``; ``CBLError/cantOpenFile`` if the first server cannot be reached.
  /// - Complexity: O(n) in the number of documents.
  public static func clusterStatus(url: String) throws -> ClusterStatus {
    try requireURL(url)
    let status = try withPublicErrors { try StoreAdministration.status(url) }
    let nodes = status.nodes.map { node in
      ClusterNode(
        name: node.name,
        serverVersion: node.serverVersion > 0 ? "\(node.serverVersion / 10_000).\(node.serverVersion % 10_000)" : "",
        shards: Int(node.shards.lowerBound)...Int(node.shards.upperBound), size: node.size, failure: node.failure)
    }
    return ClusterStatus(
      name: status.name, serverVersion: nodes.first?.serverVersion ?? "", schemaVersion: Int(status.version),
      batchCount: status.state, documentCounts: status.documentCounts, size: nodes.reduce(0) { $0 + $1.size },
      nodes: nodes,
      indexes: status.indexes.map {
        ClusterIndex(collection: $0.collection, name: $0.name, segmentCount: $0.segmentCount)
      }, citusVersion: status.citusVersion)
  }
}
