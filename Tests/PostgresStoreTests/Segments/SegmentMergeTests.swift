import TestSupport
import Testing
import TextAnalysis

@testable import PostgresStore
@testable import TextIndex

/// Merges of segments with many terms.
@Suite struct SegmentMergeTests {
  /// A merge reads the blocks of 2,048 terms at a time. Short lists of adjacent terms share rows of positions, also
  /// those of terms that are read in different batches.
  @Test(arguments: [0..<3, 0..<2, 1..<3]) func mergesMoreTermsThanAreReadAtATime(range: Range<Int>) throws {
    let division = RowDivision(shardCount: 1, numberBits: 32)
    let pair = try IndexPair(["f0"], MemoryBackend(segments: MemorySegments(division)), division, smallestSegment: 1)
    for part in 0..<3 {
      // A third of the documents is replaced by the next part.
      try pair.save(
        (1...1_500).map { number in
          let row = Int64(1_000 * part + number)
          return (row, "{\"f0\":\"all u\(row) v\(row) p\(part) w\(row % 7)\"}")
        })
    }
    let manifest = try pair.manifests()[0]
    #expect(manifest.segments.map(\.documentCount) == [1_500, 1_500, 1_500])
    try pair.backend.merge(range, of: manifest, pair.maintenance)
    let merged = try pair.manifests()[0].segments
    #expect(merged.count == 4 - range.count)
    #expect(merged[range.lowerBound].documentCount == 1_000 * range.count + 500)
    #expect(try pair.problem() == nil)
  }
}
