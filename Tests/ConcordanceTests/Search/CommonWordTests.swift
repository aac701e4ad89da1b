import DocumentStore
import Foundation
import GRDB
import Testing

@testable import Concordance

/// Common words, whose posting lists are read with the stored leaf score bounds.
@Suite struct CommonWordTests {
  private static let count = 5000
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
  }

  @Test(.filesOnly("counts the score bounds of FTS5 indexes")) func importComputesBounds() throws {
    try importDocuments()
    #expect(try boundCount() > 0)
    #expect(try files.database.verify() == [])
  }

  @Test(.filesOnly("counts the score bounds of FTS5 indexes")) func fillingAnIndexComputesBounds() throws {
    try importDocuments()
    try files.collection.deleteIndex(forName: "search")
    #expect(try files.collection.indexes() == [])
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    #expect(try boundCount() > 0)
  }

  @Test(.filesOnly("counts the score bounds of FTS5 indexes"), arguments: [MaintenanceType.optimize, .fullOptimize])
  func maintenanceComputesBounds(type: MaintenanceType) throws {
    try files.database.inBatch {
      for number in 0..<Self.count { try files.save("\(number)", Self.json(number)) }
    }
    #expect(try boundCount() == 0)
    try files.database.performMaintenance(type: type)
    #expect(try boundCount() > 0)
  }

  @Test func hitsAreTheFirstOfAllMatches() throws {
    try importDocuments()
    try compare("common")
    try compare("common rare")
    try compare("common -rare")
    try compare("common OR rare")
  }

  @Test func changesAfterScoreBoundsWereWrittenAreFound() throws {
    try importDocuments()
    for hit in try files.collection.search("common").hits.prefix(3) {
      try files.collection.purge(id: hit.id)
    }
    try files.save("new", "{\"text\":\"\(String(repeating: "common ", count: 60))\"}")
    try files.save("17", #"{"text":"nothing of the kind"}"#)
    try compare("common")
    #expect(try files.found("common").contains("new"))
    #expect(try files.collection.count(matching: SearchRequest("common")) == Self.count - 3)
    try compare("common rare")
  }

  @Test func totalsAreExact() throws {
    try importDocuments()
    let fresh = try files.again().defaultCollection()
    #expect(try fresh.search("common").total == .exact(Self.count))
    #expect(try fresh.count(matching: SearchRequest("common")) == Self.count)
  }

  /// Compares the first ten hits of a new database object, those of its second search, and the first ten of all hits.
  private func compare(_ query: String) throws {
    let fresh = try files.again().defaultCollection()
    var request = SearchRequest(query)
    let first = try fresh.search(request).hits.map { [$0.id, "\($0.score)"] }
    let second = try fresh.search(request).hits.map { [$0.id, "\($0.score)"] }
    request.limit = Self.count
    let all = try files.again().defaultCollection().search(request).hits.map { [$0.id, "\($0.score)"] }
    #expect(first == Array(all.prefix(10)), "\(query)")
    #expect(second == first, "\(query)")
  }

  private func importDocuments() throws {
    let importer = try DocumentImporter(into: files.collection)
    for number in 0..<Self.count { try importer.add(id: "\(number)", json: Array(Self.json(number).utf8)) }
    _ = try importer.finish()
  }

  private static func json(_ number: Int) -> String {
    let common = String(repeating: "common ", count: 3 + number * 7919 % 11)
    let other = String(repeating: "other ", count: number * 104_729 % 23)
    return "{\"text\":\"\(common)\(other)\(number % 700 == 3 ? "rare" : "")\"}"
  }

  private func boundCount() throws -> Int {
    try files.database.engine.store.read { db in
      let tables = try String.fetchAll(
        db, sql: #"SELECT name FROM sqlite_schema WHERE name LIKE 'concordance\_ft\__%\_data' ESCAPE '\'"#)
      return try tables.reduce(0) { sum, table in
        sum + (try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table) WHERE id >> 31 & 63 = 1") ?? 0)
      }
    }
  }
}
