import Concordance
import Foundation
import Testing

/// Running queries repeatedly, concurrently, in batches, and row by row.
@Suite struct QueryRunTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    let files = test
    try files.database.inBatch {
      for number in 0..<500 { try files.save("d\(number)", #"{"n": \#(number), "k": "k\#(number % 10)"}"#) }
    }
  }

  private func count(_ query: Query) throws -> Int { try query.execute().next()?.int(at: 0) ?? -1 }

  @Test func parametersAreBoundAtEachRun() throws {
    let query = try test.database.createQuery("SELECT COUNT(*) FROM _ WHERE n < $n")
    for number in [0, 10, 499, 5000] {
      query.parameters = Parameters().setInt(number, forName: "n")
      #expect(try count(query) == min(number, 500))
    }
    #expect(query.parameters?.value(forName: "n") as? Int == 5000)
    query.parameters = Parameters()
    expectError(CBLError.invalidQueryParam) { _ = try query.execute() }
    query.parameters?.setInt(1, forName: "n")
    expectError(CBLError.invalidQueryParam) { _ = try query.execute() }
  }

  @Test func limitsAreNumbers() throws {
    let query = try test.database.createQuery("SELECT n FROM _ ORDER BY n LIMIT $limit OFFSET $offset")
    for (limit, offset, count) in [(3, 0, 3), (-1, 0, 0), (5, 498, 2), (2, -7, 2)] {
      query.parameters = Parameters().setInt(limit, forName: "limit").setInt(offset, forName: "offset")
      #expect(try query.execute().allResults().count == count)
    }
    for (limit, offset, count) in [(1e30, 498.0, 2), (3.9, -1e30, 3), (2.0, 1e30, 0), (-1e30, 0.0, 0)] {
      query.parameters = Parameters().setDouble(limit, forName: "limit").setDouble(offset, forName: "offset")
      #expect(try query.execute().allResults().count == count)
    }
    query.parameters = Parameters().setString("two", forName: "limit").setInt(0, forName: "offset")
    expectError(CBLError.invalidQuery) { _ = try query.execute() }
    let pattern = try test.database.createQuery("SELECT n FROM _ WHERE REGEXP_LIKE(k, '(')")
    expectError(CBLError.invalidQuery) { _ = try pattern.execute() }
  }

  @Test func queryFollowsChangesToIndexesAndCollections() throws {
    let text = "SELECT COUNT(*) FROM other AS o JOIN _ AS d ON d.k = o.k"
    expectError(CBLError.invalidQuery) { _ = try test.database.createQuery(text) }
    let other = try test.database.createCollection(name: "other")
    let query = try test.database.createQuery(text)
    try other.save(document: MutableDocument(data: ["k": "k3"]))
    #expect(try count(query) == 50)
    try test.collection.createIndex(withName: "k", config: ValueIndexConfiguration(["k"]))
    #expect(try count(query) == 50)
    try test.collection.deleteIndex(forName: "k")
    #expect(try count(query) == 50)
    try test.database.deleteCollection(name: "other")
    expectError(CBLError.invalidQuery) { _ = try query.execute() }
  }

  @Test func batchSeesItsOwnChanges() throws {
    let query = try test.database.createQuery("SELECT COUNT(*) FROM _ WHERE k = 'new'")
    try test.collection.createIndex(withName: "k", config: ValueIndexConfiguration(["k"]))
    struct Stop: Error {}
    expectRollback(by: Stop.self) {
      try test.database.inBatch {
        try test.save("x", #"{"k": "new"}"#)
        #expect(try count(query) == 1)
        try test.database.createQuery("SELECT META().id AS id FROM _ WHERE k = 'k1'").forEachRow { row in
          try test.save(row.string(forKey: "id") ?? "", #"{"k": "new"}"#)
          return true
        }
        #expect(try count(query) == 51)
        throw Stop()
      }
    }
    #expect(try count(query) == 0)
    #expect(try test.database.verify() == [])
  }

  @Test func threadsShareAQuery() throws {
    let query = try test.database.createQuery("SELECT COUNT(*) FROM _ WHERE n >= 250 AND k = 'k1'")
    let files = test
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      if number % 10 == 0 {
        try? files.collection.createIndex(
          withName: "i", config: ValueIndexConfiguration(number % 20 == 0 ? ["k"] : ["n"]))
      }
      do { #expect(try query.execute().next()?.int(at: 0) == 25) } catch { Issue.record(error) }
    }
  }

  @Test func rowsAreReadOnDemand() async throws {
    let query = try test.database.createQuery("SELECT n FROM _ ORDER BY n")
    var seen: [Int] = []
    for try await row in try query.rows() {
      if seen.isEmpty { try test.save("late", #"{"n": -1}"#) }
      seen.append(row.int(at: 0))
    }
    #expect(seen == Array(0..<500))
    var iterator = try query.rows().makeAsyncIterator()
    #expect(try await iterator.next()?.int(at: 0) == -1)
    try test.database.close()
    var rest = 0
    do {
      while try await iterator.next() != nil { rest += 1 }
      Issue.record("a closed database gave all rows")
    } catch let error as CBLError { #expect(error.code == CBLError.notOpen) }
    #expect(rest < 500)
  }

  @Test func resultsOutliveTheirDatabase() throws {
    let row = try #require(try test.database.createQuery("SELECT * FROM _ WHERE n = 7").execute().next())
    try test.database.close()
    #expect(row.dictionary(at: 0)?.string(forKey: "k") == "k7")
    #expect(row.toJSON() == #"{"_":{"n": 7, "k": "k7"}}"#)
  }

  @Test func deletedAndExpiredDocuments() throws {
    try test.collection.createIndex(withName: "k", config: ValueIndexConfiguration(["k"]))
    let document = try #require(try test.collection.document(id: "d3"))
    try test.collection.delete(document: document)
    try test.collection.setDocumentExpiration(id: "d13", expiration: Date(timeIntervalSinceNow: -5))
    #expect(try count(test.database.createQuery("SELECT COUNT(*) FROM _ WHERE k = 'k3'")) == 48)
    #expect(try count(test.database.createQuery("SELECT COUNT(*) FROM _ GROUP BY k HAVING k = 'k3'")) == 48)
    let deleted = try QueryBuilder.select(SelectResult.expression(Meta.id))
      .from(DataSource.collection(test.collection)).where(Meta.isDeleted).execute().map { $0.string(forKey: "id") }
    #expect(deleted == ["d3"])
  }
}
