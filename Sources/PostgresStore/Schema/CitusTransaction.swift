import PostgresAccess
import Synchronization

/// The shards that a transaction of a database on Citus uses.
///
/// Citus commits on the coordinator before it commits on the other servers, so for a moment a transaction can be seen
/// on the coordinator only. A transaction therefore adds its number to the rows of `cx_shard` of all shards that it
/// changes, and to their rows of `cx_node` on the coordinator:
///
/// - A reader compares both at its beginning, and begins again if they differ. States that were equal once are not
///   compared again. Later statements may see later transactions, because the shards have no common snapshot.
/// - A writer locks the row of a shard before it uses the shard, and so waits until the previous writer is committed
///   there.
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

  /// Discards the locks after a rollback to a savepoint.
  mutating func discardLocks() { locked = [] }

  /// Returns the statements that record a transaction in the shards that it has changed; none if the database is not on
  /// Citus.
  func states(_ state: Int64, _ nodes: NodeLayout) -> [PostgresStatement] {
    guard nodes.isOnCitus else { return [] }
    let changed = changed.filter { nodes.shardNodes.contains($0) }.sorted()
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

extension ConnectionSession {
  /// Locks the shard of a node of a database on Citus, before a change that is sent next.
  func joinShard(_ node: Int) {
    guard nodes.isOnCitus else { return }
    citus.changed.insert(node)
    for lock in shardLocks([node]) { channel(node).pending.append(lock) }
  }

  /// Returns the statements that lock the shards that a write transaction begins to use.
  func shardLocks(_ wanted: [Int]) -> [PostgresStatement] {
    guard isWriting else { return [] }
    return wanted.filter { nodes.shardNodes.contains($0) && citus.locked.insert($0).inserted }.map { node in
      PostgresStatement("SELECT state FROM cx_shard WHERE shard = $1 FOR UPDATE", filter(node).parameters)
    }
  }

  /// Returns whether a read transaction sees the shards in the states that the coordinator lists.
  func seesShards(_ expected: [Int64]) throws -> Bool {
    let unknown = zip(nodes.shardNodes, expected).filter { !storage.shardStates.isKnown($1, of: $0) }
    guard expected.count == nodes.shardNodes.count else { return false }
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

  /// Returns the statements of all nodes as those of the coordinator, if the database is on Citus: they share its
  /// connection.
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
