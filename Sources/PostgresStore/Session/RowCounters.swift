import DocumentStore
import PostgresAccess
import SQLiteAccess

/// The row numbers that a write transaction gives to new documents.
final class RowCounters {
  /// The last number in each shard, by collection.
  private var numbers: [Int64: [Int32: Int64]] = [:]
  private var changed: Set<Int64> = []

  /// Returns the row of a new document.
  func nextRow(collection: Int64, id: String, _ session: FrontSession) throws -> Int64 {
    if numbers[collection] == nil {
      let stored = try session.query(
        "SELECT shard, last_number FROM cx_counter WHERE collection = $1", [.int64(collection)])
      numbers[collection] = Dictionary(
        (0..<stored.count).map { (Int32(clamping: stored.int64($0, 0)), stored.int64($0, 1)) }, uniquingKeysWith: max)
    }
    let shard = session.shards.shard(ofID: id)
    let number = numbers[collection]?[shard, default: 0] ?? 0
    guard (0..<session.shards.maximumNumber).contains(number) else {
      throw StoreError(
        .tooLarge,
        "\(session.storage.name): the shard \(shard) has no free row; a database with \(session.shards.count) shards stores at "
          + "most \(session.shards.maximumNumber) documents of a collection in each")
    }
    numbers[collection]?[shard] = number + 1
    changed.insert(collection)
    return session.shards.row(shard: shard, number: number + 1)
  }

  /// Returns the statements that store the numbers.
  func statements() -> [PostgresStatement] {
    changed.sorted().map { collection in
      let shards = (numbers[collection] ?? [:]).sorted { $0.key < $1.key }
      return PostgresStatement(
        """
        INSERT INTO cx_counter (collection, shard, last_number)
        SELECT $1, s, n FROM unnest($2::int4[], $3::int8[]) AS t (s, n)
        ON CONFLICT (collection, shard) DO UPDATE SET last_number = excluded.last_number
        """, [.int64(collection), .int32s(shards.map(\.key)), .int64s(shards.map(\.value))])
    }
  }

  func removeAll() {
    numbers = [:]
    changed = []
  }
}
