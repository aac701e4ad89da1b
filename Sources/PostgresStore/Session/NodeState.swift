import DocumentStore
import PostgresAccess

/// The states of nodes: the number of the last write transaction that changed each. Node 0 lists them in `cx_node`, and
/// each node has its own in `cx_manifest`, so a reader notices if it sees a transaction on some nodes only.
enum NodeState {
  /// Reads the states of the other nodes from node 0.
  static let selection = PostgresStatement("SELECT state FROM cx_node WHERE number > 0 ORDER BY number")
  /// Reads the state of a node, and what it belongs to.
  static let own = PostgresStatement("SELECT state, node, cluster FROM cx_manifest")
  /// Reads the state of a node and locks it. Every transaction that changes the node holds this lock until it ends, even
  /// if it is only prepared.
  static let lock = PostgresStatement("SELECT state, node, cluster FROM cx_manifest FOR UPDATE NOWAIT")

  /// Returns a row if a document of the node has an expiration. The order makes PostgreSQL use the index of expirations.
  static let expiration = PostgresStatement(
    "SELECT 1 FROM cx_doc WHERE expiration IS NOT NULL ORDER BY collection, expiration LIMIT 1")

  /// Sets the state of a node in its manifest.
  static func update(_ state: Int64) -> PostgresStatement {
    PostgresStatement("UPDATE cx_manifest SET state = $1", [.int64(state)])
  }

  /// Sets the states of nodes on node 0.
  static func update(_ state: Int64, of nodes: [Int]) -> PostgresStatement {
    PostgresStatement(
      "UPDATE cx_node SET state = $1 WHERE number = ANY ($2)", [.int64(state), .int32s(nodes.map { Int32($0) })])
  }

  static func expected(_ result: PostgresResult?, name: String) throws -> [Int64] {
    guard let result else { throw PostgresError(.connectionLost, "\(name): PostgreSQL returned no result") }
    return (0..<result.count).map { result.int64($0, 0) }
  }
}

extension PostgresStorage {
  /// Checks that a node belongs to the database and returns its state.
  func requireMember(_ result: PostgresResult, node: Int) throws -> Int64 {
    guard result.count == 1, result.int64(0, 1) == Int64(node), result.string(0, 2) == nodes.cluster else {
      throw PostgresError(
        .notConnected,
        "\(name): the server \(nodes.nodes[node].address) is not node \(node + 1) of this database; correct its address in "
          + "the table cx_node of the first node, or the settings of its service")
    }
    return result.int64(0, 0)
  }

  /// The error for a node whose tables do not exist.
  func missingTables(_ node: Int) -> StoreError {
    StoreAdministration.missingTables(nodes.nodes[node], number: node + 1, count: nodes.count)
  }

  /// Adds the number and the shards of a node to an error, so that it is clear which server is meant.
  func naming(_ node: Int, in error: PostgresError) -> PostgresError {
    guard !nodes.isSingle else { return error }
    let shards = nodes.nodes[node].shards
    let address = node == 0 ? name : nodes.nodes[node].address
    // The message may begin with the same name.
    let prefix = "\(address): "
    let reason = error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : error.message
    return PostgresError(
      error.kind, state: error.state,
      "\(address): node \(node + 1) of \(nodes.count), with the shards \(shards.lowerBound) to \(shards.upperBound), is not "
        + "available: \(reason)")
  }
}
