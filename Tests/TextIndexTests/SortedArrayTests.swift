import Testing

@testable import TextIndex

/// Compares sets of rows as sorted arrays with Swift's sets.
@Suite struct SortedArrayTests {
  @Test(arguments: [1, 2] as [UInt64]) func setOperationsAgreeWithSet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let (one, other) = (Self.rows(&random), Self.rows(&random))
      let (first, second) = (one.sorted(), other.sorted())
      #expect(first.merged(with: second) == one.union(other).sorted())
      #expect(first.intersection(second) == one.intersection(other).sorted())
      #expect(first.subtracting(second) == one.subtracting(other).sorted())
      for row in 0...30 as ClosedRange<UInt32> {
        #expect(first.containsSorted(row) == one.contains(row))
        #expect(first[...].partitionPoint { $0 >= row } == one.count { $0 < row })
      }
    }
  }

  @Test func partitionPointOfSliceIsIndexOfSlice() {
    let rows = [9, 1, 3, 5, 7]
    #expect(rows[1...].partitionPoint { $0 >= 4 } == 3)
    #expect(rows[1...].partitionPoint { $0 >= 8 } == rows.endIndex)
  }

  private static func rows(_ random: inout SeededGenerator) -> Set<UInt32> {
    Set((0..<Int.random(in: 0...15, using: &random)).map { _ in .random(in: 0...30, using: &random) })
  }
}
