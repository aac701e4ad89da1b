import TextIndex

/// The division of rows into shards, as the text index needs it: a row is the sum of the first row of its shard and the
/// number of the document in the shard.
package struct RowDivision: Hashable, Sendable {
  /// The number of low bits of a row that contain the number in the shard.
  let numberBits: Int
  /// The number of shards.
  let shardCount: Int

  /// Creates the division of a store.
  package init(_ layout: ShardLayout) { self.init(shardCount: layout.count, numberBits: layout.numberBits) }

  init(shardCount: Int, numberBits: Int) {
    self.shardCount = shardCount
    self.numberBits = numberBits
  }

  /// Returns the row of document 0 of a shard.
  func base(_ shard: Int32) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt64(UInt32(bitPattern: shard)) << UInt64(numberBits))
  }

  /// Returns the shard of a row and the number in it.
  ///
  /// - Throws: ``TextIndexError`` for a row that cannot be in an index.
  package func location(ofRow row: Int64) throws -> (shard: Int32, number: UInt32) {
    guard let row = UInt32(exactly: row), Int(UInt64(row) >> UInt64(numberBits)) < shardCount else {
      throw SegmentDamage("row \(row) is out of range").error(index: "full text")
    }
    return (
      Int32(truncatingIfNeeded: UInt64(row) >> UInt64(numberBits)),
      UInt32(truncatingIfNeeded: UInt64(row) & (1 << UInt64(numberBits) - 1))
    )
  }
}
