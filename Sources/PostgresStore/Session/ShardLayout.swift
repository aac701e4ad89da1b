/// The division of a store's rows into shards.
///
/// A row is the number of a document in a collection: the shard in its highest bits, the number in the shard in the
/// others. Rows are positive and fit in 32 bits, as posting lists require, and posting lists of several shards are
/// concatenated in the order of the shards. A document keeps its row when it is replaced.
package struct ShardLayout: Hashable, Sendable {
  /// The number of shards: a power of two from 1 to 256.
  package let count: Int
  /// The number of low bits of a row that contain the number in the shard.
  package let numberBits: Int

  /// The number of bits for the number in a shard, if there is more than one.
  private static let severalShardsBits = 24

  /// The permitted numbers of shards.
  package static let counts = [1, 2, 4, 8, 16, 32, 64, 128, 256]

  /// Returns nil if the number of shards is not permitted.
  package init?(count: Int) {
    guard ShardLayout.counts.contains(count) else { return nil }
    self.count = count
    // Rows above the documents of a shard cost memory: the table of document lengths has a pointer for every 512 of
    // them.
    numberBits = count == 1 ? 32 : ShardLayout.severalShardsBits
  }

  /// The highest number in a shard. One below the limit, so that `row + 1` does not overflow 32 bits.
  package var maximumNumber: Int64 { (1 << Int64(numberBits)) - 2 }

  /// Returns the shard of a row.
  package func shard(ofRow row: Int64) -> Int32 { Int32(truncatingIfNeeded: row >> Int64(numberBits)) }

  /// Returns the row with a number, from 1, in a shard.
  package func row(shard: Int32, number: Int64) -> Int64 { Int64(shard) << Int64(numberBits) | number }

  /// Returns the shard of the document with an id: FNV-1a of its UTF-8 bytes, whose high and low halves are combined
  /// (<http://www.isthe.com/chongo/tech/comp/fnv/>).
  package func shard(ofID id: String) -> Int32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int32(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(count - 1))
  }
}
