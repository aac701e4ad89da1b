import TestSupport
import Testing

@testable import PostgresStore
@testable import TrigramIndex

@Suite struct PatternSegmentBuilderTests {
  /// Small portions make several runs; rows with large gaps need several bytes.
  @Test(arguments: [(1, 1 << 20), (2, 300), (3, 1)] as [(UInt64, Int)])
  func listsAreThoseOfAReference(seed: UInt64, portionSize: Int) throws {
    var random = SeededGenerator(seed: seed)
    let builder = PatternSegmentBuilder(portionSize: portionSize)
    var expected: [UInt32: Set<UInt32>] = [:]
    var rows: Set<UInt32> = []
    for _ in 0..<300 {
      let row = UInt32.random(in: 1..<(1 << [4, 9, 20, 31][Int.random(in: 0..<4, using: &random)]), using: &random)
      guard rows.insert(row).inserted else { continue }
      let trigrams = Set((0..<20).map { _ in UInt32.random(in: 0..<60, using: &random) * 7919 })
      for trigram in trigrams { expected[trigram, default: []].insert(row) }
      builder.add(DocumentTrigrams(Array(trigrams)), row: row)
    }
    #expect(builder.rows() == rows.sorted())
    var found: [(trigram: UInt32, rows: [UInt32])] = []
    try builder.forEachList { trigram, list in
      found.append((trigram, try list.withUnsafeBytes { try TrigramList.decode($0) }))
    }
    #expect(found.map(\.trigram) == expected.keys.sorted())
    for (trigram, rows) in found { #expect(rows == expected[trigram]?.sorted(), "trigram \(trigram)") }
  }

  @Test func aRowThatIsAddedAgainInAnotherRunIsListedOnce() throws {
    let builder = PatternSegmentBuilder(portionSize: 1)
    builder.add(DocumentTrigrams([1, 2]), row: 7)
    builder.add(DocumentTrigrams([2, 3]), row: 7)
    var lists: [UInt32: [UInt32]] = [:]
    try builder.forEachList { trigram, list in
      lists[trigram] = try list.withUnsafeBytes { try TrigramList.decode($0) }
    }
    #expect(builder.rows() == [7])
    #expect(lists[2] == [7] && lists[3] == [7])
  }

  @Test func fewDocumentsNeedNoSegmentUnlessTheyAreLarge() {
    let (small, large) = (PatternSegmentBuilder(), PatternSegmentBuilder(portionSize: 9))
    for builder in [small, large] { builder.add(DocumentTrigrams([1, 2, 3]), row: 1) }
    #expect(small.few?.count == 1)
    #expect(large.few == nil)
  }
}
