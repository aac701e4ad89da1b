import Concordance
import PostgresAccess
import TestSupport
import Testing

/// Indexes that are deleted while they are used, or in a batch that is rolled back.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct DroppedIndexTests {
  private let url: String
  private let database: Database
  private let collection: Collection

  init() throws {
    url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url, shards: 2)
    database = try Database(url: url)
    collection = try database.defaultCollection()
    for number in 0..<10 {
      try collection.save(document: MutableDocument(id: "doc\(number)", data: ["n": number, "text": "word \(number)"]))
    }
  }

  private func valueTables() throws -> Int64 {
    try PostgresConnection(url).run("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'cx\\_vi\\_%'").int64(0, 0)
  }

  @Test func anIndexWhoseDeletionIsRolledBackRemains() throws {
    struct Refusal: Error {}
    try collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    try collection.createIndex(withName: "lines", config: PatternIndexConfiguration(["text"]))
    try collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    try database.inBatch {
      #expect(throws: (any Error).self) {
        try database.inBatch {
          for name in ["text", "lines", "n"] { try collection.deleteIndex(forName: name) }
          throw Refusal()
        }
      }
      try collection.save(document: MutableDocument(id: "later", data: ["n": 20, "text": "word later"]))
    }
    #expect(try database.verify().isEmpty)
    #expect(try collection.search("word").hits.count == 10)
    #expect(try collection.search("later").hits.map(\.id) == ["later"])
    let query = try database.createQuery("SELECT META().id FROM _ WHERE n >= 8")
    #expect(try query.execute().allResults().count == 3)
  }

  @Test func aReadThatBeganEarlierUsesTheDeletedIndex() throws {
    try collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    let other = try Database(url: url).defaultCollection()
    let query = try database.createQuery("SELECT META().id FROM _ WHERE n >= 8")
    var counts: [Int] = []
    try collection.forEachDocument { _ in
      if counts.isEmpty { try other.deleteIndex(forName: "n") }
      counts.append(try query.execute().allResults().count)
      return counts.count < 2
    }
    #expect(counts == [2, 2])
    #expect(try query.execute().allResults().count == 2)
  }

  @Test func theTableOfADeletedIndexIsDroppedByALaterMerge() throws {
    try collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    try collection.deleteIndex(forName: "n")
    try collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    #expect(try valueTables() == 2)
    // Some reads may still use it.
    _ = try database.mergeSegments()
    #expect(try valueTables() == 2)
    try PostgresConnection(url).execute(
      "UPDATE concordance.cx_value_table SET dropped = dropped - interval '1 hour'")
    _ = try database.mergeSegments()
    #expect(try valueTables() == 1)
    #expect(try database.verify().isEmpty)
  }
}
