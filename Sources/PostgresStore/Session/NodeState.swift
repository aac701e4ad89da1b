import DocumentStore
import PostgresAccess
import SQLiteAccess

/// The states of nodes: the number of the last write transaction that changed each. Node 0 lists them in `cx_node`, and
/// each node has its own in `cx_manifest`, so a reader notices if it sees a transaction on some nodes only.
enum NodeState {
  /// Reads the states of the other nodes from node 0.
  static let selection = PostgresStatement("SELECT state FROM cx_node WHERE number > 0 ORDER BY number")
  /// Reads the state of a node, and what it belongs to.
  static let own = PostgresStatement("SELECT state, node, cluster FROM cx_manifest")
  /// Reads the state of a node and locks it. Every transaction that changes the node holds this lock until it ends,
  /// even if it is only prepared.
  static let lock = PostgresStatement("SELECT state, node, cluster FROM cx_manifest FOR UPDATE NOWAIT")

  /// Returns a row if a document of the node has an expiration. The order makes PostgreSQL use the index of
  /// expirations.
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

/// The state of a node, and the one that node 0 has recorded for it.
struct NodeStates: Equatable, CustomStringConvertible {
  let own: Int64
  let recorded: Int64

  /// What is wrong with a node whose states differ.
  var description: String {
    let problem =
      own < recorded
      ? "lacks commits: its state is \(own), and the first server has recorded \(recorded)"
      : "has commits that the first server lacks: its state is \(own), and the first server has recorded \(recorded)"
    return problem
      + "; this server or the first one was probably restored to an earlier point in time; restore all servers to the same "
      + "point in time"
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

  /// Checks that a node has exactly the commits that node 0 has recorded. The write transaction holds the locks of
  /// both, so no commit is unfinished.
  func requireState(_ state: Int64, of node: Int, recorded: [Int64]) throws {
    guard recorded.indices.contains(node - 1) else { throw StoreAdministration.damage(name) }
    guard state == recorded[node - 1] else {
      throw lostCommits(NodeStates(own: state, recorded: recorded[node - 1]), of: node)
    }
  }

  /// Returns the states of a node that differ although no transaction is unfinished on it; nil if there are none.
  ///
  /// The numbers are read again after the prepared transactions: a commit that was unfinished at the first time has
  /// changed one of them.
  func differentStates(of node: Int) throws -> NodeStates? {
    let states = try states(of: node)
    guard states.own != states.recorded, try preparedTransactions(node).isEmpty else { return nil }
    return try self.states(of: node) == states ? states : nil
  }

  private func states(of node: Int) throws -> NodeStates {
    let recorded = try pools[0].withConnection(waiting: PostgresStorage.longestWait) {
      try NodeState.expected($0.run([NodeState.selection]).first, name: name)
    }
    guard recorded.indices.contains(node - 1) else { throw StoreAdministration.damage(name) }
    let own = try pools[node].withConnection(waiting: PostgresStorage.longestWait) {
      try requireMember($0.run([NodeState.own])[0], node: node)
    }
    return NodeStates(own: own, recorded: recorded[node - 1])
  }

  /// The error for a node whose state is not the one that node 0 has recorded.
  func lostCommits(_ states: NodeStates, of node: Int) -> StoreError {
    let shards = nodes.nodes[node].shards
    return StoreError(
      .corrupt,
      "\(nodes.nodes[node].address): node \(node + 1) of \(nodes.count), with the shards \(shards.lowerBound) to "
        + "\(shards.upperBound), \(states)")
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
