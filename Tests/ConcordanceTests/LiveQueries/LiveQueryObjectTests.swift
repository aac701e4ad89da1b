import Foundation
import Testing

@testable import Concordance

/// The names of Couchbase Lite 1.
@Suite(.timeLimit(.minutes(10))) struct LiveQueryObjectTests {
  private let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.save("a", #"{"n":1}"#)
  }

  @Test func rowsFollowTheChanges() throws {
    let live = try files.database.createQuery("SELECT n FROM _").asLiveQuery()
    let counts = Received<Int>()
    live.onChange = { [weak live] in counts.add(live?.rows?.count ?? -1) }
    try live.waitForRows()
    #expect(live.rows?.count == 1 && live.lastError == nil)
    try files.save("b", #"{"n":2}"#)
    counts.wait { $0.last == 2 }
    live.stop()
    #expect(live.rows?.count == 2)
  }

  @Test func waitingForAClosedDatabaseIsAnError() throws {
    let live = try files.database.createQuery("SELECT n FROM _").asLiveQuery()
    try files.database.close()
    #expect(throws: CBLError.self) { try live.waitForRows() }
  }

  @Test func waitingEndsWhenTheQueryEndsWithoutRows() throws {
    let query = LiveQuery<Int> { _, onEnd in
      Thread { onEnd() }.start()
      return ListenerToken {}
    }
    #expect(throws: CBLError.self) { try query.waitForRows() }
  }

  @Test func errorOfTheFirstRunIsThrown() throws {
    let live = try files.database.createQuery("SELECT n FROM _ WHERE n > $least").asLiveQuery()
    #expect(throws: CBLError.self) { try live.waitForRows() }
    #expect(live.rows == nil && live.lastError != nil)
  }

  /// `LiveQuery.stop()` ends a wait for the first result in this way.
  @Test func removingAListenerBeforeItsErrorIsDeliveredEndsIt() throws {
    let (calls, ends) = (Received<Bool>(), Received<Bool>())
    _ = try files.database.createCollection(name: "gone")
    let query = try files.database.createQuery("SELECT n FROM gone")
    try files.database.deleteCollection(name: "gone")
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let token = query.addListener(queue: queue, .zero, onEnd: { ends.add(true) }) { _ in calls.add(true) }
    #expect(ends.all.isEmpty)
    token.remove()
    token.remove()
    #expect(ends.all == [true])
    queue.resume()
    queue.sync {}
    #expect(calls.all.isEmpty)
  }

  @Test func rowsAreReturnedOnlyIfTheyHaveChanged() throws {
    let query = try files.database.createQuery("SELECT n FROM _")
    let rows = try query.rowsIfChanged(since: nil)
    #expect(rows?.count == 1)
    #expect(try query.rowsIfChanged(since: rows) == nil)
    try files.save("b", #"{"n":2}"#)
    #expect(try query.rowsIfChanged(since: rows)?.count == 2)
  }
}
