import TestSupport
import Testing
import TextAnalysis

@testable import PostgresStore
@testable import TextIndex

/// Reading many pages of dictionaries in batches.
@Suite struct DictionaryPageTests {
  /// A batch begins with the last page of the previous one, which must not be returned twice.
  @Test(arguments: [("", 16), ("u1", 16), ("u", 1), ("", 4096), ("nosuch", 16)] as [(String, Int)])
  func pagesAreReadInBatches(prefix: String, batch: Int) throws {
    let division = RowDivision(shardCount: 1, numberBits: 32)
    let memory = MemorySegments(division)
    let pair = try IndexPair(["f0"], MemoryBackend(segments: memory), division, smallestSegment: 1)
    // The first segment has more pages than the second one.
    for (part, count) in [2_000, 300].enumerated() {
      try pair.save((1...count).map { (Int64(3_000 * part + $0), "{\"f0\":\"u\($0) v\($0) all\"}") })
    }
    let store = try SnapshotReader(
      cache: SegmentIndexCache(), storage: memory, source: memory, columnCount: 1, division: division
    ).postings(of: pair.index, version: nil, isCommitted: true)
    let keys = store.snapshot.segments.map(\.segment.key)
    #expect((memory.pages[keys[0]]?.count ?? 0) > 16)
    var found: [[[UInt8]]] = keys.map { _ in [] }
    let before = memory.roundTripCount
    try store.forEachPage(prefix: Array(prefix.utf8), pageBatch: batch) { segment, page in
      found[segment].append(page.firstTerm)
    }
    if batch == 4096 { #expect(memory.roundTripCount == before + 1) }
    let ranges = keys.map { TermRange($0, prefix: Array(prefix.utf8)) }
    let expected = try (memory as any SegmentStorage).pages(ranges, limit: .max)
    #expect(found == expected.map { $0.map(\.firstTerm) })
    var terms: Set<[UInt8]> = []
    try store.forEachTerm(prefix: Array(prefix.utf8), withPositions: false) { term, _ in terms.insert(term) }
    #expect(terms.count == (prefix == "" ? 4_001 : prefix == "u" ? 2_000 : prefix == "u1" ? 1_111 : 0))
  }
}
