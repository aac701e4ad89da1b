import TestSupport
import Testing

@testable import PostgresStore
@testable import TextIndex

@Suite struct LengthRunsTests {
  /// A run has the width of its largest length, which later documents may increase.
  @Test(arguments: [1, 2, 3] as [UInt64]) func lengthsOfAllWidthsAreKept(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let limits: [UInt32] = [0, 255, 256, 65_535, 65_536, .max]
    var stored = DocumentLengthRows(columnCount: 2)
    var expected: [UInt32: [UInt32]] = [:]
    var row: UInt32 = 1
    while row < 9_000 {
      // The lengths of each run have a limit of their own.
      let limit = limits[Int(row / 512) % limits.count]
      expected[row] = (0..<2).map { _ in
        Bool.random(using: &random) ? limit : UInt32.random(in: 0...limit, using: &random)
      }
      stored.append(row, expected[row] ?? [])
      row += UInt32.random(in: 1...9, using: &random)
    }
    let base = LengthRuns(columnCount: 2, rowLimit: 9_000)
    try base.fill { filler in
      var decoder = LengthBlockDecoder(columnCount: 2)
      for number in 0..<stored.blockCount {
        try stored.block(number).withUnsafeBufferPointer { try decoder.decode($0, base: 0) }
        filler.set(decoder)
      }
    }
    LengthRunsTests.check(base, expected)

    let changed = LengthRuns(columnCount: 2, rowLimit: 10_000)
    var expectedAfterChanges = expected
    changed.fill { filler in
      filler.share(base)
      for _ in 0..<200 {
        let row = UInt32.random(in: 1..<10_000, using: &random)
        let lengths = (0..<2).map { _ in limits.randomElement(using: &random) ?? 0 }
        filler.set(row, lengths)
        expectedAfterChanges[row] = lengths
      }
    }
    LengthRunsTests.check(changed, expectedAfterChanges)
    LengthRunsTests.check(base, expected)
  }

  private static func check(_ lengths: LengthRuns, _ expected: [UInt32: [UInt32]]) {
    let wrong = (0..<UInt32(lengths.rowLimit)).filter { row in
      (0..<2).map { lengths.column($0)(row) } != expected[row] ?? [0, 0]
    }
    #expect(wrong.isEmpty)
  }
}
