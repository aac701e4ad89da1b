import Concordance
import Testing

@Suite(.timeLimit(.minutes(10))) struct LiveSearchTests {
  private let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    try files.save("a", #"{"text":"green tea"}"#)
    try files.save("b", #"{"text":"coffee"}"#)
  }

  @Test func sequenceFollowsTheHits() async throws {
    var iterator = files.collection.searchChanges(SearchRequest("tea"), minimumInterval: .zero).makeAsyncIterator()
    #expect(try await iterator.next()?.hits.map(\.id) == ["a"])
    try files.save("c", #"{"text":"tea"}"#)
    #expect(try await iterator.next()?.hits.map(\.id) == ["c", "a"])
    try files.collection.purge(id: "a")
    #expect(try await iterator.next()?.hits.map(\.id) == ["c"])
  }

  @Test func differencesIdentifyHitsByDocument() async throws {
    var iterator = files.collection.searchDifferences(SearchRequest("tea"), minimumInterval: .zero).makeAsyncIterator()
    #expect(try await iterator.next()?.difference.insertions == [0])
    try files.save("a", #"{"text":"black tea"}"#)
    let change = try #require(try await iterator.next())
    #expect(change.difference.updates.map(\.description) == ["0 → 0"])
    #expect(change.difference.insertions.isEmpty && change.difference.deletions.isEmpty)
  }

  @Test func listenerReceivesResultsAndErrors() throws {
    let received = Received<String>()
    let token = files.collection.addSearchListener(SearchRequest("coffee")) { result in
      received.add((try? result.get().hits.map(\.id).joined()) ?? "error")
    }
    received.wait(for: "b")
    try files.collection.deleteIndex(forName: "text")
    try files.save("c", #"{"text":"coffee"}"#)
    received.wait(for: "error")
    token.remove()
  }

  @Test func changesToOtherDocumentsAreNotDelivered() throws {
    let received = Received<String>()
    let token = files.collection.addSearchListener(SearchRequest("coffee")) { result in
      received.add((try? result.get().hits.map(\.id).joined()) ?? "error")
    }
    received.wait(for: "b")
    try files.save("c", #"{"text":"water"}"#)
    try files.save("d", #"{"text":"coffee coffee"}"#)
    received.wait { $0.count == 2 }
    #expect(received.all == ["b", "db"])
    token.remove()
  }
}
