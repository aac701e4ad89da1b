import Concordance
import PostgresAccess
import TestSupport
import Testing

/// Value indexes that are deleted while they are used.
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
    let connection = try PostgresConnection(url)
    try connection.execute("UPDATE concordance.cx_value_table SET dropped = dropped - interval '1 hour'")
    try connection.execute("BEGIN; SELECT FROM concordance.cx_vi_1")
    _ = try database.mergeSegments()
    #expect(try valueTables() == 2)
    try connection.execute("COMMIT")
    _ = try database.mergeSegments()
    #expect(try valueTables() == 1)
    #expect(try database.verify().isEmpty)
  }
}
