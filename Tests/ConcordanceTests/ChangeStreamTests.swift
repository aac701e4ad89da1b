import Concordance
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChangeStreamTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  @Test func changesAfterTheCallAreReportedInOrder() async throws {
    let stream = files.collection.changes()
    for number in 0..<10 { try files.save("\(number)", "{}") }
    var ids: [String] = []
    for await change in stream {
      ids += change.documentIDs
      if ids.count == 10 { break }
    }
    #expect(ids == (0..<10).map(String.init))
  }

  @Test func documentChangesAreReported() async throws {
    let stream = files.collection.documentChanges(id: "x")
    try files.save("y", "{}")
    try files.save("x", "{}")
    var iterator = stream.makeAsyncIterator()
    let change = await iterator.next()
    #expect(change?.documentID == "x")
    #expect(change?.collection == files.collection)
  }

  @Test func sequenceEndsWhenTheDatabaseIsClosed() async throws {
    let stream = files.collection.changes()
    let database = files.database
    let task = Task { for await _ in stream {} }
    try database.close()
    await task.value
    for await _ in files.collection.changes() { Issue.record("a closed database has changed") }
  }

  @Test func sequenceEndsWhenTheCollectionIsDeleted() async throws {
    let collection = try files.database.createCollection(name: "c")
    let stream = collection.changes()
    try files.database.deleteCollection(name: "c")
    for await _ in stream {}
    for await _ in collection.documentChanges(id: "x") { Issue.record("a deleted collection has changed") }
  }

  @Test func cancellingTheTaskEndsTheSequence() async throws {
    let collection = files.collection
    let task = Task { for await _ in collection.changes() {} }
    task.cancel()
    await task.value
  }

  @Test func sequenceKeepsTheDatabaseOpenUntilItIsReleased() async throws {
    weak var database: Database?
    do {
      var config = DatabaseConfiguration()
      config.directory = files.folder.url.path
      let opened = try Database(name: "other", config: config)
      database = opened
      var stream: AsyncStream<CollectionChange>? = try opened.defaultCollection().changes()
      try opened.defaultCollection().save(document: MutableDocument(id: "x"))
      if let stream { for await change in stream where change.documentIDs == ["x"] { break } }
      stream = nil
    }
    // The queue that yields elements may still be running.
    while database != nil { await Task.yield() }
  }
}
