import Testing

@testable import TextIndex

/// The choice of segments to merge after many changes, and their place in the structure record.
@Suite struct SegmentLevelsTests {
  /// Returns levels from the numbers of leaves of their segments, oldest first within a level.
  private func levels(_ leaves: [[UInt64]], merging: [UInt64] = []) throws -> SegmentLevels {
    var record: [UInt8] = [0, 0, 0, 0]
    var id: UInt64 = 0
    for value in [UInt64(leaves.count), UInt64(leaves.joined().count), 0] { record.appendVarint(value) }
    for (number, level) in leaves.enumerated() {
      record.appendVarint(number < merging.count ? merging[number] : 0)
      record.appendVarint(UInt64(level.count))
      for count in level {
        id += 1
        for value in [id, 1, count] { record.appendVarint(value) }
      }
    }
    return try SegmentLevels(record)
  }

  @Test(
    arguments: [
      ([[100, 100]], 0..<1), ([[100], [100]], 0..<2), ([[100, 100], [], [500]], 0..<3),
      ([[100, 100], [], [700]], 0..<2),
      ([[10], [100], [100]], 0..<3), ([[20_000, 10_000]], 0..<1), ([[20_000], [10_000, 10_000]], nil),
      ([[100, 100], [32_700]], 0..<1), ([[100]], nil), ([[100], [32_700]], nil), ([], nil), ([[], []], nil),
    ] as [([[UInt64]], Range<Int>?)])
  func youngestLevelsAreMerged(leaves: [[UInt64]], expected: Range<Int>?) throws {
    #expect(try levels(leaves).youngestLevelsToMerge() == expected)
  }

  @Test func levelsThatFTS5IsMergingAreNotMerged() throws {
    #expect(try levels([[10, 10], [100, 100], [50]], merging: [0, 1]).youngestLevelsToMerge() == 0..<1)
    #expect(try levels([[10, 10]], merging: [1]).youngestLevelsToMerge() == nil)
    #expect(try levels([[10, 10], [100]], merging: [0, 1]).allLevelsToMerge == nil)
  }

  @Test func largeIndexesAreMergedByFTS5() throws {
    #expect(try levels([[100_000], [31_072]]).allLevelsToMerge == 0..<2)
    #expect(try levels([[100_000], [31_073]]).allLevelsToMerge == nil)
    #expect(try levels([Array(repeating: 1, count: 128)]).allLevelsToMerge == 0..<1)
    #expect(try levels([Array(repeating: 1, count: 129)]).allLevelsToMerge == nil)
    #expect(try levels([[1]]).allLevelsToMerge == nil)
  }

  /// The level depends on the size, and contains or precedes those of older segments.
  @Test(
    arguments: [
      ([[10, 10]], 0..<1, 20, 0), ([[10, 10], [], [], [9]], 0..<1, 20_000, 2), ([[10, 10], [9]], 0..<1, 20_000, 1),
      ([[9000], [9000, 9000]], 0..<2, 27_000, 2), ([[10, 10], [], [9]], 0..<1, 5000, 1),
    ] as [([[UInt64]], Range<Int>, Int64, Int)])
  func mergedSegmentIsYounger(leaves: [[UInt64]], range: Range<Int>, leafCount: Int64, expected: Int) throws {
    var levels = try levels(leaves)
    let older = levels.levels[range.upperBound...].flatMap(\.segments)
    levels.mergeYoungest(range, into: 100, leafCount: leafCount)
    let level = try #require(levels.levels.firstIndex { $0.segments.contains { $0.id == 100 } })
    #expect(level == expected)
    let isFirst = levels.levels[..<level].allSatisfy(\.segments.isEmpty)
    #expect(isFirst)
    #expect(levels.levels[level].segments.last?.id == 100)
    let others = levels.levels[level...].flatMap(\.segments).filter { $0.id != 100 }
    #expect(others == older)
  }

  @Test func nothingIsAddedForMergedRemovals() throws {
    var levels = try levels([[10, 10], [9]])
    levels.mergeYoungest(0..<1, into: 100, leafCount: 0)
    #expect(levels.levels.map(\.segments.count) == [0, 1])
  }
}
