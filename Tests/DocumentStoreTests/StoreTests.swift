import Foundation
import GRDB
import Synchronization
import Testing

@testable import DocumentStore

@Suite struct StoreTests {
  let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  @Test func savedDocumentsExistAfterReopening() throws {
    try files.save("x", "{\"n\":1}")
    try files.store.close()
    let again = try Store(path: files.path)
    let collection = try #require(try again.read { try CollectionCatalog.find(.default, $0) })
    let document = try again.read { try DocumentReader(collection, $0).document(id: "x") }
    #expect(document?.sequence == 1)
  }

  @Test func closingRemovesTheWriteAheadLog() throws {
    try files.save("x", "{\"n\":1}")
    _ = try files.document("x")
    try files.store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path) == ["test.concord"])
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let reader = try Store(path: files.path, configuration: configuration)
    #expect(try reader.read { try DocumentReader(files.collection, $0).document(id: "x") } != nil)
    try reader.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path) == ["test.concord"])
  }

  @Test func closingAReaderKeepsTheLogOfAWriter() throws {
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let reader = try Store(path: files.path, configuration: configuration)
    let before = try #require(reader.stateWatch.current())
    try files.save("x", "{}")
    #expect(reader.stateWatch.current() != before)
    try reader.close()
    #expect(FileManager.default.fileExists(atPath: files.path + "-wal"))
    try files.save("y", "{}")
    #expect(try files.ids() == ["x", "y"])
  }

  @Test func throwingBatchIsRolledBack() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try files.store.write { transaction in
        _ = try transaction.documents(in: files.collection).save(id: "x", body: body("{}"))
        throw Refusal()
      }
    }
    #expect(try files.ids() == [])
    #expect(try files.save("y", "{}").sequence == 1)
  }

  @Test func throwingInnerBatchKeepsTheOuterBatch() throws {
    struct Refusal: Error {}
    try files.store.write { transaction in
      _ = try transaction.documents(in: files.collection).save(id: "outer", body: body("{}"))
      #expect(throws: Refusal.self) {
        try files.store.write { inner in
          _ = try inner.documents(in: files.collection).save(id: "inner", body: body("{}"))
          throw Refusal()
        }
      }
      _ = try transaction.documents(in: files.collection).save(id: "after", body: body("{}"))
    }
    #expect(try files.ids() == ["outer", "after"])
    #expect(try files.document("after")?.sequence == 2)
    #expect(try files.count() == 2)
  }

  @Test func completionHandlersReceiveTheOutcomeOfTheTransaction() throws {
    struct Refused: Error {}
    let files = try TemporaryStore()
    var ends: [String] = []
    try files.store.write { outer in
      outer.onCompletion { ends.append("outer \($0)") }
      try? files.store.write { inner in
        inner.onCompletion { ends.append("first inner \($0)") }
        inner.onCompletion { ends.append("second inner \($0)") }
        throw Refused()
      }
      #expect(ends == ["second inner false", "first inner false"])
    }
    #expect(ends.last == "outer true")
    try? files.store.write { transaction in
      transaction.onCompletion { ends.append("last \($0)") }
      throw Refused()
    }
    #expect(ends == ["second inner false", "first inner false", "outer true", "last false"])
  }

  @Test func uncommittedChangesAreVisibleOnlyInTheirBatch() throws {
    try files.store.write { transaction in
      _ = try transaction.documents(in: files.collection).save(id: "x", body: body("{}"))
      #expect(try files.ids() == ["x"])
      let other = try Store(path: files.path)
      let seen = try other.read { try DocumentReader(files.collection, $0).document(id: "x") }
      #expect(seen == nil)
    }
    #expect(try files.ids() == ["x"])
  }

  @Test func concurrentReadersNeverSeeAPartOfABatch() throws {
    let done = Atomic(false)
    let torn = Atomic(0)
    let group = DispatchGroup()
    for _ in 0..<3 {
      DispatchQueue.global().async(group: group) {
        while !done.load(ordering: .relaxed) {
          let count = (try? files.ids().count) ?? -1
          if count % 10 != 0 { torn.add(1, ordering: .relaxed) }
        }
      }
    }
    for batch in 0..<40 {
      try files.store.write { transaction in
        let documents = try transaction.documents(in: files.collection)
        for number in 0..<10 { _ = try documents.save(id: "\(batch)-\(number)", body: body("{}")) }
      }
    }
    done.store(true, ordering: .relaxed)
    group.wait()
    #expect(torn.load(ordering: .relaxed) == 0)
  }

  @Test func concurrentWritersLoseNoChanges() throws {
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<50 { _ = try? files.save("\(thread)-\(number)", "{}") }
    }
    #expect(try files.count() == 200)
    #expect(try files.store.read { try CollectionCatalog.lastSequence(files.collection, $0) } == 200)
  }

  @Test func concurrentCreationOfOneFileSucceeds() throws {
    for round in 0..<100 {
      let path = files.folder.path("new\(round).concord")
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 3) { opener in
        do {
          let store = try Store(path: path)
          try store.write { transaction in
            let collection = try transaction.createCollection(.default)
            _ = try transaction.documents(in: collection).save(id: "\(opener)", body: body("{}"))
          }
          try store.close()
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(failures.withLock { $0 } == [])
      let store = try Store(path: path)
      let collection = try #require(try store.read { try CollectionCatalog.find(.default, $0) })
      #expect(try store.documentCount(of: collection) == 3)
    }
  }

  @Test func fileWithAnExclusiveLockIsBusy() throws {
    try files.store.close()
    // Without a write-ahead log, a writer blocks readers.
    let other = try DatabaseQueue(path: files.path)
    try other.inDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
      expectStoreError(.busy) { _ = try FileProbe.examine(files.path, at: files.path, busyTimeout: 0.01) }
      try db.execute(sql: "COMMIT")
    }
  }

  @Test func writerFailsAfterTheBusyTimeout() throws {
    var configuration = StoreConfiguration()
    configuration.busyTimeout = 0.05
    let other = try Store(path: files.path, configuration: configuration)
    try files.store.write { _ in
      expectStoreError(.busy) { try other.write { _ in } }
    }
    try other.write { _ = try $0.documents(in: files.collection).save(id: "x", body: body("{}")) }
    #expect(try files.ids() == ["x"])
  }

  @Test func twoStoresOfOneFileShareTheSequence() throws {
    let other = try Store(path: files.path)
    try files.save("a", "{}")
    let change = try other.write { try $0.documents(in: files.collection).save(id: "b", body: body("{}")) }
    #expect(change.sequence == 2)
    #expect(try files.save("c", "{}").sequence == 3)
  }

  @Test func readOnlyStoreDoesNotWriteOrCreate() throws {
    try files.save("x", "{}")
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let reader = try Store(path: files.path, configuration: configuration)
    #expect(try reader.read { try DocumentReader(files.collection, $0).document(id: "x") } != nil)
    expectStoreError(.readOnly) { try reader.write { _ in } }
    expectStoreError(.notFound) {
      _ = try Store(path: files.folder.path("none.concord"), configuration: configuration)
    }
  }

  @Test func closedStoreThrowsClosed() throws {
    try files.store.close()
    expectStoreError(.closed) { _ = try files.ids() }
    expectStoreError(.closed) { try files.save("x", "{}") }
  }

  @Test func fileThatIsNotADatabaseIsNotChanged() throws {
    let path = files.folder.path("notes.txt")
    try "just some notes, longer than the header of a database\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    expectStoreError(.notADatabase) { _ = try Store(path: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("just some notes"))
  }

  @Test func databaseOfAnotherProgramIsNotChanged() throws {
    let path = files.folder.path("other.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE t (x)") }
    try queue.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    expectStoreError(.foreignDatabase) { _ = try Store(path: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func databaseOfANewerVersionIsRefused() throws {
    try files.store.withoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
    try files.store.close()
    expectStoreError(.newerVersion) { _ = try Store(path: files.path) }
  }

  @Test func directoryIsRefused() {
    expectStoreError(.cannotOpen) { _ = try Store(path: files.folder.url.path) }
  }

  @Test func fullDiskFailsTheBatchAndLosesNoData() throws {
    try files.save("before", "{}")
    // SQLite reports the page limit as a full disk.
    let pages = try files.store.withoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 3)")
      return pages
    }
    let large = "{\"text\":\"\(String(repeating: "x", count: 3000))\"}"
    expectStoreError(.diskFull) {
      try files.store.write { transaction in
        let documents = try transaction.documents(in: files.collection)
        for number in 0..<20 { _ = try documents.save(id: "\(number)", body: body(large)) }
      }
    }
    #expect(try files.ids() == ["before"])
    // The log does not keep the space of the batch.
    #expect(try FileManager.default.attributesOfItem(atPath: files.store.path + "-wal")[.size] as? Int == 0)
    try files.store.withoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 1000)") }
    try files.save("after", large)
    #expect(try files.ids() == ["before", "after"])
    #expect(try files.store.read { try StoreVerification.run($0) } == [])
  }

  @Test func batchThatSQLiteRolledBackHasEnded() throws {
    try files.save("before", "{}")
    try files.store.withoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 3)")
    }
    let large = try body("{\"text\":\"\(String(repeating: "x", count: 3000))\"}")
    expectStoreError(.diskFull) {
      try files.store.write { transaction in
        let documents = try transaction.documents(in: files.collection)
        for number in 0..<20 { _ = try? documents.save(id: "\(number)", body: large) }
        try files.store.write { _ = try $0.documents(in: files.collection).save(id: "after", body: body("{}")) }
      }
    }
    #expect(try files.ids() == ["before"])
    #expect(try files.store.read { try StoreVerification.run($0) } == [])
  }

  @Test func truncatedFileIsReported() throws {
    for number in 0..<200 { try files.save("\(number)", "{\"text\":\"\(String(repeating: "x", count: 500))\"}") }
    try files.store.close()
    let data = try Data(contentsOf: URL(fileURLWithPath: files.path))
    try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: files.path))
    var problems = 0
    do {
      let store = try Store(path: files.path)
      problems = try store.read { try StoreVerification.run($0).count }
    } catch is StoreError {
      problems += 1
    }
    #expect(problems > 0)
  }
}

