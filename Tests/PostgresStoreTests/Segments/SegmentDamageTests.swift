import QueryModel
import TestSupport
import Testing

@testable import PostgresStore
@testable import TextIndex

/// Searches in segments whose rows are damaged or missing give an error or other results, but never a trap.
@Suite struct SegmentDamageTests {
  private static func pair(_ random: inout SeededGenerator) throws -> (IndexPair, MemorySegments) {
    let division = RowDivision(shardCount: 1, numberBits: 32)
    let memory = MemorySegments(division)
    let pair = try IndexPair(["f0", "f1"], MemoryBackend(segments: memory), division)
    for start in [1, 300] {
      try pair.save(
        (start..<start + 500).map { row in
          let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            ["a", "b", "c\(Int.random(in: 0..<9, using: &random))"].randomElement(using: &random) ?? ""
          }
          return (Int64(row), "{\"f0\":\"\(words[0])\",\"f1\":\"\(words.joined(separator: " "))\"}")
        })
    }
    return (pair, memory)
  }

  private static func useIndex(_ pair: IndexPair) throws {
    try pair.read { _, segments in
      for text in ["a", "a AND b", "\"a b\"", "c*", "a NOT c1"] {
        let matches = try FullTextQuery(MatchParser().parse(text), in: pair.index).matches(segments)
        _ = try matches.best(5)
        _ = try matches.scoredRows()
      }
      _ = try segments.terms(beginningWith: "", order: .term)
    }
    _ = try pair.problem()
    for manifest in try pair.manifests() where manifest.segments.count > 1 {
      try pair.backend.merge(manifest.segments.indices, of: manifest, pair.maintenance)
    }
  }

  @Test(arguments: 1...25 as ClosedRange<UInt64>) func damagedRowsAreSafe(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (pair, memory) = try SegmentDamageTests.pair(&random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      for (segment, pages) in memory.pages.sorted(by: { $0.key.segment < $1.key.segment }) {
        let number = Int.random(in: 0..<pages.count, using: &random)
        memory.pages[segment]?[number] = StoredPage(
          firstTerm: pages[number].firstTerm, bytes: pages[number].bytes.damaged(&random))
      }
    case 1:
      for key in memory.payloads.keys.sorted(by: { "\($0)" < "\($1)" }) where Bool.random(using: &random) {
        memory.payloads[key] = memory.payloads[key]?.damaged(&random)
      }
    default:
      for (segment, header) in memory.headers { memory.headers[segment] = header.damaged(&random) }
    }
    do { try SegmentDamageTests.useIndex(pair) } catch let error as TextIndexError {
      #expect("\(error)".contains("is damaged"))
    } catch {
      // Maintenance reports damage without the name of the index.
      #expect(error is any IndexDamage)
    }
  }

  @Test func missingRowsAreReported() throws {
    var random = SeededGenerator(seed: 3)
    let (pair, memory) = try SegmentDamageTests.pair(&random)
    memory.payloads = memory.payloads.filter { $0.key.table != .blocks }
    let error = #expect(throws: TextIndexError.self) { try SegmentDamageTests.useIndex(pair) }
    #expect("\(String(describing: error))".contains("lacks a row"))
  }

  @Test func aMissingPageIsReported() throws {
    var random = SeededGenerator(seed: 4)
    let (pair, memory) = try SegmentDamageTests.pair(&random)
    for segment in memory.pages.keys { memory.pages[segment]?.removeLast() }
    let error = #expect(throws: SegmentDamage.self) { _ = try pair.problem() }
    #expect(error?.reason.contains("pages in a segment") == true, "\(error?.reason ?? "")")
  }

  /// Otherwise, keys of all rows would be made before the first is read.
  @Test func aNumberOfLengthsThatTheManifestDoesNotPermitIsReported() throws {
    var random = SeededGenerator(seed: 6)
    let (pair, memory) = try SegmentDamageTests.pair(&random)
    for (key, bytes) in memory.headers {
      var header = try SegmentHeader(bytes, columnCount: 2)
      header.lengthBlockCount += 1
      memory.headers[key] = header.bytes
    }
    let error = #expect(throws: TextIndexError.self) { try SegmentDamageTests.useIndex(pair) }
    #expect("\(String(describing: error))".contains("a number is out of range"))
    let manifest = try #require(memory.manifests[0])
    #expect(throws: SegmentDamage.badNumber) {
      try pair.backend.merge(manifest.segments.indices, of: manifest, pair.maintenance)
    }
  }

  @Test func sizesWhoseSumIsImpossibleAreReported() throws {
    var manifest = ShardManifest(shard: 0, columnCount: 1)
    for number in 1...2 as ClosedRange<Int32> {
      manifest.segments.append(
        ShardManifest.Entry(number: number, documentCount: 1, size: 1 << 52, firstRow: 1, lastRow: 1))
    }
    #expect(try ShardManifest.segments(manifest.segmentBytes) == manifest.segments)
    manifest.segments[1].size += 1
    #expect(throws: SegmentDamage.badNumber) { try ShardManifest.segments(manifest.segmentBytes) }
  }

  @Test func statesOfOtherShardsAreReported() throws {
    var random = SeededGenerator(seed: 5)
    for shard in [0, 1, -1] as [Int32] {
      let (pair, memory) = try SegmentDamageTests.pair(&random)
      // The state of a shard that does not exist, or another state of the same shard.
      var manifest = ShardManifest(shard: shard, columnCount: 2)
      manifest.segments = memory.manifests[0]?.segments ?? []
      memory.manifests[9] = manifest
      let error = #expect(throws: TextIndexError.self) { try SegmentDamageTests.useIndex(pair) }
      #expect("\(String(describing: error))".contains("is damaged"))
    }
  }

  @Test(
    arguments: [
      ([5, 5, 5], nil), (Array(repeating: 5, count: 10), 0..<10),
      ([2_000_000] + Array(repeating: 500, count: 12), 1..<13),
      ([90_000, 80_000, 500, 70_000] + Array(repeating: 60_000, count: 6), 0..<10),
      ([200_000, 90_000, 500, 70_000], nil),
    ] as [([Int], Range<Int>?)])
  func segmentsOfOneTierAreMerged(documentCounts: [Int], range: Range<Int>?) {
    #expect(MergePlan.range(documentCounts) == range)
  }
}
