import Foundation
import GRDB
import Testing

@testable import DocumentStore

@Suite struct ChangeTests {
  let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  private func purge(_ id: String) throws {
    let purged = try files.store.write { try $0.documents(in: files.collection).purge(id: id) }
    #expect(purged != nil)
  }

  private func changes(since sequence: Int64) throws -> [ChangedDocument] {
    try files.store.read { try DocumentReader(files.collection, $0).changes(since: sequence) }
  }

  @Test func savesDeletionsAndPurgesAreChanges() throws {
    for id in ["a", "b", "c"] { try files.save(id, "{}") }
    _ = try files.store.write { try $0.documents(in: files.collection).delete(id: "b") }
    try purge("a")
    try files.save("a", "{}")
    try purge("b")
    let all = try changes(since: 0)
    #expect(all.map(\.id) == ["c", "a", "a", "b"])
    #expect(all.map(\.sequence) == [3, 5, 6, 7])
    #expect(try changes(since: 6).map(\.id) == ["b"])
    #expect(try changes(since: 7) == [])
  }

  @Test func oldPurgesAreRemovedFromTheLog() throws {
    for id in ["a", "b", "c"] { try files.save(id, "{}") }
    try purge("a")
    try purge("b")
    #expect(try changes(since: 0).map(\.id) == ["c", "a", "b"])
    // Simulates later changes of documents that no longer exist.
    try files.store.write {
      try $0.db.execute(
        sql: "UPDATE concordance_collection SET last_sequence = ?", arguments: [PurgeLog.retainedCount + 4])
    }
    try purge("c")
    #expect(try changes(since: 0).map(\.id) == ["b", "c"])
    try files.save("d", "{}")
    #expect(try changes(since: PurgeLog.retainedCount + 4).map(\.id) == ["c", "d"])
  }

  @Test func deletingACollectionDeletesItsPurgeLog() throws {
    let other = try files.store.write { try $0.createCollection(CollectionName("other")) }
    try files.store.write { transaction in
      let documents = try transaction.documents(in: other)
      _ = try documents.save(id: "x", body: body("{}"))
      _ = try documents.purge(id: "x")
    }
    try files.store.write { try $0.deleteCollection(other) }
    #expect(try files.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM concordance_purge") } == 0)
  }

  @Test func recountingIncludesPurges() throws {
    try files.save("x", "{}")
    try purge("x")
    try files.store.write {
      try $0.db.execute(sql: "UPDATE concordance_collection SET last_sequence = 0")
      try $0.recount(files.collection)
    }
    #expect(try files.save("y", "{}").sequence == 3)
  }

  @Test func storesOfOneFileObserveEachOther() throws {
    let log = Log()
    let link = files.folder.path("link.concord")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: files.path)
    let other = try Store(path: link)
    let stranger = try Store(path: files.folder.path("stranger.concord"))
    let observations = [
      other.observeChanges { _ in log.add("other") }, stranger.observeChanges { _ in log.add("stranger") },
      other.observeExpirations { log.add("expires \($0)") },
    ]
    try files.save("x", "{}")
    #expect(log.all == ["other"])
    let isSet = try files.store.write { try $0.documents(in: files.collection).setExpiration(42, id: "x") }
    #expect(isSet)
    #expect(log.all == ["other", "expires 42"])
    for observation in observations { observation.cancel() }
    try files.save("y", "{}")
    #expect(log.all == ["other", "expires 42"])
  }

  @Test func changesOfObservedDocumentsAreAnnouncedBeforeTheCommit() throws {
    let log = Log()
    let observation = files.store.observe(DocumentKey(collection: files.collection.id, id: "x"))
    let changes = files.store.observeChanges { event in
      switch event {
      case .willCommit(let revisions): log.add("will \(revisions.map { "\($0.document.id)\($0.sequence)" })")
      case .didCommit: log.add("did")
      case .didFail: log.add("failed")
      }
    }
    try files.store.write { transaction in
      let documents = try transaction.documents(in: files.collection)
      for id in ["x", "y", "x"] { _ = try documents.save(id: id, body: body("{}")) }
    }
    #expect(log.all == [#"will ["x1", "x3"]"#, "did"])
    observation.cancel()
    observation.cancel()
    try files.save("x", "{}")
    #expect(log.all.suffix(1) == ["did"] && log.all.count == 3)
    changes.cancel()
  }

  @Test func changeReaderSeesCommitsOfOtherConnections() throws {
    let reader = try files.store.makeChangeReader()
    let before = try reader.dataVersion()
    #expect(try reader.dataVersion() == before)
    try files.store.write { transaction in
      _ = try transaction.documents(in: files.collection).save(id: "x", body: body("{}"))
      // During the transaction it sees the last committed state.
      #expect(try reader.read { try DocumentReader(files.collection, $0).changes(since: 0) } == [])
    }
    #expect(try reader.dataVersion() != before)
    #expect(try reader.read { try DocumentReader(files.collection, $0).changes(since: 0) }.map(\.id) == ["x"])
    reader.close()
  }

  @Test func expiredDocumentsAreOrderedByExpiration() throws {
    for id in ["a", "b", "c", "d"] { try files.save(id, "{}") }
    try files.store.write { transaction in
      let documents = try transaction.documents(in: files.collection)
      for (id, time) in [("a", 30), ("b", 10), ("c", 20), ("d", 40)] as [(String, Int64)] {
        #expect(try documents.setExpiration(time, id: id))
      }
      #expect(try !documents.setExpiration(1, id: "none"))
      #expect(try documents.setExpiration(nil, id: "d"))
    }
    try files.store.read { (db) throws -> Void in
      let reader = DocumentReader(files.collection, db)
      #expect(try reader.earliestExpiration() == 10)
      #expect(try reader.expiration(id: "a") == 30)
      #expect(try reader.expiration(id: "d") == nil)
      #expect(try reader.expiredIDs(at: 20, limit: 10) == ["b", "c"])
      #expect(try reader.expiredIDs(at: 100, limit: 2) == ["b", "c"])
    }
  }
}

/// `@unchecked Sendable`: accessed only under `lock`.
private final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []
  var all: [String] { lock.withLock { lines } }
  func add(_ line: String) { lock.withLock { lines.append(line) } }
}
