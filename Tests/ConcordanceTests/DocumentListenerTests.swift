import Concordance
import Testing

/// Document listeners, which are called for each revision.
@Suite struct DocumentListenerTests {
  let files: TemporaryDatabase
  let received = Received<String>()

  init() throws { files = try TemporaryDatabase() }

  private func listen(to id: String = "x") -> ListenerToken {
    files.collection.addDocumentChangeListener(id: id) { [received] in received.add($0.documentID) }
  }

  /// Waits for a number of calls, and for those of changes after them: each call of a listener is enqueued after its
  /// previous one.
  private func callCount(_ token: ListenerToken, atLeast count: Int) throws -> Int {
    received.wait { $0.count { $0 == "x" } >= count }
    let last = listen(to: "last")
    try files.save("last", "{}")
    received.wait(for: "last")
    last.remove()
    token.remove()
    return received.all.count { $0 == "x" }
  }

  @Test func twoQuickSavesCauseTwoCalls() throws {
    let token = listen()
    try files.save("x", "{}")
    try files.save("x", #"{"n": 1}"#)
    #expect(try callCount(token, atLeast: 2) == 2)
  }

  @Test func everyRevisionOfABatchCausesACall() throws {
    let token = listen()
    try files.database.inBatch {
      try files.save("x", "{}")
      try files.save("y", "{}")
      try files.save("x", #"{"n": 1}"#)
      try files.collection.delete(document: try #require(try files.collection.document(id: "x")))
    }
    try files.collection.purge(id: "x")
    try files.save("x", "{}")
    #expect(try callCount(token, atLeast: 5) == 5)
  }

  @Test func revisionsOfARolledBackBatchCauseNoCalls() throws {
    let token = listen()
    try files.database.inBatch {
      try files.save("x", "{}")
      expectRollback(by: CancellationError.self) {
        try files.database.inBatch {
          try files.save("x", #"{"n": 1}"#)
          throw CancellationError()
        }
      }
      try files.save("x", #"{"n": 2}"#)
    }
    expectRollback(by: CancellationError.self) {
      try files.database.inBatch {
        try files.save("x", #"{"n": 3}"#)
        throw CancellationError()
      }
    }
    #expect(try callCount(token, atLeast: 2) == 2)
  }

  @Test(.filesOnly("commits of another object may be noticed together"))
  func savesThroughAnotherDatabaseObjectCauseCalls() throws {
    let token = listen()
    let other = try files.again().defaultCollection()
    for number in 1...10 { try other.save(document: MutableDocument(id: "x", data: ["n": number])) }
    #expect(try callCount(token, atLeast: 10) == 10)
  }

  @Test func listenerReceivesRevisionsAfterItWasAdded() throws {
    let first = listen()
    try files.save("x", "{}")
    received.wait { $0.count == 1 }
    let late = Received<String>()
    let second = files.collection.addDocumentChangeListener(id: "x") { late.add($0.documentID) }
    try files.database.inBatch { for _ in 1...2 { try files.save("x", "{}") } }
    #expect(late.wait { $0.count == 2 }.count == 2)
    #expect(try callCount(first, atLeast: 3) == 3)
    try files.save("x", "{}")
    #expect(late.wait { $0.count == 3 }.count == 3)
    second.remove()
    #expect(received.all.count { $0 == "x" } == 3)
  }
}
