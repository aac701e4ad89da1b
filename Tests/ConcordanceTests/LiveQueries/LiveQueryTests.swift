import Concordance
import Foundation
import Testing

/// Query listeners.
@Suite(.timeLimit(.minutes(10))) struct LiveQueryTests {
  private let files: TemporaryDatabase
  private var database: Database { files.database }

  init() throws {
    files = try TemporaryDatabase()
    try database.inBatch {
      for number in 1...100 { try files.save("doc\(number)", #"{"number":\#(number)}"#) }
    }
  }

  private func query(_ condition: String = "number < 10") throws -> Query {
    try database.createQuery("SELECT number FROM _ WHERE \(condition) ORDER BY number")
  }

  /// The numbers of each result, or the code of its error.
  private func listen(to query: Query) -> (results: Received<[Int]>, token: ListenerToken) {
    let received = Received<[Int]>()
    let token = query.addChangeListener { change in
      let rows = change.results?.allResults().map { $0.int(at: 0) }
      received.add(rows ?? [(change.error as? CBLError)?.code ?? -1])
    }
    return (received, token)
  }

  @Test func listenerReceivesTheFirstResultAndOthersThatDiffer() throws {
    let (results, token) = listen(to: try query())
    results.wait { $0.count == 1 }
    try files.save("new", #"{"number":-1}"#)
    results.wait { $0.count == 2 }
    #expect(results.all == [Array(1...9), [-1] + Array(1...9)])
    token.remove()
  }

  @Test func updatesDeletionsAndPurgesAreDelivered() throws {
    let (results, _) = listen(to: try query("number < 4"))
    results.wait { $0.count == 1 }
    try files.save("doc1", #"{"number":3.5}"#)
    results.wait { $0.last == [2, 3, 3] }
    let document = try #require(try files.collection.document(id: "doc2"))
    try files.collection.delete(document: document)
    results.wait { $0.last == [3, 3] }
    try files.collection.purge(id: "doc3")
    results.wait { $0.last == [3] }
  }

  @Test func deletionAndPurgeInOneBatchAreDelivered() throws {
    let query = try database.createQuery("SELECT number FROM _ ORDER BY number LIMIT 1")
    let (results, _) = listen(to: query)
    results.wait { $0.count == 1 }
    try database.inBatch {
      let document = try #require(try files.collection.document(id: "doc1"))
      try files.collection.delete(document: document)
      try files.collection.purge(id: "doc1")
    }
    results.wait { $0.last == [2] }
    #expect(results.all == [[1], [2]])
  }

  @Test func changesThatDoNotAffectTheRowsAreNotDelivered() throws {
    let (results, _) = listen(to: try query())
    results.wait { $0.count == 1 }
    try files.save("other", #"{"number":50}"#)
    try files.save("doc1", #"{"number":1,"other":true}"#)
    // Only this later change is delivered.
    try files.save("doc9", #"{"number":10}"#)
    results.wait { $0.last == Array(1...8) }
    #expect(results.all.count == 2)
  }

  @Test func rolledBackBatchIsNotDelivered() throws {
    let (results, _) = listen(to: try query())
    results.wait { $0.count == 1 }
    struct Failure: Error {}
    #expect(throws: (any Error).self) {
      try database.inBatch {
        try files.save("lost", #"{"number":0}"#)
        throw Failure()
      }
    }
    try files.save("doc9", #"{"number":10}"#)
    results.wait { $0.last == Array(1...8) }
    #expect(results.all.count == 2)
  }

  @Test func secondListenerReceivesTheCurrentResultAndItsOwnRows() throws {
    let query = try query()
    let (first, _) = listen(to: query)
    first.wait { $0.count == 1 }
    let (second, _) = listen(to: query)
    second.wait { $0.count == 1 }
    #expect(first.all.count == 1)
    try files.save("new", #"{"number":0}"#)
    for results in [first, second] { results.wait { $0.last == Array(0...9) } }
  }

  @Test func newParametersRunTheQueryAgainAndAreAlwaysDelivered() throws {
    let query = try query("number < $limit")
    query.parameters = Parameters().setInt(4, forName: "limit")
    let (results, _) = listen(to: query)
    results.wait { $0.count == 1 }
    query.parameters = Parameters().setInt(3, forName: "limit")
    results.wait { $0.count == 2 }
    query.parameters = Parameters().setDouble(2.5, forName: "limit")
    results.wait { $0.count == 3 }
    #expect(results.all == [[1, 2, 3], [1, 2], [1, 2]])
  }

  @Test func errorIsDeliveredAndTheQueryRunsAgain() throws {
    let query = try query("number < $limit")
    let (results, _) = listen(to: query)
    results.wait { $0.count == 1 }
    query.parameters = Parameters().setInt(2, forName: "limit")
    results.wait { $0.count == 2 }
    #expect(results.all == [[CBLError.invalidQueryParam], [1]])
  }

  @Test func deletedCollectionIsAnErrorAndEndsTheListener() throws {
    let collection = try database.createCollection(name: "c")
    try collection.save(document: MutableDocument(id: "a", json: #"{"number":1}"#))
    let (results, _) = listen(to: try database.createQuery("SELECT number FROM c"))
    results.wait { $0 == [[1]] }
    try database.deleteCollection(name: "c")
    results.wait { $0.count == 2 }
    #expect(results.all.last != [])
  }

  @Test func collectionThatReplacesADeletedOneIsAnError() throws {
    let collection = try database.createCollection(name: "c")
    try collection.save(document: MutableDocument(id: "a", json: #"{"number":1}"#))
    let (results, _) = listen(to: try database.createQuery("SELECT number FROM c"))
    results.wait { $0 == [[1]] }
    try database.inBatch {
      try database.deleteCollection(name: "c")
      let replacement = try database.createCollection(name: "c")
      try replacement.save(document: MutableDocument(id: "b", json: #"{"number":2}"#))
    }
    results.wait { $0.count == 2 }
    #expect(results.all == [[1], [CBLError.notFound]])
  }

  @Test func joinedCollectionsAreObserved() throws {
    let kinds = try database.createCollection(name: "kinds")
    let (results, _) = listen(
      to: try database.createQuery("SELECT d.number FROM _ AS d JOIN kinds AS k ON k.number = d.number"))
    results.wait { $0 == [[]] }
    try kinds.save(document: MutableDocument(id: "k", json: #"{"number":7}"#))
    results.wait { $0.last == [7] }
    try files.collection.purge(id: "doc7")
    results.wait { $0.last == [] }
  }

  @Test func changesByAnotherDatabaseObjectAreDelivered() throws {
    let (results, _) = listen(to: try query())
    results.wait { $0.count == 1 }
    let other = try files.again()
    try other.defaultCollection().save(document: MutableDocument(id: "other", json: #"{"number":0}"#))
    results.wait { $0.last == Array(0...9) }
    try other.close()
  }

  @Test func expirationIsDelivered() throws {
    let (results, _) = listen(to: try query("number < 3"))
    results.wait { $0 == [[1, 2]] }
    try files.collection.setDocumentExpiration(id: "doc1", expiration: Date(timeIntervalSinceNow: -1))
    results.wait { $0.last == [2] }
  }

  @Test func batchIsDeliveredOnce() throws {
    let (results, _) = listen(to: try query("number > 1000"))
    results.wait { $0 == [[]] }
    try database.inBatch {
      for number in 1001...1009 { try files.save("doc\(number)", #"{"number":\#(number)}"#) }
    }
    results.wait { $0.count == 2 }
    #expect(results.all == [[], Array(1001...1009)])
  }

  @Test func newIndexIsNotAChange() throws {
    let (results, _) = listen(to: try query("number < 3"))
    results.wait { $0.count == 1 }
    try files.collection.createIndex(withName: "number", config: ValueIndexConfiguration(["number"]))
    try files.save("doc1", #"{"number":0}"#)
    results.wait { $0.last == [0, 2] }
    #expect(results.all.count == 2)
  }

  @Test func slowListenerReceivesTheNewestResult() throws {
    let query = try query("number > 1000")
    let queue = DispatchQueue(label: "suspended")
    let slow = Received<Int>()
    queue.suspend()
    query.addChangeListener(withQueue: queue) { slow.add($0.results?.allResults().count ?? -1) }
    let (results, _) = listen(to: query)
    for number in 1001...1003 {
      try files.save("doc\(number)", #"{"number":\#(number)}"#)
      results.wait { $0.last?.count == number - 1000 }
    }
    queue.resume()
    slow.wait { $0.last == 3 }
    #expect(slow.all.count <= 2)
  }

  @Test func removedListenerIsNotCalled() throws {
    let query = try query()
    let (removed, token) = listen(to: query)
    removed.wait { $0.count == 1 }
    query.removeChangeListener(withToken: token)
    let (results, _) = listen(to: query)
    results.wait { $0.count == 1 }
    try files.save("new", #"{"number":0}"#)
    results.wait { $0.count == 2 }
    #expect(removed.all.count == 1)
  }

  @Test func listenerMayRemoveItselfAndCloseTheDatabase() throws {
    let received = Received<Int>()
    let token = Received<ListenerToken>()
    let database = database
    token.add(
      try query().addChangeListener { change in
        received.add(change.results?.allResults().count ?? -1)
        guard received.all.count == 2 else { return }
        token.all.first?.remove()
        do { try database.close() } catch { received.add(-2) }
        received.add(0)
      })
    received.wait { $0.count == 1 }
    try files.save("new", #"{"number":0}"#)
    received.wait { $0.count == 3 }
    #expect(received.all == [9, 10, 0])
  }

  @Test func closingEndsAllListeners() throws {
    let tokens = try (0..<50).map { _ in listen(to: try query()) }
    tokens[0].results.wait { $0.count == 1 }
    try database.close()
    let (late, _) = listen(
      to: QueryBuilder.select(SelectResult.all()).from(DataSource.collection(files.collection)))
    #expect(late.all.count <= 1)
  }

  @Test func removedListenersReleaseTheDatabase() throws {
    weak var released: Database?
    do {
      let database = try files.again()
      released = database
      let received = Received<Int>()
      let query = try database.createQuery("SELECT number FROM _")
      let token = query.addChangeListener { received.add($0.results?.allResults().count ?? -1) }
      received.wait { $0 == [100] }
      token.remove()
    }
    let deadline = Date(timeIntervalSinceNow: 30)
    while released != nil, Date() < deadline { usleep(1000) }
    #expect(released == nil)
  }

  /// The number of calls is limited by the interval, and the last state is delivered.
  @Test func manyChangesAreDeliveredTogetherAndTheLastStateIsNotLost() throws {
    let count = try database.createQuery("SELECT COUNT(*) FROM _ WHERE number >= 1000")
    let (results, _) = listen(to: count)
    results.wait { $0.count == 1 }
    let start = ContinuousClock.now
    for number in 1000..<2000 { try files.save("n\(number)", #"{"number":\#(number)}"#) }
    results.wait { $0.last == [1000] }
    let seconds = start.duration(to: .now) / .seconds(1)
    #expect(Double(results.all.count) <= seconds / 0.25 + 3)
  }
}
