import DocumentStore
import PostgresAccess
import SQLiteAccess

/// The row numbers that a write transaction gives to new documents. A number is not used again after its document was
/// purged, because old postings and lists may still contain it.
final class RowCounters {
  /// The last number in each shard, by collection. The numbers of a node are read together.
  private var numbers: [Int64: [Int32: Int64]] = [:]
  private var changed: Set<Int64> = []
  /// The collections and nodes whose numbers were read.
  private var known: Set<[Int64]> = []

  /// Returns the row of a new document.
  func nextRow(collection: Int64, id: String, _ session: ConnectionSession) throws -> Int64 {
    let shard = session.shards.shard(ofID: id)
    let node = session.nodes.server(ofNode: session.node(ofShard: shard))
    if !known.contains([collection, Int64(node)]) {
      let stored = try session.query(
        "SELECT shard, last_number FROM cx_counter WHERE collection = $1", [.int64(collection)], on: node)
      for row in 0..<stored.count {
        numbers[collection, default: [:]][Int32(clamping: stored.int64(row, 0))] = stored.int64(row, 1)
      }
      known.insert([collection, Int64(node)])
    }
    let number = numbers[collection]?[shard, default: 0] ?? 0
    guard (0..<session.shards.maximumNumber).contains(number) else {
      throw StoreError(
        .tooLarge,
        "\(session.storage.name): the shard \(shard) has no free row: \(session.shards.maximumNumber) documents of a "
          + "collection can be created in each of \(session.shards.count) shards, including those that were purged or "
          + "have expired; export the documents and import them into a database with more shards")
    }
    numbers[collection, default: [:]][shard] = number + 1
    changed.insert(collection)
    return session.shards.row(shard: shard, number: number + 1)
  }

  /// Whether there are numbers to store.
  var hasChanged: Bool { !changed.isEmpty }

  /// Returns the statements that store the numbers of collections, and the node of each.
  func statements(
    of collections: Set<Int64>, _ session: ConnectionSession
  ) -> [(node: Int, statement: PostgresStatement)] {
    changed.intersection(collections).sorted().flatMap { collection in
      let byNode = Dictionary(grouping: numbers[collection] ?? [:]) {
        session.nodes.server(ofNode: session.node(ofShard: $0.key))
      }
      return byNode.sorted { $0.key < $1.key }.map { node, numbers in
        let shards = numbers.sorted { $0.key < $1.key }
        let statement = PostgresStatement(
          """
          INSERT INTO cx_counter (collection, shard, last_number)
          SELECT $1, s, n FROM unnest($2::int4[], $3::int8[]) AS t (s, n)
          ON CONFLICT (collection, shard) DO UPDATE SET last_number = excluded.last_number
          """, [.int64(collection), .int32s(shards.map(\.key)), .int64s(shards.map(\.value))])
        return (node, statement)
      }
    }
  }

  func removeAll() {
    numbers = [:]
    changed = []
    known = []
  }
}
