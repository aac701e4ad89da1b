import JSONText
import Testing

@testable import MapReduce

/// Partial results that no reduce has written, as in a damaged file.
struct DamagedPartialTests {
  @Test(arguments: [[], [7], [0, 1], [255, 255, 255], [UInt8](repeating: 255, count: 2048)])
  func distinctCountsOfDamagedBytesAreIntegers(_ partial: [UInt8]) {
    guard case .int64(let count) = DistinctReducer().value(of: DistinctReducer().rereduce([partial])) else {
      Issue.record("not an integer")
      return
    }
    #expect(count >= 0)
  }
}
