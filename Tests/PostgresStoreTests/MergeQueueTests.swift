import Testing

@testable import PostgresStore

@Suite struct MergeQueueTests {
  /// An import adds segments to all indexes while one of them is merged.
  @Test func indexesAreMergedInTurns() {
    var waiting = MergeQueue()
    for id in [3, 1, 2] as [Int64] { waiting.add(.patterns(id)) }
    var merged: [Int64] = []
    for _ in 0..<5 {
      guard let next = waiting.takeNext() else { break }
      merged.append(next.id)
      waiting.add(next)
    }
    #expect(merged == [1, 2, 3, 1, 2])
  }

  @Test func anIndexIsMergedOnceForSeveralCommits() {
    var waiting = MergeQueue()
    for _ in 0..<2 { waiting.add(.patterns(1)) }
    #expect(waiting.takeNext()?.id == 1)
    #expect(waiting.takeNext() == nil)
  }
}
