import Concordance
import Testing

@Suite(.timeLimit(.minutes(10))) struct LiveListTests {
  private let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.save("a", #"{"name":"a"}"#)
  }

  @Test func rowsAndTheDifferenceFollowTheChanges() async throws {
    let list = try files.database.createQuery("SELECT name FROM _ ORDER BY name").liveList()
    let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
    list.onChange = { [weak list] in continuation.yield(list?.rows.count ?? -1) }
    for await rows in list.snapshots() {
      if rows.count == 2 { break }
      if rows.count == 1 { try files.save("b", #"{"name":"b"}"#) }
    }
    #expect(list.rows.map { $0.toJSON() } == [#"{"name":"a"}"#, #"{"name":"b"}"#])
    #expect(list.lastDifference?.insertions == [1])
    for await count in calls where count == 2 { break }
  }

  @Test func snapshotsEndWithTheDatabase() async throws {
    let list = try files.database.createQuery("SELECT name FROM _").liveList()
    for await rows in list.snapshots() {
      #expect(rows.count == 1)
      try files.database.close()
    }
    #expect(list.rows.count == 1 && list.error == nil)
  }

  /// Regression test: a handler that was set after the first run was not called until the next change, and not at all
  /// when the database was closed.
  @Test func aLateHandlerIsCalledForTheFirstRowsAndTheEnd() async throws {
    let list = try files.database.createQuery("SELECT name FROM _").liveList()
    for await _ in list.snapshots() { break }
    #expect(!list.hasEnded)
    let (states, continuation) = AsyncStream.makeStream(of: Bool.self)
    list.onChange = { [weak list] in
      guard let list, list.rows.count == 1 else { return }
      continuation.yield(list.hasEnded)
    }
    for await hasEnded in states {
      if hasEnded { break }
      try await files.database.async.close()
    }
    #expect(list.hasEnded && list.error == nil)
  }

  @Test func anErrorEndsTheList() async throws {
    let list = try files.database.createQuery("SELECT name FROM _ WHERE n > $least").liveList()
    for await _ in list.snapshots() { Issue.record("there are no rows") }
    #expect(list.error is CBLError && list.rows.isEmpty)
  }
}
