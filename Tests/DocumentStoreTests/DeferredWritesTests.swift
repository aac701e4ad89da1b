import Testing

@testable import DocumentStore

/// The callbacks for changes that indexes buffer during a transaction.
@Suite struct DeferredWritesTests {
  private let files: TemporaryStore
  private let calls = Calls()

  private final class Calls {
    var names: [String] = []
  }

  init() throws { files = try TemporaryStore() }

  private func callbacks(_ name: String, index: Int64, _ stage: DeferredWrites.Stage) -> DeferredWrites {
    DeferredWrites(
      index: index, stage, write: { [calls] _ in calls.names.append(name) },
      discard: { [calls] in calls.names.append("discard " + name) })
  }

  @Test func analysesAreWrittenBeforeEntries() throws {
    try files.store.write { transaction in
      for index in [1, 2] as [Int64] {
        transaction.add(callbacks("entries \(index)", index: index, .entries))
        transaction.add(callbacks("analysis \(index)", index: index, .analysis))
      }
      try transaction.writeDeferred()
      #expect(calls.names == ["analysis 2", "analysis 1", "entries 1", "entries 2"])
    }
  }

  /// Otherwise, the time of a transaction would grow with the square of the number of inner ones that fail.
  @Test func callbacksOfAnIndexReplaceEarlierOnes() throws {
    try files.store.write { transaction in
      for number in 0..<100 {
        transaction.add(callbacks("entries \(number)", index: 1, .entries))
        transaction.add(callbacks("analysis \(number)", index: 1, .analysis))
      }
      try transaction.writeDeferred()
      #expect(calls.names == ["analysis 99", "entries 99"])
      calls.names = []
    }
    // Written and discarded at the end of the transaction.
    #expect(calls.names == ["analysis 99", "entries 99", "discard analysis 99", "discard entries 99"])
  }
}
