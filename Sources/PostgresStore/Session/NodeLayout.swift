/// The servers of a database, called nodes, and the shards of each.
///
/// Node 0 has the catalog, the manifest and the lock of writers. Each node has successive shards, so the rows of a node
/// are below those of the next one.
///
/// On Citus, node 0 is the coordinator, and each other node is one shard; see ``Citus``.
package struct NodeLayout: Hashable, Sendable {
  package struct Node: Hashable, Sendable {
    /// The address; empty for node 0, which clients reach through the address that they open.
    package let address: String
    package let shards: ClosedRange<Int32>
  }

  package let nodes: [Node]
  /// Identifies the database on all of its nodes; empty if there is only one.
  package let cluster: String
  /// The value of the distribution column for each shard of a database on Citus; otherwise none.
  package let citusValues: [Int32]

  /// The node of each shard.
  private let owners: [Int]

  package init(_ nodes: [Node], cluster: String, citusValues: [Int32] = []) {
    self.nodes = nodes
    self.cluster = cluster
    self.citusValues = citusValues
    owners =
      citusValues.isEmpty
      ? nodes.enumerated().flatMap { number, node in node.shards.map { _ in number } }
      : citusValues.indices.map { $0 + 1 }
  }

  /// The layout of a database on one server.
  package init(single shards: ShardLayout) {
    self.init([Node(address: "", shards: 0...Int32(clamping: shards.count - 1))], cluster: "")
  }

  /// Divides shards among servers.
  ///
  /// - Parameter addresses: the address of each server, at most as many as there are shards.
  package init(dividing shards: ShardLayout, among addresses: [String], cluster: String) {
    let nodes = addresses.enumerated().map { number, address in
      let first = number * shards.count / addresses.count
      let next = (number + 1) * shards.count / addresses.count
      return Node(
        address: number == 0 ? "" : address, shards: Int32(clamping: first)...Int32(clamping: max(first, next - 1)))
    }
    self.init(nodes, cluster: cluster)
  }

  package var count: Int { nodes.count }
  package var isSingle: Bool { nodes.count == 1 }
  /// The nodes with the rows of shards.
  package var shardNodes: Range<Int> { isOnCitus ? 1..<citusValues.count + 1 : nodes.indices }
  /// The nodes that are servers, to which clients connect.
  package var servers: Range<Int> { nodes.indices }
  package var isOnCitus: Bool { !citusValues.isEmpty }

  /// Returns the server that receives the statements of a node.
  package func server(ofNode node: Int) -> Int { isOnCitus ? 0 : node }

  /// Returns the node of a shard. Shards that do not exist are on node 0.
  package func node(ofShard shard: Int32) -> Int {
    owners.indices.contains(Int(shard)) ? owners[Int(shard)] : 0
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
    ShardFilter(value: isOnCitus && shardNodes.contains(node) ? citusValues[node - 1] : nil)
  }
}
