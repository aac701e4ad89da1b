import Concordance
import Dispatch
import Foundation
import Testing

/// Listeners that change themselves or the database, and the removal of listeners.
@Suite struct ListenerRemovalTests {
  let files: TemporaryDatabase
  let received = Received<String>()

  init() throws { files = try TemporaryDatabase() }

  /// Saves a document and waits until a listener on the same queue has been called. All other listeners are called
  /// before it.
  private func roundTrip(_ id: String, on queue: DispatchQueue? = nil) throws {
    let marker = Received<String>()
    let token = files.collection.addChangeListener(queue: queue) { $0.documentIDs.forEach(marker.add) }
    try files.save(id, "{}")
    marker.wait(for: id)
    token.remove()
  }

  @Test func removedListenerIsNotCalled() throws {
    let queue = DispatchQueue(label: "mine")
    for round in 0..<100 {
      let calls = Received<String>()
      let token = files.collection.addChangeListener(queue: queue) { $0.documentIDs.forEach(calls.add) }
      try files.save("\(round)", "{}")
      // On its serial queue, no call of the listener is running.
      let delivered = queue.sync {
        token.remove()
        return calls.all
      }
      try roundTrip("after \(round)", on: queue)
      #expect(calls.all == delivered)
      token.remove()
    }
  }

  @Test func listenerMayRemoveItself() throws {
    let token = Received<ListenerToken>()
    token.add(
      files.collection.addChangeListener { [received] change in
        received.add("called")
        token.wait { !$0.isEmpty }.forEach { $0.remove() }
      })
    try files.save("first", "{}")
    received.wait(for: "called")
    try roundTrip("second")
    #expect(received.all == ["called"])
  }

  @Test func twoListenersMayRemoveEachOther() throws {
    for round in 0..<50 {
      let tokens = Received<ListenerToken>()
      let calls = Received<String>()
      for name in ["one", "two"] {
        tokens.add(
          files.collection.addChangeListener(queue: DispatchQueue(label: name)) { _ in
            tokens.wait { $0.count == 2 }.forEach { $0.remove() }
            calls.add(name)
          })
      }
      try files.save("\(round)", "{}")
      calls.wait { !$0.isEmpty }
    }
  }

  @Test func tokensAreEqualByIdentity() {
    let one = files.collection.addChangeListener { _ in }
    let other = files.collection.addChangeListener { _ in }
    #expect(Set([one, other, one]).count == 2)
    #expect(one != other)
  }

  @Test func listenerMaySaveDeleteAndOpenBatches() throws {
    let (collection, database) = (files.collection, files.database)
    _ = collection.addChangeListener { [received] change in
      for id in change.documentIDs {
        received.add(id)
        // It is also called for its own deletions.
        guard let number = Int(id), number < 20, let document = try? collection.document(id: id) else { continue }
        try? database.inBatch {
          try collection.save(document: MutableDocument(id: "\(number + 1)"))
          try collection.delete(document: document)
        }
      }
    }
    try files.save("0", "{}")
    received.wait(for: "20")
    #expect(collection.count == 1)
  }

  @Test func listenerMayAddListeners() throws {
    let collection = files.collection
    _ = collection.addDocumentChangeListener(id: "a") { [received] _ in
      _ = collection.addDocumentChangeListener(id: "b") { received.add($0.documentID) }
      try? collection.save(document: MutableDocument(id: "b"))
    }
    try files.save("a", "{}")
    received.wait(for: "b")
  }

  @Test func changesWhileTheQueueIsBlockedAreReportedTogether() throws {
    let queue = DispatchQueue(label: "held up")
    let calls = Received<[String]>()
    _ = files.collection.addChangeListener(queue: queue) { calls.add($0.documentIDs) }
    queue.suspend()
    let delivered = Received<String>()
    _ = files.collection.addChangeListener { $0.documentIDs.forEach(delivered.add) }
    for number in 0..<50 { try files.save("\(number % 2)", "{\"number\":\(number)}") }
    try files.save("last", "{}")
    delivered.wait(for: "last")
    queue.resume()
    #expect(calls.wait { !$0.isEmpty } == [["0", "1", "last"]])
  }

  @Test func listenerMayCloseTheDatabase() throws {
    let database = files.database
    _ = files.collection.addChangeListener { [received] _ in
      do {
        try database.close()
        received.add("closed")
      } catch {
        received.add("\(error)")
      }
    }
    try files.save("x", "{}")
    #expect(received.wait { !$0.isEmpty } == ["closed"])
    expectError(CBLError.notOpen) { try files.save("y", "{}") }
    try database.close()
  }

  @Test func databaseMayBeReleasedWhileListenersAreCalled() throws {
    for round in 0..<20 {
      var config = DatabaseConfiguration()
      config.directory = files.folder.url.path
      let collection = try Database(name: "other\(round)", config: config).defaultCollection()
      _ = collection.addChangeListener { [received] _ in received.add("called") }
      try collection.save(document: MutableDocument(id: "x"))
    }
  }

  @Test func closingInABatchFailsAndKeepsListeners() throws {
    _ = files.collection.addChangeListener { [received] in $0.documentIDs.forEach(received.add) }
    try files.database.inBatch {
      expectError(CBLError.transactionNotClosed) { try files.database.close() }
      try files.save("x", "{}")
    }
    received.wait(for: "x")
  }

  @Test func manyThreadsAddSaveAndRemove() throws {
    let collection = files.collection
    let all = Received<String>()
    let keeper = collection.addChangeListener { $0.documentIDs.forEach(all.add) }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<50 {
        let id = "\(thread) \(number)"
        let own = Received<String>()
        let token = collection.addDocumentChangeListener(id: id) { own.add($0.documentID) }
        let other = collection.addChangeListener { _ in }
        do {
          try collection.save(document: MutableDocument(id: id))
        } catch {
          Issue.record(error)
        }
        other.remove()
        own.wait(for: id)
        token.remove()
      }
    }
    let delivered = all.wait { $0.count == 400 }
    #expect(Set(delivered).count == 400)
    keeper.remove()
  }

  @Test func closingWhileOthersSaveAndListen() throws {
    for round in 0..<20 {
      var config = DatabaseConfiguration()
      config.directory = files.folder.url.path
      let database = try Database(name: "closing\(round)", config: config)
      let collection = try database.defaultCollection()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for number in 0..<20 {
          let token = collection.addChangeListener { _ in }
          // Another thread closes the database; errors after that are expected.
          try? collection.save(document: MutableDocument(id: "\(thread) \(number)"))
          if thread == 0, number == 10 { try? database.close() }
          token.remove()
        }
      }
    }
  }
}
