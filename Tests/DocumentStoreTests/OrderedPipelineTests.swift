import Foundation
import Synchronization
import Testing

@testable import DocumentStore

@Suite struct OrderedPipelineTests {
  private let threads = WorkerThreads(maximumCount: 2)

  private struct Failure: Error, Equatable {
    let part: Int
  }

  @Test func resultsAreDeliveredInOrderOnTheThreadThatAdds() throws {
    var delivered: [Int] = []
    let thread = Thread.current
    let pipeline = OrderedPipeline(on: threads) { (part: Int) in
      part * part
    } deliver: { result in
      #expect(Thread.current === thread)
      delivered.append(result)
      return true
    }
    defer { pipeline.cancel() }
    for part in 0..<1_000 { #expect(try pipeline.add(part)) }
    try pipeline.finish()
    #expect(delivered == (0..<1_000).map { $0 * $0 })
  }

  @Test func fewPartsWaitForDelivery() throws {
    let waiting = Mutex((now: 0, most: 0))
    let pipeline = OrderedPipeline(on: threads) { (part: Int) in
      waiting.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    } deliver: {
      waiting.withLock { $0.now -= 1 }
      return true
    }
    defer { pipeline.cancel() }
    for part in 0..<1_000 { _ = try pipeline.add(part) }
    try pipeline.finish()
    #expect(waiting.withLock(\.most) <= ProcessorCount.active + 1)
  }

  @Test func nothingIsAddedAfterDeliveryHasStopped() throws {
    var delivered = 0
    let pipeline = OrderedPipeline(on: threads) { (part: Int) in
      part
    } deliver: { _ in
      delivered += 1
      return delivered < 3
    }
    defer { pipeline.cancel() }
    var added = 0
    while try pipeline.add(added) { added += 1 }
    try pipeline.finish()
    #expect(delivered == 3)
    #expect(added <= 3 + ProcessorCount.active + 1)
  }

  @Test func theFirstErrorEndsTheWorkAfterEarlierResults() throws {
    var delivered: [Int] = []
    let pipeline = OrderedPipeline(on: threads) { (part: Int) in
      if part >= 5 { throw Failure(part: part) }
      return part
    } deliver: {
      delivered.append($0)
      return true
    }
    defer { pipeline.cancel() }
    #expect(throws: Failure(part: 5)) {
      for part in 0..<100 { _ = try pipeline.add(part) }
    }
    #expect(delivered == [0, 1, 2, 3, 4])
  }

  @Test func theOtherThreadsHaveTheDeadline() throws {
    try Deadline.run(.seconds(1_000), of: "test") {
      let deadline = try #require(Deadline.current)
      let pipeline = OrderedPipeline(on: threads) { (_: Int) in
        Deadline.current === deadline
      } deliver: { same in
        #expect(same)
        return true
      }
      defer { pipeline.cancel() }
      for part in 0..<4 { _ = try pipeline.add(part) }
      try pipeline.finish()
    }
  }
}
