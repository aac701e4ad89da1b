import Concordance
import Foundation
import PostgresAccess
import PostgresStore
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct DocumentsOnPostgreSQLTests {
  @Test func aSavedDocumentIsRead() throws {
    let url = try TemporaryCluster.makeDatabase()
    #expect(try Database.initialize(url: url, shards: 4))
    #expect(try !Database.initialize(url: url, shards: 4))
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    let document = MutableDocument(id: "a", data: ["title": "é", "n": 1])
    try collection.save(document: document)
    #expect(try collection.document(id: "a")?.string(forKey: "title") == "é")
    #expect(collection.count == 1)
    try database.close()
    let again = try Database(url: url)
    #expect(try again.defaultCollection().document(id: "a")?.int(forKey: "n") == 1)
  }

  @Test func aShardWithoutFreeNumbersRefusesNewDocuments() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url, shards: 2)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", data: ["n": 1]))
    let last = try #require(ShardLayout(count: 2)).maximumNumber
    _ = try PostgresConnection(url).run(
      """
      INSERT INTO concordance.cx_counter (collection, shard, last_number)
      SELECT 1, s, $1 FROM generate_series(0, 1) AS s
      ON CONFLICT (collection, shard) DO UPDATE SET last_number = excluded.last_number
      """, [.int64(last)])
    let error = #expect(throws: CBLError.self) { try collection.save(document: MutableDocument(id: "b")) }
    #expect(error?.message.contains("including those that were purged or have expired; export") == true)
    // Documents keep their number when they are replaced.
    try collection.save(document: MutableDocument(id: "a", data: ["n": 2]))
    #expect(collection.count == 1)
  }

  @Test func aLineWithAnIDThatCannotBeStoredIsReported() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let transfer = try DatabaseImport(into: Database(url: url))
    func add(_ line: String, _ number: Int) throws {
      try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number) }
    }
    try add(#"{"_id":"a"}"#, 1)
    let error = #expect(throws: DatabaseImport.LineError.self) { try add(#"{"_id":"a\u0000b"}"#, 2) }
    #expect(error?.line == 2 && error?.description.contains(#""a\u0000b" contains U+0000"#) == true)
    try add(#"{"_id":"c"}"#, 3)
    #expect(try transfer.finish().documentCount == 2)
  }

  @Test func anImportContinuesAfterAnIDThatCannotBeStored() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let importer = try DocumentImporter(into: Database(url: url).defaultCollection())
    let json = Array("{}".utf8)
    try importer.add(id: "a", json: json)
    for (id, alternateID) in [("b\u{0}", "b"), ("b", "b\u{0}")] {
      let error = #expect(throws: CBLError.self) { try importer.add(id: id, alternateID: alternateID, json: json) }
      #expect(error?.code == CBLError.badDocID)
    }
    try importer.add(id: "c", json: json)
    #expect(try importer.finish().savedCount == 2)
  }

  /// A b-tree of PostgreSQL has at most 32 columns.
  @Test(arguments: [31, 32]) func aValueIndexHasAtMost31Expressions(count: Int) throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", data: ["p0": 1, "p30": 2]))
    func create() throws {
      try collection.createIndex(
        withName: "many", config: ValueIndexConfiguration((0..<count).map { "p\($0)" }))
    }
    guard count > 31 else {
      try create()
      #expect(try database.createQuery("SELECT meta().id FROM _ WHERE p0 = 1").execute().allResults().count == 1)
      return
    }
    let error = #expect(throws: CBLError.self) { try create() }
    #expect(error?.code == CBLError.invalidParameter)
    #expect(error?.message.contains("at most 31 expressions, not 32") == true, "\(error?.message ?? "")")
    #expect(try collection.indexes().isEmpty)
  }
}
