import Testing

@testable import Replication

struct RemoteSequenceTests {
  @Test(
    arguments: [
      ("9223372036854775807", UInt64(Int64.max)), (#""4:9223372036854775807""#, UInt64(Int64.max)), ("0", 0),
      ("9223372036854775808", nil), ("18446744073709551615", nil), (#""1:18446744073709551615""#, nil), ("-1", nil),
    ] as [(String, UInt64?)])
  func numbersAreAtMostTheLargestSequence(text: String, number: UInt64?) throws {
    let sequence = try #require(RemoteSequence(text: text))
    #expect(sequence.number == number)
    #expect(sequence.text == text)
  }

  /// A sequence that a peer reports for a sent revision, and one that it announces.
  @Test(arguments: ["9223372036854775807", "18446744073709551615"]) func theLargestSequencesAreTracked(text: String)
    throws
  {
    var tracker = PullTracker(since: nil)
    tracker.add(try #require(RemoteSequence(text: text)), isDone: true)
    for echo in [UInt64.max, UInt64.max - 1, UInt64(Int64.max), 0] { tracker.addEcho(echo) }
    #expect(tracker.completed?.text == text)
  }

  @Test func aChangeIsPendingUntilItEnds() throws {
    let (first, second) = (try #require(RemoteSequence(text: "1")), try #require(RemoteSequence(text: "2")))
    var tracker = PullTracker(since: nil)
    tracker.add(first, isDone: false)
    tracker.add(second, isDone: false)
    tracker.abandon(first)
    #expect(!tracker.isPending(first) && tracker.isPending(second))
    tracker.finish(second)
    #expect(!tracker.isPending(second) && tracker.isBlocked)
    // The next replication begins before the abandoned change.
    #expect(tracker.completed == nil)
  }
  /// Regression test: the second announcement counted as the end of the first change.
  @Test func aRepeatedSequenceIsPendingUntilAllItsChangesEnd() throws {
    let (first, second) = (try #require(RemoteSequence(text: "1")), try #require(RemoteSequence(text: "2")))
    var tracker = PullTracker(since: nil)
    tracker.add(first, isDone: false)
    tracker.add(second, isDone: true)
    tracker.add(first, isDone: false)
    tracker.add(first, isDone: true)
    #expect(tracker.completed == nil && tracker.pendingCount == 2)
    tracker.finish(first)
    #expect(tracker.completed == nil && tracker.isPending(first))
    tracker.finish(first)
    #expect(tracker.completed == second && tracker.pendingCount == 0)
    let wasPending = tracker.finish(first)
    #expect(!wasPending)
  }

  @Test func aRepeatedSequenceOfWhichOneChangeIsAbandonedBlocks() throws {
    let (first, second) = (try #require(RemoteSequence(text: "1")), try #require(RemoteSequence(text: "2")))
    var tracker = PullTracker(since: nil)
    tracker.add(first, isDone: true)
    for _ in 0..<2 { tracker.add(second, isDone: false) }
    tracker.abandon(second)
    #expect(tracker.isPending(second) && tracker.isBlocked)
    tracker.finish(second)
    #expect(tracker.completed == first && tracker.pendingCount == 0)
  }
}
