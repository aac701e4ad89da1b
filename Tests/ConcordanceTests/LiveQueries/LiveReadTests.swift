import DocumentStore
import Foundation
import Testing

@testable import Concordance

/// When the runs of a live query begin and end.
@Suite(.timeLimit(.minutes(10))) struct LiveReadTests {
  private let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  private func start(
    minimumInterval: Duration = .zero, onEnd: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (LiveRead.Changes) -> Void
  ) throws -> LiveRead {
    try #require(
      files.database.engine.liveQueries.start(
        reading: [files.collection.record], minimumInterval: minimumInterval, body: body, onEnd: onEnd))
  }

  @Test func deletionOfTheCollectionDuringARunCausesALastRun() throws {
    let (runs, ends) = (Received<Bool>(), Received<Bool>())
    let isDeleted = DispatchSemaphore(value: 0)
    let read = try start(onEnd: { ends.add(true) }) { changes in
      runs.add(changes.isLast)
      if !changes.isLast { isDeleted.wait() }
    }
    runs.wait { $0 == [false] }
    read.collectionWasDeleted()
    isDeleted.signal()
    ends.wait { $0 == [true] }
    #expect(runs.all == [false, true])
  }

  @Test func newParametersDoNotWaitForTheInterval() throws {
    let runs = Received<Bool>()
    let read = try start(minimumInterval: .seconds(3600)) { runs.add($0.isForced) }
    runs.wait { $0 == [false] }
    // The run ends shortly afterwards.
    usleep(100_000)
    read.noteChange()
    read.deliverAgain()
    runs.wait { $0 == [false, true] }
    read.end()
  }
}
