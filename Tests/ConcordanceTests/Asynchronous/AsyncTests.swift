import Concordance
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct AsyncTests {
  private let temporary: TemporaryDatabase
  private var database: Database { temporary.database }
  private var notes: Concordance.Collection { temporary.collection }

  init() throws { temporary = try TemporaryDatabase() }

  @Test func unrelatedTasksRunWhileAWriterHoldsABatch() async throws {
    try notes.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    try temporary.save("tea", #"{"text": "Steep the leaves."}"#)
    let batch = await HeldBatch(in: database)
    let waiterCount = 8 * ProcessInfo.processInfo.activeProcessorCount + 8
    let startedCount = Locked(0)
    let (database, notes) = (database, notes)
    try await withThrowingTaskGroup(of: Void.self) { waiters in
      await withCheckedContinuation { allStarted in
        for number in 0..<waiterCount {
          waiters.addTask {
            if startedCount.increment() == waiterCount { allStarted.resume() }
            let document = MutableDocument(id: "note_\(number)")
            switch number % 3 {
            case 0: try await notes.async.save(document: document)
            case 1: try await database.async.inBatch { try notes.save(document: document) }
            default: try await database.async.perform { _ in try notes.save(document: document) }
            }
          }
        }
      }
      // More tasks are waiting than the cooperative thread pool has threads. Other tasks, searches and queries still
      // run.
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 0..<1000 { group.addTask { number } }
        return await group.reduce(0, +)
      }
      #expect(sum == 499_500)
      #expect(try await notes.async.search("leaves").hits.map(\.id) == ["tea"])
      #expect(try await database.createQuery("SELECT text FROM _").async.execute().count == 1)
      #expect(try await notes.async.document(id: "tea")?.string(forKey: "text") == "Steep the leaves.")
      #expect(notes.count == 1)
      #expect(batch.isOpen)
      batch.release()
      try await waiters.waitForAll()
    }
    #expect(notes.count == UInt64(waiterCount) + 1)
  }

  @Test func rowsAreNotReadOnTheCooperativeThreadPool() async throws {
    let ranInTask = Locked(false)
    let model = TestModel { _ in
      if withUnsafeCurrentTask(body: { $0 != nil }) { ranInTask.set(true) }
      return MutableDictionaryObject(data: ["sum": 1])
    }
    for number in 0..<100 { try temporary.save("note_\(number)", "{}") }
    let query = try database.createQuery("SELECT PREDICTION('\(model.name)', {}, 'sum') AS x FROM _")
    var count = 0
    for try await row in try query.rows() where row.int(at: 0) == 1 { count += 1 }
    #expect(count == 100)
    #expect(try await query.async.execute().count == 100)
    #expect(!ranInTask.value)
    // The blocking call runs on the thread of the task, and the model detects that.
    _ = try query.execute()
    #expect(ranInTask.value)
  }

  /// Programs written for Couchbase Lite call the blocking API in asynchronous functions, without `await` and warnings.
  @Test func blockingCallsCompileInAsynchronousFunctions() async throws {
    try notes.save(document: MutableDocument(id: "tea", data: ["text": "Steep"]))
    try database.inBatch { try notes.save(document: MutableDocument(id: "pot")) }
    let query = try database.createQuery("SELECT META().id FROM _ ORDER BY META().id")
    let ids = try query.execute().map { $0.string(at: 0) }
    #expect(ids == ["pot", "tea"])
    let document = try notes.document(id: "tea")
    try notes.delete(document: #require(document))
    #expect(notes.count == 1)
  }

  @Test func resultsAreSendable() async throws {
    func requireSendable<T: Sendable>(_: T.Type) {}
    requireSendable(SearchResults.self)
    requireSendable(SearchHit.self)
    requireSendable(Facet.self)
    requireSendable(ResultSet.self)
    requireSendable(Result.self)
    requireSendable(QueryResults.self)
    requireSendable(QueryResults.Row.self)
    requireSendable(ResultValue.self)
  }

  @Test func conflictsAreReported() async throws {
    try temporary.save("tea", "{}")
    let mine = try #require(try await notes.async.document(id: "tea")).toMutable()
    try temporary.save("tea", #"{"text": "theirs"}"#)
    #expect(try await !notes.async.save(document: mine, concurrencyControl: .failOnConflict))
    try await notes.async.delete(document: mine)
    #expect(try await notes.async.document(id: "tea") == nil)
  }

  @Test func errorsEqualThoseOfTheBlockingCalls() async throws {
    let error = await #expect(throws: CBLError.self) { try await notes.async.search("tea") }
    #expect(error?.code == CBLError.missingIndex)
    try await database.async.close()
    let closed = await #expect(throws: CBLError.self) { try await notes.async.save(document: MutableDocument()) }
    #expect(closed?.code == CBLError.notOpen)
  }

  @Test(.filesOnly("opens a file"))
  func databaseIsNotOpenedOnTheCooperativeThreadPool() async throws {
    let path = try #require(database.path)
    let again = try await AsyncDatabase.open(path: path)
    try temporary.save("tea", "{}")
    #expect(try await again.defaultCollection().async.document(id: "tea") != nil)
    try await again.async.close()
  }
}
