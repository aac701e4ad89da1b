import TestSupport
import Testing

@testable import Replication

@Suite struct FIFOTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func elementsKeepTheirOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = FIFO<Int>()
    var (added, removed) = (0, 0)
    for _ in 0..<20_000 {
      if Int.random(in: 0..<100, using: &generator) < 55 {
        queue.append(added)
        added += 1
      } else if let element = queue.popFirst() {
        #expect(element == removed)
        removed += 1
      }
      #expect(queue.count == added - removed && queue.isEmpty == (added == removed))
    }
    while let element = queue.popFirst() {
      #expect(element == removed)
      removed += 1
    }
    #expect(removed == added && queue.isEmpty)
  }
}
