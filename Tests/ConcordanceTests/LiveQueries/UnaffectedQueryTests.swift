import JSONText
import Testing

@testable import Concordance

/// The changes after which a live query does not run.
@Suite struct UnaffectedQueryTests {
  private let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    try files.database.inBatch {
      for number in 0..<40 { try files.save("\(number)", #"{"n":\#(number),"text":"word\#(number)"}"#) }
    }
  }

  private func isUnaffected(_ text: String, byChangesOf ids: Set<String>) throws -> Bool {
    let query = try files.database.createQuery(text)
    let reader = try LiveQueryReader(query, in: files.database)
    return try reader.isUnaffected(try reader.read(), by: [exact(ids)])
  }

  private func exact(_ ids: Set<String>) -> Set<ExactString> { Set(ids.map { ExactString($0) }) }

  @Test(arguments: [
    "SELECT n FROM _ WHERE n < 10", "SELECT n FROM _ WHERE n < 10 ORDER BY n LIMIT 3",
    "SELECT x.n + 1 FROM _ AS x WHERE x.n < 10",
  ])
  func changeOfADocumentThatDoesNotMatchIsIgnored(query: String) throws {
    #expect(try isUnaffected(query, byChangesOf: ["20", "21", "none"]))
    #expect(try isUnaffected(query, byChangesOf: Set((10..<40).map(String.init))))
  }

  @Test(arguments: [
    // The document is among the rows, or it matches.
    "SELECT n FROM _ WHERE n < 30", "SELECT n FROM _", "SELECT n FROM _ ORDER BY n LIMIT 1",
    // The rows may depend on other documents.
    "SELECT n FROM _ WHERE n < 10 LIMIT 3 OFFSET 2", "SELECT COUNT(*) FROM _ WHERE n < 10",
    "SELECT DISTINCT n FROM _ WHERE n < 10", "SELECT n FROM _ WHERE n < 10 GROUP BY n",
    "SELECT n FROM _ WHERE MATCH(text, 'word1')", "SELECT META().deleted FROM _ WHERE n < 10",
    "SELECT a.n FROM _ AS a JOIN _ AS b ON a.n = b.n WHERE a.n < 10",
  ])
  func queryRunsIfItsRowsMayDependOnTheDocument(query: String) throws {
    #expect(try !isUnaffected(query, byChangesOf: ["20"]))
  }

  @Test func manyChangesAreNotTested() throws {
    #expect(try !isUnaffected("SELECT n FROM _ WHERE n < 10", byChangesOf: Set((100..<200).map(String.init))))
  }

  @Test func changeOfADocumentThatReplacedAnEqualRowIsDelivered() throws {
    let query = try files.database.createQuery("SELECT n FROM _ WHERE n = 5")
    let counts = Received<Int>()
    let run = try query.liveResult().body(deliveringTo: { counts.add((try? $0.get().values.count) ?? -1) })
    run(LiveRead.Changes(ids: nil, isForced: false))
    try files.collection.purge(id: "5")
    try files.save("other", #"{"n":5}"#)
    run(LiveRead.Changes(ids: [exact(["5", "other"])], isForced: false))
    #expect(counts.all == [1])
    try files.save("other", #"{"n":50}"#)
    run(LiveRead.Changes(ids: [exact(["other"])], isForced: false))
    #expect(counts.all == [1, 0])
  }

  @Test func timeLimitOfTheQueryIsUsed() throws {
    let query = try files.database.createQuery("SELECT n FROM _ WHERE n < 10")
    let reader = try LiveQueryReader(query, in: files.database)
    let rows = try reader.read()
    query.timeout = .zero
    expectError(CBLError.timeout) { _ = try reader.isUnaffected(rows, by: [exact(["20"])]) }
  }

  @Test func parametersOfTheQueryAreUsed() throws {
    let query = try files.database.createQuery("SELECT n FROM _ WHERE n < $limit")
    let reader = try LiveQueryReader(query, in: files.database)
    query.parameters = Parameters().setInt(10, forName: "limit")
    let rows = try reader.read()
    #expect(try reader.isUnaffected(rows, by: [exact(["20"])]))
    query.parameters = Parameters().setInt(25, forName: "limit")
    #expect(try !reader.isUnaffected(rows, by: [exact(["20"])]))
  }
}
