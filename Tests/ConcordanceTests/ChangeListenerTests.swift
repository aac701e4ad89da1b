import Concordance
import Dispatch
import Foundation
import Testing

@Suite struct ChangeListenerTests {
  struct Refusal: Error {}

  let files: TemporaryDatabase
  let received = Received<String>()

  init() throws { files = try TemporaryDatabase() }

  private func listen(_ collection: Concordance.Collection? = nil) -> ListenerToken {
    (collection ?? files.collection).addChangeListener { [received] in $0.documentIDs.forEach(received.add) }
  }

  private func saveInRefusedBatch(_ id: String) {
    expectRollback(by: Refusal.self) {
      try files.database.inBatch {
        try files.save(id, "{}")
        throw Refusal()
      }
    }
  }

  @Test func savesDeletionsAndPurgesAreReportedInOrder() throws {
    try files.save("before", "{}")
    _ = listen()
    try files.save("a", "{}")
    received.wait(for: "a")
    try files.collection.delete(document: try #require(try files.collection.document(id: "a")))
    try files.save("b", "{}")
    received.wait { $0.count == 3 }
    try files.collection.purge(id: "a")
    try files.collection.purge(id: "before")
    #expect(received.wait(for: "before") == ["a", "a", "b", "a", "before"])
  }

  @Test func changeContainsItsCollection() throws {
    let changes = Received<CollectionChange>()
    let other = try files.database.createCollection(name: "other")
    _ = files.collection.addChangeListener { changes.add($0) }
    _ = other.addChangeListener { changes.add($0) }
    try files.database.inBatch {
      try files.save("x", "{}")
      try other.save(document: MutableDocument(id: "y"))
    }
    let byCollection = Dictionary(
      uniqueKeysWithValues: changes.wait { $0.count == 2 }.map { ($0.collection, $0.documentIDs) })
    #expect(byCollection == [files.collection: ["x"], other: ["y"]])
  }

  @Test func listenerRunsOnItsQueue() throws {
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "mine")
    queue.setSpecific(key: key, value: "mine")
    _ = files.collection.addChangeListener(queue: queue) { [received] _ in
      received.add(DispatchQueue.getSpecific(key: key) ?? "another")
    }
    _ = files.collection.addDocumentChangeListener(id: "x", queue: queue) { [received] _ in
      received.add(DispatchQueue.getSpecific(key: key) ?? "another")
    }
    try files.save("x", "{}")
    #expect(received.wait { $0.count == 2 } == ["mine", "mine"])
  }

  @Test func callsOfOneListenerNeverOverlapOnAConcurrentQueue() throws {
    let calls = Received<Int>()
    // Not protected by a lock, so that the thread sanitizer detects overlapping calls.
    var count = 0
    _ = files.collection.addChangeListener(queue: DispatchQueue(label: "wide", attributes: .concurrent)) { change in
      count += change.documentIDs.count
      calls.add(count)
    }
    for number in 0..<200 { try files.save("\(number)", "{}") }
    #expect(calls.wait { $0.last == 200 } == calls.all.sorted())
  }

  @Test func batchIsOneChangeWithUniqueIDs() throws {
    let changes = Received<[String]>()
    _ = files.collection.addChangeListener { changes.add($0.documentIDs) }
    try files.database.inBatch {
      for id in ["a", "b", "a", "c", "b"] { try files.save(id, "{}") }
      try files.collection.purge(id: "c")
      try files.save("c", "{}")
    }
    #expect(changes.wait { !$0.isEmpty } == [["a", "b", "c"]])
  }

  @Test func onlyCommittedChangesAreReported() throws {
    let changes = Received<[String]>()
    _ = files.collection.addChangeListener { changes.add($0.documentIDs) }
    saveInRefusedBatch("rolled back")
    try files.database.inBatch {
      try files.database.inBatch { try files.save("first inner", "{}") }
      saveInRefusedBatch("second inner")
      try files.save("last", "{}")
    }
    try files.save("after it", "{}")
    let batches = changes.wait { $0.joined().contains("after it") }
    // Reported together, so the first change was not reported before the commit.
    #expect(batches.first?.starts(with: ["first inner", "last"]) == true)
    #expect(batches.flatMap { $0 } == ["first inner", "last", "after it"])
  }

