import Concordance
import DocumentStore
import Synchronization
import Testing

/// Searches check their time limit while they work in Swift. A clock counts how often it is read, so the speed of the
/// machine does not matter.
@Suite struct SearchDeadlineTests {
  private final class CountingClock: Sendable {
    private let start = ContinuousClock.now
    private let reads = Mutex(0)

    var count: Int { reads.withLock { $0 } }

    func now() -> ContinuousClock.Instant {
      reads.withLock { $0 += 1 }
      return start
    }
  }

  /// Returns the number of checks of the time limit during a search.
  private func checkCount(_ query: String, snippets: Int = 1, in test: TemporaryDatabase) throws -> Int {
    var withSnippets = SearchRequest(query)
    withSnippets.snippetCount = snippets
    let request = withSnippets
    let clock = CountingClock()
    let hits = try Deadline.run(Deadline(.seconds(3600), of: "search") { clock.now() }) {
      try test.collection.search(request).hits
    }
    #expect(hits.count == 1)
    return clock.count
  }

  @Test func highlightingALongTextChecksTheTimeLimit() throws {
    let test = try TemporaryDatabase()
    try test.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    let line = String(repeating: "some words of a line ", count: 10) + "\\n"
    try test.save("short", #"{"text":"gull"}"#)
    try test.save("long", "{\"text\":\"harbour \(String(repeating: line, count: 20_000))\"}")
    // 4 MB are analyzed in pieces of 256 KiB.
    #expect(try checkCount("harbour", in: test) > checkCount("gull", in: test) + 10)
  }

  @Test func eachSnippetChecksTheTimeLimit() throws {
    let test = try TemporaryDatabase()
    try test.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    let part = "harbour " + String(repeating: "some other words ", count: 30)
    try test.save("long", "{\"text\":\"\(String(repeating: part, count: 60))\"}")
    // The first search reads the index.
    _ = try checkCount("harbour", in: test)
    let one = try checkCount("harbour", in: test)
    #expect(try checkCount("harbour", snippets: 50, in: test) > one + 40)
  }
}
