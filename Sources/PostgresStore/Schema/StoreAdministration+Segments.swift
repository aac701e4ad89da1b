import PostgresAccess
import TextIndex
import TrigramIndex

extension StoreAdministration {
  /// Returns the full-text and pattern indexes in the catalog, without the number of segments.
  static func indexes(_ connection: PostgresConnection) throws -> [Status.Index] {
    let kinds = [IndexCatalog.Kind.fullText.rawValue, IndexCatalog.Kind.pattern.rawValue]
    let rows = try connection.run(
      """
      SELECT i.id, c.scope, c.name, i.name FROM cx_index i JOIN cx_collection c ON c.id = i.collection
      WHERE i.kind = ANY ($1) ORDER BY c.scope, c.name, i.name
      """, [.texts(kinds)])
    return (0..<rows.count).map { row in
      Status.Index(
        id: rows.int64(row, 0), collection: "\(rows.string(row, 1)).\(rows.string(row, 2))", name: rows.string(row, 3))
    }
  }

  /// Adds the numbers of segments on a server.
  static func addSegments(
    _ connection: PostgresConnection, _ nodes: NodeLayout, to indexes: inout [Status.Index]
  ) throws {
    // The statements of each shard are separate on Citus.
    let filters = nodes.isOnCitus ? nodes.shardNodes.map { nodes.filter($0) } : [ShardFilter(value: nil)]
    let results = try connection.run(
      filters.flatMap { shard -> [PostgresStatement] in
        let parameters = [.int64s(indexes.map(\.id))] + shard.parameters
        return [
          PostgresStatement("SELECT idx, segments FROM cx_ft WHERE idx = ANY ($1)\(shard.condition(2))", parameters),
          PostgresStatement(
            "SELECT idx, count(*) FROM cx_tri WHERE idx = ANY ($1) AND tri = \(PatternSegments.documentsNumber)"
              + "\(shard.condition(2)) GROUP BY idx", parameters),
        ]
      })
    for (number, result) in results.enumerated() {
      for row in 0..<result.count {
        guard let index = indexes.firstIndex(where: { $0.id == result.int64(row, 0) }) else { continue }
        do {
          indexes[index].segmentCount +=
            try number % 2 == 0 ? ShardManifest.segments(result.byteArray(row, 1)).count : Int(result.int64(row, 1))
        } catch let damage as SegmentDamage { throw damage.error(index: indexes[index].name) }
      }
    }
  }
}
