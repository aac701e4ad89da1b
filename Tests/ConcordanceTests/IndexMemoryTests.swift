import Concordance
import Foundation
import GRDB
import Synchronization
import Testing

@Suite(.filesOnly("reads the segments of FTS5")) struct IndexMemoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func database(indexMemory: Int) throws -> Concordance.Database {
    var config = DatabaseConfiguration()
    config.directory = folder.url.path
    config.indexMemory = indexMemory
    return try Concordance.Database(name: "memory\(indexMemory)", config: config)
  }

  /// Imports documents of 10,000 bytes.
  private func fill(
    _ collection: Concordance.Collection, count: Int = 400, progress: (@Sendable (ImportSummary) -> Void)? = nil
  ) throws {
    let importer = try DocumentImporter(into: collection, progress: progress)
    for number in 0..<count {
      let words = (0..<1000).map { "w\(number * 1000 + $0)xx" }.joined(separator: " ")
      try importer.add(id: "\(number)", json: Array("{\"t\":\"\(words)\"}".utf8))
    }
    #expect(try importer.finish().savedCount == count)
  }

  @Test(arguments: [(16 << 20, 2), (256 << 20, 1)])
  func batchesOfAnImportAreAnEighthOfTheMemory(memory: Int, minimum: Int) throws {
    let collection = try database(indexMemory: memory).defaultCollection()
    let commits = Mutex(0)
    try fill(collection) { _ in commits.withLock { $0 += 1 } }
    #expect(commits.withLock { $0 } >= minimum)
    #expect((commits.withLock { $0 } == 1) == (minimum == 1))
  }

  /// After an import, a small pattern index has one segment, so that a query reads few pages.
  @Test func segmentsOfAPatternIndexAreMergedAtTheEnd() throws {
    let database = try database(indexMemory: 16 << 20)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["t"]))
    let counts = Mutex<[Int]>([])
    let path = database.path ?? ""
    try fill(collection) { _ in
      let count = try? IndexMemoryTests.patternSegmentCount(path)
      counts.withLock { $0.append(count ?? 0) }
    }
    #expect(counts.withLock { $0.last ?? 0 } > 1)
    let query = try database.createQuery("SELECT META().id FROM _default WHERE t LIKE '%w399999xx%'")
    #expect(try query.execute().allResults().map { $0.string(at: 0) } == ["399"])
    #expect(try database.verify() == [])
    try database.close()
    #expect(try IndexMemoryTests.patternSegmentCount(path) == 1)
  }

  private static func patternSegmentCount(_ path: String) throws -> Int? {
    try DatabaseQueue(path: path).read { db in
      let name = try String.fetchOne(db, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'concordance_pi_%_idx'")
      return try Int.fetchOne(db, sql: "SELECT count(DISTINCT segid) FROM \(name ?? "")")
    }
  }

  @Test(arguments: [(0, true), (256 << 20, false)])
  func buildingAnIndexWritesASegmentWhenTheMemoryIsFull(memory: Int, writesSeveral: Bool) throws {
    let database = try database(indexMemory: memory)
    let collection = try database.defaultCollection()
    try fill(collection)
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["t"]))
    #expect(try database.verify() == [])
    #expect(try collection.search("w399999xx").hits.map(\.id) == ["399"])
    let queue = try DatabaseQueue(path: try #require(database.path))
    let segments = try queue.read { db in
      let sql = #"SELECT name FROM sqlite_schema WHERE name LIKE 'concordance\_ft\_%\_idx' ESCAPE '\'"#
      let table = try #require(try String.fetchOne(db, sql: sql))
      return try Int.fetchAll(db, sql: "SELECT DISTINCT segid FROM \(table)")
    }
    // Eight segments are merged into one, which gets a larger number.
    #expect((try #require(segments.max()) > 1) == writesSeveral)
  }
}
