import TestSupport
import Testing
import TextAnalysis

@testable import PostgresStore
@testable import TextIndex

/// The segments of transactions whose documents another thread collects while they are added.
@Suite struct SegmentCollectorTests {
  private static let division = RowDivision(shardCount: 1, numberBits: 32)

  /// - Parameter smallestSegment: the number of bytes of terms from which on documents are collected.
  private static func pair(smallestSegment: Int) throws -> (IndexPair, MemorySegments) {
    let segments = MemorySegments(division)
    let backend = MemoryBackend(segments: segments)
    return (try IndexPair(["f0"], backend, division, smallestSegment: smallestSegment, memory: 64 << 20), segments)
  }

  private static func json(_ row: Int64, _ random: inout SeededGenerator) -> String {
    let words = (0..<80).map { _ in "w\(Int.random(in: 0..<400, using: &random))" }
    return "{\"f0\":\"n\(row) \(words.joined(separator: " "))\"}"
  }

  /// More than two portions of ascending rows are collected. The second half before the first makes two runs.
  @Test func theOrderOfDocumentsDoesNotChangeTheSegment() throws {
    var random = SeededGenerator(seed: 152)
    let documents = (1...6_000 as ClosedRange<Int64>).map { ($0, Optional(SegmentCollectorTests.json($0, &random))) }
    var all: [MemorySegments] = []
    for order in [documents, Array(documents[3_000...] + documents[..<3_000]), documents.shuffled(using: &random)] {
      // Without a limit, nothing is collected before the end of the transaction.
      for smallestSegment in [1, Int.max] {
        let (pair, segments) = try SegmentCollectorTests.pair(smallestSegment: smallestSegment)
        try pair.save(order)
        #expect(try pair.manifests()[0].segments.map(\.documentCount) == [6_000])
        all.append(segments)
      }
    }
    for segments in all.dropFirst() {
      #expect(segments.payloads == all[0].payloads)
      #expect(segments.headers == all[0].headers)
      #expect(segments.pages.mapValues { $0.map(\.bytes) } == all[0].pages.mapValues { $0.map(\.bytes) })
    }
  }

  @Test func documentsThatChangeTwiceInATransactionAreIndexedOnce() throws {
    var random = SeededGenerator(seed: 153)
    let (pair, _) = try SegmentCollectorTests.pair(smallestSegment: 1)
    let first = (1...400 as ClosedRange<Int64>).map { ($0, Optional(SegmentCollectorTests.json($0, &random))) }
    try pair.save(first + [(5, SegmentCollectorTests.json(1_005, &random)), (7, nil)])
    #expect(try pair.problem() == nil)
    // Documents of an older segment are replaced, one of them twice, and one is deleted.
    let second = (100...500 as ClosedRange<Int64>).map { ($0, Optional(SegmentCollectorTests.json($0, &random))) }
    try pair.save(second + [(150, SegmentCollectorTests.json(1_150, &random)), (160, nil)])
    #expect(try pair.problem() == nil)
    // The segment takes over recent documents.
    try pair.save([(900, SegmentCollectorTests.json(900, &random))])
    try pair.save((600...1_000 as ClosedRange<Int64>).map { ($0, SegmentCollectorTests.json($0, &random)) })
    #expect(try pair.problem() == nil)
  }
  /// Recent documents that a segment takes over are deleted, replaced, and added again in the same transaction.
  @Test func recentDocumentsChangeAfterASegmentTookThemOver() throws {
    var random = SeededGenerator(seed: 154)
    let (pair, _) = try SegmentCollectorTests.pair(smallestSegment: 20_000)
    for row in 1...9 as ClosedRange<Int64> { try pair.save([(row, SegmentCollectorTests.json(row, &random))]) }
    #expect(try pair.manifests()[0].segments.isEmpty)
    for first in [100, 150] as [Int64] {
      let many = (first..<first + 100).map { ($0, Optional(SegmentCollectorTests.json($0, &random))) }
      let again = [2, 3, 4, 4].map { (row: Int64) in (row, Optional(SegmentCollectorTests.json(row + 50, &random))) }
      try pair.save(many + [(1, nil), (2, nil)] + again + [(4, nil)])
      #expect(try !pair.manifests()[0].segments.isEmpty)
      #expect(try pair.problem() == nil)
      // Recent documents, some of which replace documents of the segment.
      for row in [1, 3, 5, first] { try pair.save([(row, SegmentCollectorTests.json(row + 70, &random))]) }
      #expect(try pair.problem() == nil)
    }
  }
}
