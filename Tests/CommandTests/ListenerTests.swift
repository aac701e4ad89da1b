import Concordance
import Foundation
import Testing

/// A program that listens while the command, another process, writes the same file.
@Suite struct ListenerTests {
  let folder: TemporaryFolder
  let database: Database
  let collection: Concordance.Collection

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.file("corpus.concord"))
    collection = try database.defaultCollection()
  }

  @Test(.timeLimit(.minutes(2))) func changesOfAnotherProcessAreHeard() async throws {
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

  @Test(.timeLimit(.minutes(2))) func aPurgeOfAnotherProcessIsHeard() async throws {
    try collection.save(document: MutableDocument(id: "x"))
    let changes = collection.documentChanges(id: "x")
    // What a purge writes, by hand: no command purges.
    let purge = try ConcordProcess.shell(
      """
      sqlite3 corpus.concord "BEGIN IMMEDIATE; DELETE FROM '_default._default' WHERE id = 'x';
        UPDATE concordance_collection SET last_sequence = 2, document_count = 0 WHERE name = '_default';
        INSERT INTO concordance_purge SELECT id, 2, 'x' FROM concordance_collection WHERE name = '_default'; COMMIT"
      """, in: folder)
    #expect(purge.status == 0, "\(purge.messages)")
    for await _ in changes { break }
    #expect(try collection.document(id: "x") == nil)
  }

  @Test(.timeLimit(.minutes(2))) func anExpirationOfAnotherProcessIsFoundWhileSomebodyListens() async throws {
    try collection.save(document: MutableDocument(id: "x"))
    let changes = collection.documentChanges(id: "x")
    let update = try ConcordProcess.shell(
      "sqlite3 corpus.concord \"UPDATE '_default._default' SET expiration = 1 WHERE id = 'x'\"", in: folder)
    #expect(update.status == 0, "\(update.messages)")
    for await _ in changes { break }
    #expect(try collection.document(id: "x") == nil)
  }
}