@Suite struct CollectionTests {
  let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  @Test func collectionNamesAreCaseSensitive() throws {
    let names = try [CollectionName("Hotels"), CollectionName("hotels"), CollectionName("HOTELS", scope: "Inventory")]
    let records = try files.store.write { transaction in try names.map { try transaction.createCollection($0) } }
    #expect(Set(records.map { $0.tableName.lowercased() }).count == 3)
    for (number, record) in records.enumerated() {
      try files.store.write {
        _ = try $0.documents(in: record).save(id: "x", body: body("{\"n\":\(number)}"))
      }
    }
    for (number, record) in records.enumerated() {
      let document = try files.store.read { try DocumentReader(record, $0).document(id: "x") }
      #expect(document.map { String(decoding: $0.body, as: UTF8.self) } == "{\"n\":\(number)}")
    }
  }

  @Test func creatingAnExistingCollectionReturnsIt() throws {
    let again = try files.store.write { try $0.createCollection(.default) }
    #expect(again == files.collection)
  }

  @Test func deletingACollectionDeletesItsDocuments() throws {
    let hotels = try files.store.write { try $0.createCollection(CollectionName("hotels")) }
    try files.store.write { _ = try $0.documents(in: hotels).save(id: "x", body: body("{}")) }
    try files.store.write { try $0.deleteCollection(hotels) }
    #expect(try files.store.read { try CollectionCatalog.all($0) } == [files.collection])
    expectStoreError(.noSuchCollection) {
      _ = try files.store.read { try CollectionCatalog.documentCount(hotels, $0) }
    }
  }

