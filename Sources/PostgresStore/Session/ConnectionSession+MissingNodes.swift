import DocumentStore
import PostgresAccess

/// Read transactions while a node cannot be reached. A transaction begins on the other nodes, because many reads need
/// the catalog only. A statement for the missing node throws the error of the attempt to connect, unless the
/// transaction leaves out missing nodes: then it returns no rows.
extension ConnectionSession {
  /// Makes the rest of the read transaction leave out the nodes that could not be reached.
  ///
  /// - Returns: the nodes in ascending order; none in a write transaction, which needs all nodes that it uses.
  func allowPartialResults() -> [MissingNode] {
    guard mode == .reading else { return [] }
    allowsPartialResults = true
    return missingNodes.sorted { $0.key < $1.key }.map { node, error in
      let shards = nodes.nodes[node].shards
      return MissingNode(
        number: node + 1, shards: Int(shards.lowerBound)...Int(shards.upperBound), message: error.message)
    }
  }

  /// Throws if a node cannot be reached and partial results are not allowed. Otherwise a cache of the complete database
  /// could hide missing rows.
  func requireNodes() throws {
    if !allowsPartialResults, let error = missingNodes.min(by: { $0.key < $1.key })?.value { throw error }
  }

  /// Whether the transaction sees the shards of some nodes only.
  var isPartial: Bool { allowsPartialResults && !missingNodes.isEmpty }

  /// Returns the batches for nodes that can be reached.
  func availableBatches(_ batches: [NodeStatements]) throws -> [NodeStatements] {
    guard !missingNodes.isEmpty else { return batches }
    return try batches.filter { batch in
      guard let error = missingNodes[batch.node] else { return true }
      guard allowsPartialResults || batch.statements.isEmpty else { throw error }
      return false
    }
  }

  /// Runs the statements of the available nodes, and returns a result without rows for each statement of the others.
  func query(_ batches: [NodeStatements], _ available: [NodeStatements]) throws -> [[PostgresResult]] {
    let results = try run(available)
    let byNode = Dictionary(zip(available.map(\.node), results), uniquingKeysWith: { first, _ in first })
    return try batches.map { batch in
      try byNode[batch.node] ?? batch.statements.map { _ in try PostgresResult.empty() }
    }
  }
}
