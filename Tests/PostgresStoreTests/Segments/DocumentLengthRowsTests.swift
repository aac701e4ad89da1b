import TestSupport
import Testing

@testable import PostgresStore

@Suite struct DocumentLengthRowsTests {
  private static func lengths(_ rows: [UInt32]) -> DocumentLengthRows {
    var lengths = DocumentLengthRows(columnCount: 2)
    for row in rows.sorted() { lengths.append(row, [row % 7, row % 11]) }
    return lengths
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func mergedRowsAreInOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Rows that alternate, or a few long runs.
    let width = [1, 3, 50].randomElement(using: &random) ?? 1
    var parts: [[UInt32]] = [[], []]
    for start in stride(from: UInt32(0), to: UInt32.random(in: 0...400, using: &random), by: width) {
      parts[Int.random(in: 0...1, using: &random)] += start..<start + UInt32(width)
    }
    let merged = DocumentLengthRowsTests.lengths(parts[0]).merged(with: DocumentLengthRowsTests.lengths(parts[1]))
    #expect(merged == DocumentLengthRowsTests.lengths(parts[0] + parts[1]))
  }

  @Test func aRowInBothHasTheLengthsOfTheNewerSegment() {
    var newer = DocumentLengthRows(columnCount: 2)
    newer.append(2, [2, 2])
    newer.append(8, [70, 80])
    newer.append(9, [2, 9])
    let merged = DocumentLengthRowsTests.lengths([1, 5, 8]).merged(with: newer)
    var expected = DocumentLengthRowsTests.lengths([1])
    expected.append(2, [2, 2])
    expected.append(5, [5, 5])
    expected.append(8, [70, 80])
    expected.append(9, [2, 9])
    #expect(merged == expected)
  }
}
