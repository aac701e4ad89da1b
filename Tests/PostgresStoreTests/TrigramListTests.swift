import TestSupport
import Testing

@testable import PostgresStore

@Suite struct TrigramListTests {
  /// Random ascending rows whose density changes, in several shards.
  private static func rows(_ random: inout SeededGenerator) -> [UInt32] {
    var rows: [UInt32] = []
    for shard in 0..<UInt32.random(in: 1...3, using: &random) {
      var last = shard << 26
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let largestGap = UInt32(1) << UInt32.random(in: 0...18, using: &random)
        for _ in 0..<Int.random(in: 1...700, using: &random) {
          last += UInt32.random(in: 1...largestGap, using: &random)
          rows.append(last)
        }
      }
    }
    return rows
  }

  private static func decoded(_ bytes: some Collection<UInt8>) -> [UInt32] {
    Array(bytes).withUnsafeBytes { TrigramList.decode($0) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func listsAreDecodedAsTheyWereEncoded(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rows = TrigramListTests.rows(&random)
    let list = TrigramList.encode(rows)
    #expect(TrigramListTests.decoded(list) == rows)
    #expect(list.count <= RowDeltas.encode(rows).count)
    #expect(list.first != 0 || TrigramListTests.decoded(RowDeltas.encode(rows)) == rows)
  }

  @Test(
    arguments: [
      [], [1], [1, 2, 3], [.max], Array(1...1000), Array(1...256), Array(1...257),
      Array(stride(from: 5, to: 90_000, by: 90)),
      Array(stride(from: 1 << 24, to: .max - (1 << 24), by: 1 << 24)), [1, 2, 3, 4, 5, 6, 7, 8, .max - 1, .max],
    ] as [[UInt32]])
  func boundsAreDecoded(rows: [UInt32]) {
    #expect(TrigramListTests.decoded(TrigramList.encode(rows)) == rows)
  }

  /// Consecutive rows need two bits each, rows with gaps of about 100 less than nine.
  @Test func listsArePacked() {
    #expect(TrigramList.encode(Array(1...10_000)).count < 10_000 * 2 / 8)
    #expect(TrigramList.encode(Array(stride(from: 1, through: 1_000_000, by: 100))).count < 10_000 * 9 / 8)
  }

  /// Only damaged rows of PostgreSQL have such lists.
  @Test func rowsThatDoNotAscendAreNotPacked() {
    let rows = (1...20).map { UInt32($0) } + [7]
    #expect(TrigramList.encode(rows) == RowDeltas.encode(rows))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func damagedListsEndEarly(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let list = TrigramList.encode(Array(stride(from: 3, to: 100_000, by: 70)))
    let rows = TrigramListTests.decoded(list)
    for _ in 0..<200 {
      let part = TrigramListTests.decoded(list.prefix(Int.random(in: 0..<list.count, using: &random)))
      #expect(part.count < rows.count && rows.starts(with: part))
      var damaged = list
      damaged[Int.random(in: 1..<list.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      #expect(TrigramListTests.decoded(damaged).count <= 8 * list.count + 256)
    }
  }
}
