import DocumentStore
import Foundation
import JSONText
import Testing

@testable import Concordance

/// The change feeds of live queries.
@Suite(.timeLimit(.minutes(10))) struct LiveFeedTests {
  private struct Refusal: Error {}

  private let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  private func listen(to query: Query) -> (results: Received<[Int]>, token: ListenerToken) {
    let results = Received<[Int]>()
    let token = query.addChangeListener(withQueue: nil, minimumInterval: .zero) { change in
      results.add(change.results?.allResults().map { $0.int(at: 0) } ?? [-1])
    }
    return (results, token)
  }

  /// The change feed cannot be opened while the file has another name.
  @Test(.filesOnly("the file is renamed")) func feedIsOpenedLaterIfItCannotBeOpened() throws {
    try files.save("a", #"{"n":1}"#)
    let query = try files.database.createQuery("SELECT n FROM _ ORDER BY n")
    // Opens a connection that the live query uses.
    _ = try query.execute().allResults()
    let path = files.database.engine.store.path
    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    let (results, token) = listen(to: query)
    results.wait { !$0.isEmpty }
    try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
    try files.save("b", #"{"n":2}"#)
    results.wait { $0.last == [1, 2] }
    try files.save("c", #"{"n":3}"#)
    results.wait { $0.last == [1, 2, 3] }
    token.remove()
  }

  @Test func readThatBeganBeforeTheListenerWasAddedRunsAgain() throws {
    let feed = CollectionFeed(files.collection.record)
    let runs = Received<Bool>()
    let read = LiveRead(
      [feed], minimumInterval: .zero, on: WorkerThreads(maximumCount: 1), timerQueue: DispatchQueue(label: "timer"),
      body: { runs.add($0.ids == nil) }, onEnd: {})
    feed.add(read)
    read.start()
    runs.wait { $0 == [true] }
    feed.didChange(["a"])
    runs.wait { $0 == [true, false] }
    feed.mayHaveMissedChanges()
    // It does not know which documents have changed.
    runs.wait { $0 == [true, false, true] }
    read.end()
  }

  @Test func liveQueryOfACollectionThatItsBatchCreatesIsDelivered() throws {
    let database = files.database
    let (results, token) = try database.inBatch {
      _ = try database.createCollection(name: "fresh")
      let listening = listen(to: try database.createQuery("SELECT COUNT(*) FROM fresh"))
      // The run on another thread does not find the collection.
      listening.results.wait { !$0.isEmpty }
      return listening
    }
    results.wait { $0.last == [0] }
    token.remove()
  }

  @Test func streamEndsIfTheCreationOfItsCollectionIsRolledBack() async throws {
    let database = files.database
    let streams = Received<AsyncStream<CollectionChange>>()
    expectRollback(by: Refusal.self) {
      try database.inBatch {
        let collection = try database.createCollection(name: "fresh")
        streams.add(collection.changes())
        throw Refusal()
      }
    }
    let stream = try #require(streams.all.first)
    for await _ in stream { Issue.record("a collection that was never created has changed") }
  }

  @Test func streamEndsIfANestedBatchThatCreatesItsCollectionIsRolledBack() async throws {
    let database = files.database
    let streams = Received<AsyncStream<CollectionChange>>()
    try database.inBatch {
      expectRollback(by: Refusal.self) {
        try database.inBatch {
          let collection = try database.createCollection(name: "fresh")
          streams.add(collection.changes())
          throw Refusal()
        }
      }
    }
    let stream = try #require(streams.all.first)
    for await _ in stream { Issue.record("a collection that was never created has changed") }
  }

  @Test func streamContinuesIfOnlyANestedBatchIsRolledBack() async throws {
    let database = files.database
    let streams = Received<AsyncStream<CollectionChange>>()
    try database.inBatch {
      let collection = try database.createCollection(name: "fresh")
      expectRollback(by: Refusal.self) {
        try database.inBatch {
          streams.add(collection.changes())
          throw Refusal()
        }
      }
      try collection.save(document: MutableDocument(id: "a"))
    }
    var changes = try #require(streams.all.first).makeAsyncIterator()
    #expect(await changes.next()?.documentIDs == ["a"])
  }

  @Test func parametersThatAreSetWhileTheReadStartsAreUsed() throws {
    let query = try files.database.createQuery("SELECT COUNT(*) FROM _")
    let runs = Received<Bool>()
    let (number, version) = query.nextLiveReadNumber()
    let started = files.database.engine.liveQueries.start(
      reading: [files.collection.record], minimumInterval: .zero, body: { runs.add($0.isForced) }, onEnd: {})
    let read = try #require(started)
    runs.wait { $0 == [false] }
    query.parameters = Parameters()
    query.keepLiveRead(read, number, startedWith: version)
    runs.wait { $0 == [false, true] }
    read.end()
  }

  @Test func changeOfAViewRunsOnlyItsReads() throws {
    let scheduler = files.database.engine.liveQueries
    let (runs, others) = (Received<Bool>(), Received<Bool>())
    let record = files.collection.record
    let read = scheduler.start(
      reading: [record], view: "view", minimumInterval: .zero, body: { runs.add($0.isForced) }, onEnd: {})
    let other = scheduler.start(
      reading: [record], minimumInterval: .zero, body: { others.add($0.isForced) }, onEnd: {})
    runs.wait { $0 == [false] }
    others.wait { $0 == [false] }
    scheduler.runAgain("view", of: record)
    runs.wait { $0 == [false, false] }
    other?.deliverAgain()
    // The forced run is the second one.
    others.wait { $0 == [false, true] }
    read?.end()
    other?.end()
  }

  @Test func readThatMayWriteDoesNotDelayOthers() throws {
    let scheduler = files.database.engine.liveQueries
    let isDone = DispatchSemaphore(value: 0)
    let others = Received<Bool>()
    // More reads than threads.
    let reads = (0..<ProcessorCount.active + 2).compactMap { _ in
      scheduler.start(
        reading: [files.collection.record], mayWrite: true, minimumInterval: .zero, body: { _ in isDone.wait() },
        onEnd: {})
    }
    let other = scheduler.start(
      reading: [files.collection.record], minimumInterval: .zero, body: { _ in others.add(true) }, onEnd: {})
    others.wait { $0 == [true] }
    for read in reads { read.end() }
    for _ in reads { isDone.signal() }
    other?.end()
  }
}