  @Test func listenerAddedInABatchReceivesAllItsChanges() throws {
    try files.database.inBatch {
      let made = try files.database.createCollection(name: "made")
      _ = listen(made)
      try made.save(document: MutableDocument(id: "in the batch"))
    }
    try files.database.collection(name: "made")?.save(document: MutableDocument(id: "after it"))
    #expect(received.wait(for: "after it") == ["in the batch", "after it"])
  }

  @Test func documentListenerReceivesChangesOfItsDocumentOnly() throws {
    let changes = Received<DocumentChange>()
    _ = files.collection.addDocumentChangeListener(id: "x") { changes.add($0) }
    try files.save("y", "{}")
    try files.save("x", "{}")
    changes.wait { $0.count == 1 }
    try files.collection.purge(id: "x")
    let all = changes.wait { $0.count == 2 }
    #expect(all.map(\.documentID) == ["x", "x"])
    #expect(all.allSatisfy { $0.collection == files.collection })
  }

  @Test func changesOfAnotherDatabaseObjectAreReportedWithTheListenersCollection() throws {
    let changes = Received<CollectionChange>()
    _ = files.collection.addChangeListener { changes.add($0) }
    let readOnly = try files.again(readOnly: true)
    _ = listen(try readOnly.defaultCollection())
    let other = try files.again()
    try other.defaultCollection().save(document: MutableDocument(id: "x"))
    #expect(changes.wait { !$0.isEmpty }.first?.collection == files.collection)
    received.wait(for: "x")
    try other.defaultCollection().purge(id: "x")
    #expect(received.wait { $0.count == 2 } == ["x", "x"])
  }

  @Test func laterListenerReceivesOnlyLaterChanges() throws {
    _ = files.collection.addChangeListener { _ in }
    let late = Received<String>()
    for number in 0..<100 {
      try files.save("\(number)", "{}")
      let token = files.collection.addChangeListener { $0.documentIDs.forEach(late.add) }
      try files.save("after \(number)", "{}")
      late.wait(for: "after \(number)")
      token.remove()
    }
    #expect(late.all.allSatisfy { $0.hasPrefix("after") })
  }

  @Test func importsAreReported() throws {
    let count = Received<Int>()
    _ = files.collection.addChangeListener { count.add($0.documentIDs.count) }
    let importer = try DocumentImporter(into: files.collection)
    for number in 0..<5000 { try importer.add(id: "\(number)", json: Array("{}".utf8)) }
    _ = try importer.finish()
    count.wait { $0.reduce(0, +) == 5000 }
  }

  @Test func deletedCollectionReportsNoChanges() throws {
    let old = try files.database.createCollection(name: "c")
    _ = listen(old)
    try old.save(document: MutableDocument(id: "first"))
    received.wait(for: "first")
    try files.database.deleteCollection(name: "c")
    let new = try files.database.createCollection(name: "c")
    let marker = Received<String>()
    _ = new.addChangeListener { $0.documentIDs.forEach(marker.add) }
    try new.save(document: MutableDocument(id: "second"))
    marker.wait(for: "second")
    #expect(received.all == ["first"])
    // The token has no effect.
    _ = listen(old)
    try new.save(document: MutableDocument(id: "third"))
    marker.wait(for: "third")
    #expect(received.all == ["first"])
    try files.database.close()
    _ = listen(new)
    listen(new).remove()
  }

  @Test func listenersDoNotKeepTheDatabaseOpen() throws {
    let folder = files.folder
    weak var freed: Database?
    let token: ListenerToken
    do {
      var config = DatabaseConfiguration()
      config.directory = folder.url.path
      let database = try Database(name: "other", config: config)
      freed = database
      let collection = try database.defaultCollection()
      token = collection.addChangeListener { _ in }
      try collection.save(document: MutableDocument(id: "x"))
      try collection.setDocumentExpiration(id: "x", expiration: Date(timeIntervalSinceNow: 3600))
      try database.close()
    }
    #expect(freed == nil)
    token.remove()
  }
}
