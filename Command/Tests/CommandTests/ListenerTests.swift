import Concordance
import Foundation
import Testing

/// Listeners of a program while the command, another process, writes to the same file.
@Suite struct ListenerTests {
  let folder: TemporaryFolder
  let database: Database
  let collection: Concordance.Collection

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.file("corpus.concord"))
    collection = try database.defaultCollection()
  }

  @Test(.timeLimit(.minutes(10))) func changesOfAnotherProcessReachListeners() async throws {
    let changes = collection.changes()
    try folder.write("d/one.txt", "one")
    try folder.write("d/two.txt", "two")
    #expect(try folder.concord("index", "d").status == 0)
    var ids: Set<String> = []
    for await change in changes {
      ids.formUnion(change.documentIDs)
      if ids.count == 2 { break }
    }
    #expect(ids == ["d/one.txt", "d/two.txt"])
    try folder.remove("d/one.txt")
    let deletion = collection.documentChanges(id: "d/one.txt")
    #expect(try folder.concord("index", "d").status == 0)
    for await change in deletion where try change.collection.document(id: change.documentID) == nil { break }
  }

  @Test(.timeLimit(.minutes(10))) func purgeByAnotherProcessReachesListeners() async throws {
    try collection.save(document: MutableDocument(id: "x"))
    let changes = collection.documentChanges(id: "x")
    let purge = try folder.concord("delete", "--purge", "x")
    #expect(purge.status == 0, "\(purge.messages)")
    for await _ in changes { break }
    #expect(try collection.document(id: "x") == nil)
  }

  @Test(.timeLimit(.minutes(10))) func expirationSetByAnotherProcessIsPurgedWhileListening() async throws {
    try collection.save(document: MutableDocument(id: "x"))
    let changes = collection.documentChanges(id: "x")
    let update = try folder.concord("put", "x", "{}", "--expires", "2001-01-01T00:00:00Z")
    #expect(update.status == 0, "\(update.messages)")
    for await _ in changes { break }
    #expect(try collection.document(id: "x") == nil)
  }

  @Test(.timeLimit(.minutes(10))) func changesOfAnotherProcessReachLiveQueries() async throws {
    let query = try database.createQuery("SELECT COUNT(*) AS n FROM _")
    var results: [String] = []
    for try await rows in query.changes() {
      results += rows.map { $0.toJSON() }
      if results.count == 2 { break }
      #expect(try folder.concord("put", "x", "{}").status == 0)
    }
    #expect(results == [#"{"n":0}"#, #"{"n":1}"#])
  }

  /// Regression test: opening a file a second time released the locks of the first connection. The command then
  /// considered itself the last connection and deleted the write-ahead log that this process continued to write to.
  @Test func otherProcessesKeepTheWALOfAFileThatIsOpenTwice() throws {
    let path = folder.file("corpus.concord")
    try collection.save(document: MutableDocument(id: "before"))
    let second = try Database(path: path)
    var config = DatabaseConfiguration()
    config.directory = folder.file("copies")
    try Database.copy(fromPath: path, toDatabase: "copy", withConfig: config)
    #expect(try folder.concord("stats").status == 0)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    for number in 0..<20 { try collection.save(document: MutableDocument(id: "after \(number)")) }
    #expect(try second.defaultCollection().count == 21)
    let exported = try folder.concord("export", "-q")
    #expect(exported.output.split(separator: "\n").filter { $0.contains("\"_id\":\"after") }.count == 20)
  }
}
