import Concordance
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
  private let temporary: TemporaryDatabase
  private var database: Database { temporary.database }
  private var notes: Concordance.Collection { temporary.collection }

  init() throws { temporary = try TemporaryDatabase() }

  @Test func cancellingAWaitingChangeEndsItImmediately() async throws {
    let batch = await HeldBatch(in: database)
    let (database, notes) = (database, notes)
    let tasks =
      (0..<4).map { number in
        Task { try await notes.async.save(document: MutableDocument(id: "note_\(number)")) }
      } + [Task { try await database.async.inBatch { try notes.save(document: MutableDocument(id: "batch")) } }]
    for task in tasks { task.cancel() }
    // The writer's batch is still open.
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(batch.isOpen)
    batch.release()
    try await notes.async.save(document: MutableDocument(id: "last"))
    #expect(notes.count == 1)
  }

  @Test func cancellingAChangeThatWaitsForTheTransactionEndsItImmediately() async throws {
    let batch = await HeldBatch(in: database)
    let (database, notes) = (database, notes)
    let task = Locked<Task<Void, any Error>?>(nil)
    await withCheckedContinuation { isRunning in
      // A document encodes its values on the thread that waits for the transaction.
      let document = MutableDocument(id: "tea").setValue(["a": 1], forKey: "x")
      task.set(
        Task {
          isRunning.resume()
          try await notes.async.save(document: document)
        })
    }
    let waiting = try #require(task.value)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(batch.isOpen)
    batch.release()
    try await database.async.inBatch {}
    #expect(notes.count == 0)
  }

  @Test func cancelledBatchIsRolledBack() async throws {
    let gate = DispatchSemaphore(value: 0)
    let (database, notes) = (database, notes)
    let task = Locked<Task<Void, any Error>?>(nil)
    await withCheckedContinuation { isRunning in
      task.set(
        Task {
          try await database.async.inBatch {
            try notes.save(document: MutableDocument(id: "tea"))
            isRunning.resume()
            gate.wait()
          }
        })
    }
    let running = try #require(task.value)
    running.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(notes.count == 0)
    try await notes.async.save(document: MutableDocument(id: "pot"))
    #expect(notes.count == 1)
  }

  /// The query counts 10^10 combinations. Its condition calls a model, which records that the query is running.
  @Test func cancellingARunningQueryInterruptsIt() async throws {
    try await database.async.inBatch { [notes] in
      for number in 0..<100 { try notes.save(document: MutableDocument(id: "note_\(number)")) }
    }
    let isRunning = AsyncStream.makeStream(of: Void.self)
    let model = TestModel { _ in
      isRunning.continuation.yield()
      return MutableDictionaryObject(data: ["sum": 1])
    }
    let query = try database.createQuery(
      """
      SELECT COUNT(*) FROM _ AS a JOIN _ AS b ON 1 JOIN _ AS c ON 1 JOIN _ AS d ON 1 JOIN _ AS e ON 1
      WHERE PREDICTION('\(model.name)', {'id': META(a).id}, 'sum') = 1
      """)
    let running = Task { try await query.async.execute().count }
    for await _ in isRunning.stream { break }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    // The connection can be used again.
    #expect(try await database.createQuery("SELECT META().id FROM _").async.execute().count == 100)
  }
}
