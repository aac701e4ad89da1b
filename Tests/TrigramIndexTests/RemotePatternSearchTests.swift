import PatternMatching
import TestSupport
import Testing

@testable import TrigramIndex

/// Searches of pattern indexes in another database.
@Suite struct RemotePatternSearchTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func noDocumentThatMatchesIsMissing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let indexes = TestPatternIndexes()
    for row in 1...400 as ClosedRange<UInt32> { indexes.add(row, RemotePatternSearchTests.text(&random)) }
    for row in 401...420 as ClosedRange<UInt32> { indexes.addRecent(row, RemotePatternSearchTests.text(&random)) }
    for _ in 0..<60 {
      let text = RemotePatternSearchTests.text(&random)
      let words = (0..<Int.random(in: 1...3, using: &random)).map { _ in String(text.shuffled(using: &random).prefix(5))
      }
      let query = TrigramQuery.any(of: words.map { TrigramQuery(pattern: $0, options: PatternOptions()) })
      let expected = indexes.texts.filter { row in words.contains { row.value.contains($0) } }.map { Int64($0.key) }
      let found = try RemotePatternSearch(indexes: indexes, id: 1).rows(for: query, isWithinLines: true, limit: .max)
      #expect(Set(expected).isSubset(of: Set(found ?? expected)), "\(words)")
      #expect(found == nil || found == found?.sorted())
    }
  }

  @Test func aRareTrigramSavesReadingLongLists() throws {
    let indexes = TestPatternIndexes()
    for row in 1...2_000 as ClosedRange<UInt32> {
      indexes.add(row, row % 400 == 0 ? "common words xyz" : "common words")
    }
    indexes.sizeFactor = 1_000
    let query = TrigramQuery(pattern: "common words xyz", options: PatternOptions())
    let rows = try RemotePatternSearch(indexes: indexes, id: 1).rows(for: query, isWithinLines: true, limit: .max)
    #expect(rows == [400, 800, 1200, 1600, 2000])
    #expect(indexes.readCounts.count == 1 && indexes.readRowCount < 2_000, "\(indexes.readCounts)")
  }

  @Test func recentDocumentsWithoutTheTrigramsAreNotCandidates() throws {
    let indexes = TestPatternIndexes()
    indexes.addRecent(7, "spinlock")
    indexes.addRecent(8, "mutex")
    let query = TrigramQuery(pattern: "spin_?lock", options: PatternOptions())
    let rows = try RemotePatternSearch(indexes: indexes, id: 1).rows(for: query, isWithinLines: true, limit: .max)
    #expect(rows == [7])
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    String((0..<40).map { _ in "abcde".randomElement(using: &random) ?? "a" })
  }
}

/// A pattern index in memory that counts what is read.
private final class TestPatternIndexes: RemotePatternIndexes {
  private(set) var texts: [UInt32: String] = [:]
  private var lists: [UInt32: [UInt32]] = [:]
  private var recent: [(row: UInt32, trigrams: [UInt32])] = []
  /// The size in bytes of a row of a list.
  var sizeFactor = 1
  /// The numbers of lists that each call has read.
  private(set) var readCounts: [Int] = []
  private(set) var readRowCount = 0

  func add(_ row: UInt32, _ text: String) {
    texts[row] = text
    for trigram in TestPatternIndexes.trigrams(text) { lists[trigram, default: []].append(row) }
  }

  func addRecent(_ row: UInt32, _ text: String) {
    texts[row] = text
    recent.append((row, Array(TestPatternIndexes.trigrams(text))))
  }

  private static func trigrams(_ text: String) -> Set<UInt32> {
    let bytes = text.utf8.map { UInt32($0) }
    return Set(bytes.indices.dropLast(2).map { bytes[$0] << 16 | bytes[$0 + 1] << 8 | bytes[$0 + 2] })
  }

  func patternSummary(
    _ id: Int64, of trigrams: Set<UInt32>, withLongDocuments: Bool
  ) throws -> RemotePatternSummary {
    var summary = RemotePatternSummary()
    summary.sizes = lists.filter { trigrams.contains($0.key) }.mapValues { $0.count * sizeFactor }
    summary.recent = recent
    return summary
  }

  func patternLists(_ id: Int64, of trigrams: Set<UInt32>) throws -> [UInt32: [UInt32]] {
    let found = lists.filter { trigrams.contains($0.key) }
    readCounts.append(found.count)
    readRowCount += found.values.reduce(0) { $0 + $1.count }
    return found
  }

  func createPatternIndex(_ id: Int64) throws {}
  func dropPatternIndex(_ id: Int64) throws {}
  func patternWriter(_ id: Int64) throws -> any RemotePatternWriter { throw CancellationError() }
  func patternIndexSize(_ id: Int64) throws -> Int { 0 }
}
