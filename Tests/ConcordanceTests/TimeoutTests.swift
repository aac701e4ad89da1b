import Concordance
import Foundation
import Testing

/// Time limits of whole queries and searches. Without a limit, the work of these tests would take days, or the limit
/// expires before the work begins, so the speed of the machine does not matter.
@Suite(.timeLimit(.minutes(10))) struct TimeoutTests {
  private let test: TemporaryDatabase

  /// Compares 200 documents with each other in tuples of six: 6.4e13.
  private static let endlessQuery =
    "SELECT COUNT(*) AS n FROM _ AS a JOIN _ AS b ON a.n <> b.n JOIN _ AS c ON b.n <> c.n JOIN _ AS d ON c.n <> d.n "
    + "JOIN _ AS e ON d.n <> e.n JOIN _ AS f ON e.n <> f.n"

  init() throws {
    test = try TemporaryDatabase()
    try test.database.inBatch {
      for n in 0..<200 { try test.save("d\(n)", #"{"n": \#(n), "text": "needle \#(n)\nhay\n"}"#) }
    }
  }

  @Test func queryEndsWithAnError() throws {
    let query = try test.database.createQuery(TimeoutTests.endlessQuery)
    query.timeout = .milliseconds(20)
    expectError(CBLError.timeout, "the query took longer than its time limit of 0.02 seconds") {
      _ = try query.execute()
    }
    expectError(CBLError.timeout) { try query.forEachRow { _ in true } }
  }

  @Test func queryRunsAgainAfterATimeout() throws {
    let query = try test.database.createQuery("SELECT COUNT(*) AS n FROM _")
    query.timeout = .zero
    expectError(CBLError.timeout) { _ = try query.execute() }
    query.timeout = nil
    #expect(try query.execute().next()?.int(forKey: "n") == 200)
  }

  @Test func asynchronousRowsEndWithAnError() async throws {
    let query = try test.database.createQuery(TimeoutTests.endlessQuery)
    query.timeout = .milliseconds(20)
    let rows = try query.rows()
    let error = await #expect(throws: CBLError.self) { for try await _ in rows {} }
    #expect(error?.code == CBLError.timeout)
  }

  @Test func queryInABatchEndsWithAnErrorAndTheBatchIsSaved() throws {
    let query = try test.database.createQuery(TimeoutTests.endlessQuery)
    query.timeout = .milliseconds(20)
    try test.database.inBatch {
      try test.save("new", #"{"n": 1000}"#)
      expectError(CBLError.timeout) { _ = try query.execute() }
    }
    #expect(try test.collection.document(id: "new") != nil)
  }

  @Test func unknownPropertiesEndWithAnError() throws {
    var request = SearchRequest("*")
    request.sort = SearchOrder("unknown")
    try test.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    #expect(try test.collection.unknownProperties(of: request).count == 1)
    request.timeout = .zero
    expectError(CBLError.timeout) { _ = try test.collection.unknownProperties(of: request) }
  }

  @Test func fullTextSearchEndsWithAnError() throws {
    try test.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    var request = SearchRequest("needle")
    request.timeout = .zero
    expectError(CBLError.timeout, "the search took longer than its time limit of 0.0 seconds") {
      _ = try test.collection.search(request)
    }
    expectError(CBLError.timeout) { _ = try test.collection.count(matching: request) }
    request.timeout = .seconds(3600)
    #expect(try test.collection.search(request).hits.count == 10)
  }

  @Test func conditionOfASearchEndsWithAnError() throws {
    try test.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    var request = SearchRequest("needle")
    // 500 conditions, each of which iterates over an array of 100,000 elements.
    let conditions = (0..<500).map { "ANY x IN ARRAY_RANGE(0, 100000) SATISFIES x = -\($0 + 1) END" }
    request.where = SearchFilter("NOT (\(conditions.joined(separator: " OR ")))")
    request.timeout = .milliseconds(20)
    expectError(CBLError.timeout) { _ = try test.collection.search(request) }
  }

  @Test func lineSearchEndsWithAnError() throws {
    var request = PatternSearchRequest("needle")
    request.timeout = .zero
    expectError(CBLError.timeout, "the search took longer than its time limit of 0.0 seconds") {
      try test.collection.searchLines(request) { _ in
        true
      } deliver: { _ in
        true
      }
    }
    request.timeout = .seconds(3600)
    var count = 0
    try test.collection.searchLines(request) { _ in
      true
    } deliver: { _ in
      count += 1
      return true
    }
    #expect(count == 200)
  }

  @Test func lineSearchEndsInsideADocument() throws {
    try test.save("long", #"{"text": "\#(String(repeating: "a", count: 200_000))"}"#)
    var request = PatternSearchRequest("a.*[XY]")
    request.timeLimit = .seconds(36_000)
    request.timeout = .milliseconds(50)
    expectError(CBLError.timeout) {
      try test.collection.searchLines(request) { document -> Bool? in
        try? document.forEachLine { _ in true }
        return nil
      } deliver: { _ in
        true
      }
    }
  }
}
