import Foundation
import Synchronization
import Testing

@testable import DocumentStore

@Suite struct OrderedHandoffTests {
  private let threads = WorkerThreads(maximumCount: 2)

  private struct Failure: Error, Equatable {
    let piece: Int
  }

  @Test func resultsAreDeliveredInOrderOnTheThreadThatAdds() throws {
    var delivered: [Int] = []
    let thread = Thread.current
    let handoff = OrderedHandoff(on: threads) { (piece: Int) in
      piece * piece
    } deliver: { result in
      #expect(Thread.current === thread)
      delivered.append(result)
      return true
    }
    defer { handoff.cancel() }
    for piece in 0..<1_000 { #expect(try handoff.add(piece)) }
    try handoff.finish()
    #expect(delivered == (0..<1_000).map { $0 * $0 })
  }

  @Test func fewPiecesWaitForDelivery() throws {
    let waiting = Mutex((now: 0, most: 0))
    let handoff = OrderedHandoff(on: threads) { (piece: Int) in
      waiting.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    } deliver: {
      waiting.withLock { $0.now -= 1 }
      return true
    }
    defer { handoff.cancel() }
    for piece in 0..<1_000 { _ = try handoff.add(piece) }
    try handoff.finish()
    #expect(waiting.withLock(\.most) <= ProcessorCount.active + 1)
  }

  @Test func nothingIsAddedAfterDeliveryHasStopped() throws {
    var delivered = 0
    let handoff = OrderedHandoff(on: threads) { (piece: Int) in
      piece
    } deliver: { _ in
      delivered += 1
      return delivered < 3
    }
    defer { handoff.cancel() }
    var added = 0
    while try handoff.add(added) { added += 1 }
    try handoff.finish()
    #expect(delivered == 3)
    #expect(added <= 3 + ProcessorCount.active + 1)
  }

  @Test func theFirstErrorEndsTheWorkAfterEarlierResults() throws {
    var delivered: [Int] = []
    let handoff = OrderedHandoff(on: threads) { (piece: Int) in
      if piece >= 5 { throw Failure(piece: piece) }
      return piece
    } deliver: {
      delivered.append($0)
      return true
    }
    defer { handoff.cancel() }
    #expect(throws: Failure(piece: 5)) {
      for piece in 0..<100 { _ = try handoff.add(piece) }
    }
    #expect(delivered == [0, 1, 2, 3, 4])
  }

  @Test func theOtherThreadsHaveTheDeadline() throws {
    try Deadline.run(.seconds(1_000), of: "test") {
      let deadline = try #require(Deadline.current)
      let handoff = OrderedHandoff(on: threads) { (_: Int) in
        Deadline.current === deadline
      } deliver: { same in
        #expect(same)
        return true
      }
      defer { handoff.cancel() }
      for piece in 0..<4 { _ = try handoff.add(piece) }
      try handoff.finish()
    }
  }
}