  @Test(arguments: ["", "_x", "%x", "a b", "a.b", "é", "a\"b", String(repeating: "a", count: 252)])
  func badNamesAreRefused(name: String) {
    expectStoreError(.badName) { _ = try CollectionName(name) }
    expectStoreError(.badName) { _ = try CollectionName("ok", scope: name) }
  }
}

@Suite struct VerificationTests {
  @Test func undamagedFileHasNoProblems() throws {
    let files = try TemporaryStore()
    for number in 0..<20 { try files.save("\(number)", "{\"n\":\(number)}") }
    _ = try files.store.write { try $0.documents(in: files.collection).delete(id: "3") }
    #expect(try files.store.read { try StoreVerification.run($0) } == [])
  }

  @Test(arguments: [
    ("UPDATE \"_default._default\" SET body = '{oops' WHERE id = 'x'", "document \"x\""),
    ("DELETE FROM \"_default._default\"", "the number of documents is 0, but the catalog records 1"),
    ("UPDATE \"_default._default\" SET sequence = 7", "above the last"),
  ])
  func damageIsReported(sql: String, expected: String) throws {
    let files = try TemporaryStore()
    try files.save("x", "{}")
    try files.store.withoutTransaction { try $0.execute(sql: sql) }
    let findings = try files.store.read { try StoreVerification.run($0) }
    #expect(findings.contains { $0.description.contains(expected) })
  }
}

@Suite struct SourceTests {
  @Test func sourceIsIncompleteUntilItIsCompleted() throws {
    let files = try TemporaryStore()
    let id = try files.store.write { transaction in
      let id = try transaction.beginSource(
        path: "/a.jsonl", size: 10, modified: 5, settings: "s", in: files.collection)
      _ = try transaction.documents(in: files.collection).save(id: "x", body: body("{}"), source: id)
      return id
    }
    #expect(try files.store.read { try SourceCatalog.all(in: files.collection, $0) }.map(\.isComplete) == [false])
    try files.store.write { try $0.completeSource(id) }
    #expect(try files.store.read { try SourceCatalog.all(in: files.collection, $0) }.map(\.isComplete) == [true])
    #expect(try files.store.read { try SourceCatalog.documentIDs(of: id, in: files.collection, $0) } == ["x"])
    try files.store.write { try $0.removeSource(id) }
    #expect(try files.store.read { try SourceCatalog.all(in: files.collection, $0) } == [])
  }
}
