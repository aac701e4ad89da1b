import TestSupport
import Testing

@testable import PostgresStore

@Suite struct TrigramListTests {
  /// Random ascending rows whose density changes, in several shards.
  private static func rows(_ random: inout SeededGenerator) -> [UInt32] {
    var rows: [UInt32] = []
    for shard in 0..<UInt32.random(in: 1...3, using: &random) {
      var last = shard << 30
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

  private static func decoded(_ bytes: some Collection<UInt8>) throws -> [UInt32] {
    try Array(bytes).withUnsafeBytes { try TrigramList.decode($0) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func listsAreDecodedAsTheyWereEncoded(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = TrigramListTests.rows(&random)
    let list = TrigramList.encode(rows)
    #expect(try TrigramListTests.decoded(list) == rows)
    #expect(list.count <= RowDeltas.encode(rows).count)
    #expect(try TrigramListTests.decoded(RowDeltas.encode(rows)) == rows)
  }

  @Test(
    arguments: [
      [], [1], [1, 2, 3], [.max], Array(1...1000), Array(1...256), Array(1...257),
      Array(stride(from: 5, to: 90_000, by: 90)),
      Array(stride(from: 1 << 24, to: .max - (1 << 24), by: 1 << 24)), [1, 2, 3, 4, 5, 6, 7, 8, .max - 1, .max],
    ] as [[UInt32]])
  func boundsAreDecoded(rows: [UInt32]) throws {
    #expect(try TrigramListTests.decoded(TrigramList.encode(rows)) == rows)
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

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func damagedListsAreReported(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let list = TrigramList.encode(Array(stride(from: 3, to: 300_000, by: 200)))
    for _ in 0..<200 {
      // A part may end with a complete block of 256 rows.
      let part = try? TrigramListTests.decoded(list.prefix(Int.random(in: 0..<list.count, using: &random)))
      #expect(part.map { $0.count % 256 == 0 } ?? true)
      var damaged = list
      damaged[Int.random(in: 1..<list.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      // Rows that ascend although a byte was changed.
      guard let rows = try? TrigramListTests.decoded(damaged) else { continue }
      #expect(rows.count <= 8 * list.count + 256 && zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func truncatedAndTooLargeNumbersAreDamage() {
    let list = TrigramList.encode(Array(stride(from: 3, to: 300_000, by: 200)))
    #expect(throws: SegmentDamage.truncated) { try TrigramListTests.decoded(list.dropLast()) }
    #expect(throws: SegmentDamage.truncated) { try TrigramListTests.decoded([5, 0x81] as [UInt8]) }
    for number in [[0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]] as [[UInt8]] {
      #expect(throws: SegmentDamage.badNumber) { try TrigramListTests.decoded(number) }
    }
  }
}
