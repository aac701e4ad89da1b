package import PostgresAccess

/// The PostgreSQL side of a transaction: what the parts of a store (documents, indexes, segments) need to read and
/// write rows. It belongs to the thread that runs the transaction.
///
/// A read session sees one unchanging state (`REPEATABLE READ`); the round trip that begins its transaction also reads
/// the manifest and the small tables. A write session holds the lock of writers, collects what is enqueued, and sends
/// it before the next read or at the commit.
///
/// The tables of a database may be on several servers (``NodeLayout``). Rows that belong to a shard are on the node of
/// the shard, all others on node 0.
package protocol PostgresSession: AnyObject {
  /// The division of rows into shards.
  var shards: ShardLayout { get }

  /// The servers of the store.
  var nodes: NodeLayout { get }

  /// Whether the transaction can write.
  var isWriting: Bool { get }

  /// A number that identifies the state that a read session sees: it is the number of write transactions that were
  /// committed before, so two sessions with equal numbers see equal rows. In a write session, the number before its own
  /// changes.
  ///
  /// - Throws: ``PostgresError``.
  func snapshot() throws -> Int64

  /// Runs statements on nodes and returns the result of each, after the statements that were enqueued for the nodes.
  /// All are sent before the first result is awaited, so this takes one round trip.
  ///
  /// Tables are in the schema of the store, so their names need no qualification.
  ///
  /// - Throws: ``PostgresError``.
  func query(_ batches: [NodeStatements]) throws -> [[PostgresResult]]

  /// Adds a statement that changes rows, to be sent with the next ``query(_:)`` of the node or the commit. Its errors
  /// appear there.
  ///
  /// - Throws: ``PostgresError`` if the buffer is full and sending it fails, or if the session cannot write.
  func enqueue(_ statement: PostgresStatement, on node: Int) throws

  /// Sends the enqueued statements of a node, then copies rows into a table.
  ///
  /// - Parameters:
  ///   - target: the table and its columns, such as `cx_blk (idx, shard, seg, bno, payload)`.
  ///   - rows: the rows, with fields of exactly the types of the columns.
  /// - Throws: ``PostgresError``.
  func copy(into target: String, _ rows: PostgresCopyRows, on node: Int) throws
}

/// Statements for a node.
package struct NodeStatements {
  package let node: Int
  package let statements: [PostgresStatement]

  package init(_ node: Int, _ statements: [PostgresStatement]) {
    self.node = node
    self.statements = statements
  }
}

extension PostgresSession {
  /// Runs statements on a node in one round trip.
  package func query(_ statements: [PostgresStatement], on node: Int = 0) throws -> [PostgresResult] {
    try query([NodeStatements(node, statements)]).first ?? []
  }

  /// Runs one statement on a node.
  package func query(_ text: String, _ parameters: [PostgresValue] = [], on node: Int = 0) throws -> PostgresResult {
    guard let result = try query([PostgresStatement(text, parameters)], on: node).first else {
      throw PostgresError(.connectionLost, "PostgreSQL returned no result")
    }
    return result
  }

  /// Runs one statement on each node.
  func queryAll(_ statement: (ShardFilter) -> PostgresStatement) throws -> PostgresResult {
    guard let result = try queryAll({ [statement(filter($0))] }).first else {
      throw PostgresError(.connectionLost, "PostgreSQL returned no result")
    }
    return result
  }

  /// Runs the statements of each node in one round trip and returns the rows of each statement from all nodes, in the
  /// order of the nodes.
  ///
  /// - Parameter statements: returns equally many statements for each node that is read, and none for others.
  package func queryAll(_ statements: (Int) -> [PostgresStatement]) throws -> [PostgresResult] {
    let batches = nodes.shardNodes.map { NodeStatements($0, statements($0)) }.filter { !$0.statements.isEmpty }
    guard let count = batches.first?.statements.count else { return [] }
    let results = try query(batches)
    return (0..<count).compactMap { number in
      PostgresResult.joined(results.compactMap { $0.indices.contains(number) ? $0[number] : nil })
    }
  }

  /// Adds a statement for each node.
  func enqueueAll(_ statement: (ShardFilter) -> PostgresStatement) throws {
    for node in nodes.shardNodes { try enqueue(statement(filter(node)), on: node) }
  }

  /// Returns the node of a shard.
  package func node(ofShard shard: Int32) -> Int { nodes.node(ofShard: shard) }

  /// Returns the node of the row of a document.
  package func node(ofRow row: Int64) -> Int { nodes.node(ofShard: shards.shard(ofRow: row)) }
}
