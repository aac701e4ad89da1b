import Replication
import TestSupport
import Testing

@Suite struct SequenceSetTests {
  @Test(arguments: 0..<20) func rangesAreThoseOfASet(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (ranges, plain) = (SequenceSet(), Set<UInt64>())
    for _ in 0..<60 {
      let start = UInt64.random(in: 0...100, using: &generator)
      let range = start..<(start + UInt64.random(in: 0...8, using: &generator))
      ranges.insert(range)
      plain.formUnion(range)
      #expect((0..<120).allSatisfy { ranges.contains($0) == plain.contains($0) })
      for (one, other) in zip(ranges.ranges, ranges.ranges.dropFirst()) { #expect(one.upperBound < other.lowerBound) }
    }
  }

  @Test(arguments: 0..<20) func intersectionsAreThoseOfSets(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var sets = (SequenceSet(), SequenceSet())
    for _ in 0..<10 {
      sets.0.insert(UInt64.random(in: 0...30, using: &generator))
      sets.1.insert(UInt64.random(in: 0...30, using: &generator))
    }
    let common = sets.0.intersection(sets.1)
    #expect((0...40).allSatisfy { common.contains($0) == (sets.0.contains($0) && sets.1.contains($0)) })
  }

  @Test func theFirstGapEndsTheCompletedPart() {
    var set = SequenceSet(through: 4)
    set.insert(6)
    #expect(set.completedThrough == 4)
    set.insert(5)
    #expect(set.completedThrough == 6)
    #expect(set.ranges == [0..<7])
  }
}

@Suite struct CheckpointTests {
  private func text(_ checkpoint: Checkpoint) -> String { String(decoding: checkpoint.json(time: 5), as: UTF8.self) }

  @Test func aCheckpointWithoutGapsIsShort() {
    let checkpoint = Checkpoint(completed: SequenceSet(through: 100), remote: RemoteSequence(text: "98"))
    #expect(text(checkpoint) == #"{"time":5,"local":100,"remote":98}"#)
  }

  @Test func gapsAreRanges() {
    var completed = SequenceSet(through: 100)
    completed.insert(103..<105)
    #expect(text(Checkpoint(completed: completed)) == #"{"time":5,"local":100,"localCompleted":[0,101,103,2]}"#)
  }

  @Test func textsAreReadBack() {
    var completed = SequenceSet(through: 7)
    completed.insert(20..<30)
    let checkpoint = Checkpoint(completed: completed, remote: RemoteSequence(text: #""3:8:12""#))
    #expect(Checkpoint(json: checkpoint.json(time: 1)) == checkpoint)
  }

  /// The checkpoint of a file that Couchbase Lite 3.1 has written.
  @Test func aCheckpointOfAnotherProgramIsRead() {
    let checkpoint = Checkpoint(json: Array(#"{"remote":100}"#.utf8))
    #expect(checkpoint?.remote == RemoteSequence(text: "100"))
    #expect(checkpoint?.completed.completedThrough == 0)
  }

  @Test(arguments: ["", "[]", "1", #"{"localCompleted":1}"#, #"{"localCompleted":[1]}"#, #"{"localCompleted":[-1,2]}"#])
  func malformedTextsAreNoCheckpoints(text: String) {
    #expect(Checkpoint(json: Array(text.utf8)) == nil)
  }

  /// The peer was restored from an older copy.
  @Test func whatBothPeersHaveStoredIsAgreed() {
    let mine = Checkpoint(completed: SequenceSet(through: 10), remote: RemoteSequence(text: "20"))
    let theirs = Checkpoint(completed: SequenceSet(through: 6), remote: RemoteSequence(text: #""2:25""#))
    let common = mine.intersection(with: theirs)
    #expect(common.completed == SequenceSet(through: 6))
    #expect(common.remote == RemoteSequence(text: "20"))
    #expect(mine.intersection(with: Checkpoint()).remote == nil)
  }

  @Test func sequencesThatCannotBeComparedAreNotUsed() {
    let mine = Checkpoint(remote: RemoteSequence(text: #""abc""#))
    #expect(mine.intersection(with: Checkpoint(remote: RemoteSequence(text: "5"))).remote == nil)
    #expect(mine.intersection(with: mine).remote == mine.remote)
  }

  /// A checkpoint that the peer does not store in time is not an error that the peer has reported.
  @Test func aMissingResponseIsDescribed() {
    #expect(ReplicationError.noResponse.description == "the peer did not respond in time")
  }
}
