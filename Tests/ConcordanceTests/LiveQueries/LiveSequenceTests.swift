@_spi(Command) import Concordance
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LiveSequenceTests {
  private let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    for (id, price) in [("a", 3), ("b", 1), ("c", 2)] { try files.save(id, #"{"name":"\#(id)","price":\#(price)}"#) }
  }

  private func query() throws -> Query { try files.database.createQuery("SELECT name, price FROM _ ORDER BY price") }

  private func names(_ rows: QueryResults) -> String { rows.map { $0["name"]?.string ?? "" }.joined() }

  @Test func resultsFollowTheChanges() async throws {
    var steps = ["bca", "bcad", "cad"]
    for try await rows in try query().changes(minimumInterval: .zero) {
      #expect(names(rows) == steps.removeFirst())
      switch steps.count {
      case 2: try files.save("d", #"{"name":"d","price":4}"#)
      case 1: try files.collection.purge(id: "b")
      default: break
      }
      if steps.isEmpty { break }
    }
  }

  @Test func differencesAreRelativeToThePreviousElement() async throws {
    var iterator = try query().differences(minimumInterval: .zero).makeAsyncIterator()
    let first = try #require(try await iterator.next())
    #expect(first.difference.insertions == [0, 1, 2] && first.difference.deletions.isEmpty)
    var lines = first.results.map { $0.toJSON() }
    try files.database.inBatch {
      try files.save("a", #"{"name":"a","price":0}"#)
      try files.save("d", #"{"name":"d","price":9}"#)
      try files.collection.purge(id: "c")
    }
    let second = try #require(try await iterator.next())
    #expect(names(second.results) == "abd")
    #expect(second.difference.deletions == [1] && second.difference.insertions == [2])
    #expect(second.difference.updates.map(\.description) == ["2 → 0"])
    #expect(second.difference.moves.count == 1)
    second.difference.apply(to: &lines) { second.results[$0].toJSON() }
    #expect(lines == second.results.map { $0.toJSON() })
  }

  @Test func rowsAreIdentifiedByAColumn() async throws {
    let totals = try files.database.createQuery("SELECT name, SUM(price) AS total FROM _ GROUP BY name ORDER BY name")
    var iterator = totals.differences(identifiedBy: "name", minimumInterval: .zero).makeAsyncIterator()
    _ = try await iterator.next()
    try files.save("b", #"{"name":"b","price":5}"#)
    let change = try #require(try await iterator.next())
    #expect(change.difference.updates.map(\.description) == ["1 → 1"] && change.difference.insertions.isEmpty)
  }

  @Test func unknownColumnIsAnError() async throws {
    let error = await #expect(throws: CBLError.self) {
      for try await _ in try query().differences(identifiedBy: "nmae") {}
    }
    #expect(error?.code == CBLError.invalidParameter && error?.message.contains("nmae") == true)
  }

  @Test func moreRowsThanTheMaximumAreAnError() async throws {
    let counts = Received<Int>()
    let differences = try query().differences(minimumInterval: .zero, maximumRowCount: 3)
    let error = await #expect(throws: CBLError.self) {
      for try await change in differences {
        counts.add(change.results.count)
        try files.save("d", #"{"name":"d","price":4}"#)
      }
    }
    #expect(counts.all == [3])
    #expect(error?.code == CBLError.invalidQuery && error?.isRowLimitExceeded == true)
  }

  @Test func largerRowsThanTheMaximumAreAnError() async throws {
    let differences = try query().differences(identifiedBy: nil, maximumRowCount: 10, maximumSize: 200)
    let counts = Received<Int>()
    let error = await #expect(throws: CBLError.self) {
      for try await change in differences {
        counts.add(change.results.count)
        try files.save("d", #"{"name":"\#(String(repeating: "d", count: 200))","price":4}"#)
      }
    }
    #expect(counts.all == [3])
    #expect(error?.code == CBLError.invalidQuery && error?.isSizeLimitExceeded == true)
    #expect(error?.isRowLimitExceeded == false)
  }

  @Test func errorOfARunEndsTheSequence() async throws {
    let query = try files.database.createQuery("SELECT name FROM _ WHERE price > $least")
    await #expect(throws: CBLError.self) { for try await _ in query.changes() {} }
  }

  @Test func closingTheDatabaseEndsTheSequence() async throws {
    let database = files.database
    for try await _ in try query().changes() { try database.close() }
  }

  @Test func cancellingTheTaskEndsTheSequence() async throws {
    let query = try query()
    // Waiting for a semaphore here would take a thread from the tasks that it waits for.
    let (started, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task { for try await rows in query.changes() { continuation.yield(rows.count) } }
    for await count in started {
      #expect(count == 3)
      break
    }
    task.cancel()
    _ = await task.result
  }

  @Test func eachLoopRunsTheQueryIndependently() async throws {
    let changes = try query().changes()
    var one = changes.makeAsyncIterator()
    var other = changes.makeAsyncIterator()
    let counts = [try await one.next()?.count, try await other.next()?.count]
    #expect(counts == [3, 3])
  }
}
