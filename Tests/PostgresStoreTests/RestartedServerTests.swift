import Concordance
import Foundation
import TestSupport
import Testing

/// The idle connections of an open database are closed when a server is restarted.
@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct RestartedServerTests {
  private static func save(_ numbers: Range<Int>, _ database: Database) throws {
    let collection = try database.defaultCollection()
    try database.inBatch {
      for number in numbers { try collection.save(document: MutableDocument(id: "doc\(number)", data: ["n": number])) }
    }
  }

  @Test func aListenerThatIsAddedAfterwardsReceivesChanges() async throws {
    let cluster = try TemporaryCluster()
    try Database.initialize(url: cluster.url())
    let database = try Database(url: cluster.url())
    try RestartedServerTests.save(0..<1, database)
    try cluster.stopImmediately()
    try cluster.start()
    var changes = try database.defaultCollection().changes().makeAsyncIterator()
    try RestartedServerTests.save(1..<2, Database(url: cluster.url()))
    #expect(await changes.next()?.documentIDs == ["doc1"])
  }

  @Test func theNextBatchIsSavedOnAllServers() throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    try Database.initialize(urls: [first.url(), second.url()], shards: 8)
    let database = try Database(url: first.url())
    try RestartedServerTests.save(0..<20, database)
    try second.stopImmediately()
    try second.start()
    try RestartedServerTests.save(20..<40, database)
    #expect(try database.defaultCollection().count == 40)
  }

  @Test func aServerThatDoesNotAnswerIsNotAvailable() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let proxy = try StoppableProxy(url)
    let database = try Database(url: proxy.url)
    try database.checkServer()
    proxy.stop()
    let error = try #require(throws: CBLError.self) { try database.checkServer() }
    #expect(error.isServerUnavailable && error.message.contains("has not answered within"), "\(error)")
    proxy.close()
  }

  /// A machine that does not answer does not use up the time limit of a search.
  @Test func aSearchLeavesOutAServerThatDoesNotAnswer() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    let proxy = try StoppableProxy(urls[1])
    try Database.initialize(urls: [urls[0], proxy.url], shards: 8)
    let filled = try Database(url: urls[0])
    try filled.defaultCollection().createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try filled.inBatch {
      for number in 0..<20 {
        try filled.defaultCollection().save(document: MutableDocument(id: "doc\(number)", data: ["text": "word"]))
      }
    }
    try filled.close()
    proxy.stop()
    let database = try Database(url: urls[0])
    var request = SearchRequest("word")
    request.allowsPartialResults = true
    request.timeout = .seconds(8)
    let results = try database.defaultCollection().search(request)
    #expect(results.missingServers.map(\.number) == [2] && (1..<20).contains(results.hits.count), "\(results)")
    proxy.close()
  }

  /// Without a message, nobody would know that the rows may be outdated.
  @Test func aLiveQueryReportsAServerThatIsDown() async throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    try Database.initialize(urls: [first.url(), second.url()], shards: 8)
    let database = try Database(url: first.url())
    try RestartedServerTests.save(0..<20, database)
    let (results, continuation) = AsyncStream.makeStream(of: Int?.self)
    let query = try database.createQuery("SELECT n FROM _")
    let token = query.addChangeListener { change in
      continuation.yield(change.error == nil ? change.results?.allResults().count : nil)
    }
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == 20)
    try second.stopImmediately()
    let other = try Database(url: first.url())
    // Some of these documents are on the first server.
    for number in 20..<30 {
      _ = try? other.defaultCollection().save(document: MutableDocument(id: "doc\(number)", data: ["n": number]))
    }
    var next = await iterator.next()
    while next == .some(.some(20)) { next = await iterator.next() }
    #expect(next == .some(.none))
    try second.start()
    let count = try Int(other.defaultCollection().count)
    while let found = await iterator.next(), found != count {}
    token.remove()
  }

  @Test func aServerThatHasLostItsTablesIsNamed() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let database = try Database(url: urls[0])
    try RestartedServerTests.save(0..<20, database)
    try TemporaryCluster.dropTables(urls[1])
    let errors = [
      #expect(throws: CBLError.self) { _ = try database.createQuery("SELECT n FROM _").execute() },
      #expect(throws: CBLError.self) { try RestartedServerTests.save(20..<40, database) },
      #expect(throws: CBLError.self) { try Database.initialize(urls: urls, shards: 8) },
    ]
    for error in errors {
      #expect(error?.code == CBLError.corruptData)
      #expect(error?.message.contains("node 2 of 2 has lost its tables") == true, "\(error?.message ?? "")")
    }
  }
}
