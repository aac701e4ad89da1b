import Concordance
import Foundation
import Testing

/// Queries over enough documents that several threads test them. They return the same rows as a single thread, which is
/// used inside a batch.
@Suite struct ParallelQueryTests {
  private static let test = Swift.Result { () throws -> TemporaryDatabase in
    let test = try TemporaryDatabase()
    try test.database.inBatch {
      for number in 0..<12_000 {
        try test.save("d\(number)", #"{"n": \#(number), "k": "k\#(number * 7919 % 100)", "x": [\#(number % 5)]}"#)
      }
      // A gap that is larger than the part of a thread.
      for number in 4000..<7000 {
        if let document = try test.collection.document(id: "d\(number)") {
          try test.collection.purge(document: document)
        }
      }
      for number in 7000..<7100 {
        if let document = try test.collection.document(id: "d\(number)") {
          try test.collection.delete(document: document)
        }
      }
    }
    return test
  }

  private static let queries: [String] = [
    "SELECT COUNT(*) AS n FROM _ WHERE k = 'k17'",
    "SELECT COUNT(*) AS n FROM _ WHERE k != 'k17'",
    "SELECT n, META().id FROM _ WHERE k = $k AND n > 500",
    "SELECT n FROM _ WHERE n = -1",
    "SELECT n FROM _ WHERE n >= 11990 OR n < 3",
    "SELECT k, SUM(n) AS s FROM _ WHERE n % 17 = 3 GROUP BY k ORDER BY k",
    "SELECT n FROM _ WHERE k IN ['k1', 'k2'] ORDER BY n DESC LIMIT 7 OFFSET 2",
    "SELECT DISTINCT k FROM _ WHERE n % 500 = 1 ORDER BY k",
    "SELECT a.n, b.n AS m FROM _ AS a JOIN _ AS b ON a.n = b.n + 1 WHERE a.k = 'k5' AND b.n > 100 ORDER BY a.n",
    "SELECT d.n, e FROM _ AS d UNNEST d.x AS e WHERE d.k = 'k5' AND e = 0",
    "SELECT META().id FROM _ WHERE META().deleted AND META().id LIKE 'd709%'",
    "SELECT n FROM _ WHERE n > 100 AND k = 'k17' LIMIT 3",
  ]

  @Test(arguments: queries)
  func rowsAreThoseOfOneThread(text: String) async throws {
    let test = try ParallelQueryTests.test.get()
    let query = try test.database.createQuery(text)
    query.parameters = Parameters().setString("k17", forName: "k")
    let expected = try ParallelQueryTests.rowsOfOneThread(query, test)
    for _ in 0..<2 { #expect(try query.execute().map { $0.toJSON() } == expected) }
    var streamed: [String] = []
    try query.forEachRow {
      streamed.append($0.toJSON())
      return true
    }
    #expect(streamed == expected)
    streamed = []
    for try await row in try query.rows() { streamed.append(row.toJSON()) }
    #expect(streamed == expected)
    #expect(!expected.isEmpty || text.contains("-1"))
  }

  /// A batch uses no helper threads, because they would not see its changes.
  private static func rowsOfOneThread(_ query: Query, _ test: TemporaryDatabase) throws -> [String] {
    var rows: [String] = []
    try test.database.inBatch { rows = try query.execute().map { $0.toJSON() } }
    return rows
  }

  @Test func explanationReportsThreads() throws {
    let test = try ParallelQueryTests.test.get()
    let scan = try test.database.createQuery("SELECT n FROM _ WHERE k = 'k17'")
    #expect(try scan.explanation().usesSeveralThreads)
    #expect(try scan.explain().contains("several threads test the documents"))
    let lookup = try test.database.createQuery("SELECT n FROM _ WHERE META().id = 'd1'")
    #expect(try !lookup.explanation().usesSeveralThreads)
  }

  @Test func errorOfAFunctionIsThrown() throws {
    let test = try ParallelQueryTests.test.get()
    let query = try test.database.createQuery("SELECT n FROM _ WHERE REGEXP_CONTAINS(k, '(')")
    expectError(CBLError.invalidQuery) { _ = try query.execute() }
  }

  @Test func batchSeesItsOwnChanges() throws {
    let test = try TemporaryDatabase()
    try test.database.inBatch {
      for number in 0..<9000 { try test.save("d\(number)", #"{"n": \#(number)}"#) }
      let query = try test.database.createQuery("SELECT n FROM _ WHERE n = 8999")
      #expect(try query.execute().allResults().count == 1)
    }
  }
}
