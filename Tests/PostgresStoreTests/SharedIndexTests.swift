import Concordance
import PostgresAccess
import TestSupport
import Testing

/// Indexes that several programs use: other versions of the analysis, and segments that disappear.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct SharedIndexTests {
  private static func make(segments: Int) throws -> (url: String, database: Database) {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    try database.defaultCollection().createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    for segment in 0..<segments {
      let importer = try DocumentImporter(into: database.defaultCollection())
      for number in 0..<400 {
        let padding = String(repeating: "word\(number % 7) ", count: 30)
        try importer.add(id: "\(segment)-\(number)", json: Array("{\"text\":\"common text \(padding)\"}".utf8))
      }
      _ = try importer.finish()
    }
    return (url, database)
  }

  @Test func aClientWithAnotherAnalysisIsRefused() throws {
    let (url, database) = try SharedIndexTests.make(segments: 1)
    try database.close()
    let connection = try PostgresConnection(url)
    try connection.execute(
      """
      UPDATE concordance.cx_index SET analyzer_version = '1;icu=60.1;unicode=10.0;snowball=1-2';
      UPDATE concordance.cx_manifest SET state = state + 1
      """)
    let other = try Database(url: url)
    let collection = try other.defaultCollection()
    let errors = [
      #expect(throws: CBLError.self) { try collection.search("common") },
      #expect(throws: CBLError.self) { try collection.save(document: MutableDocument(id: "new", data: ["text": "a"])) },
      #expect(throws: CBLError.self) {
        try other.createQuery("SELECT meta().id FROM _ WHERE match(search, 'common')").execute().allResults()
      },
    ]
    for error in errors {
      #expect(error?.message.contains("icu=60.1") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("than this program has") == true)
    }
    // What does not depend on the analysis works.
    #expect(try collection.document(id: "0-7") != nil)
    #expect(try other.verify().isEmpty == false)
    try other.performMaintenance(type: .reindex)
    #expect(try collection.search("common").total == .exact(400))
  }

  /// A client with another version of ICU reads documents without the index, and does not add keys to it.
  @Test func aClientWithAnotherCollationIsRefused() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.createIndex(
      withName: "names", config: ValueIndexConfiguration(["name COLLATE (UNICODE NOCASE)", "name"]))
    try collection.createIndex(withName: "numbers", config: ValueIndexConfiguration(["number"]))
    try collection.save(document: MutableDocument(id: "a", data: ["name": "Äpfel", "number": 1]))
    let connection = try PostgresConnection(url)
    let versions = try connection.run("SELECT analyzer_version FROM concordance.cx_index ORDER BY name")
    #expect(versions.string(0, 0).contains(";icu=") && !versions.string(1, 0).contains("icu"))
    try connection.execute(
      """
      UPDATE concordance.cx_index SET analyzer_version = '1;icu=60.1' WHERE name = 'names';
      UPDATE concordance.cx_manifest SET state = state + 1
      """)
    let other = try Database(url: url)
    let documents = try other.defaultCollection()
    let error = #expect(throws: CBLError.self) {
      try documents.save(document: MutableDocument(id: "b", data: ["name": "Birnen"]))
    }
    #expect(error?.message.contains("(1;icu=60.1) than this program has") == true, "\(error?.message ?? "")")
    let query = try other.createQuery("SELECT meta().id FROM _ WHERE name COLLATE (UNICODE NOCASE) = 'ÄPFEL'")
    #expect(try query.execute().map { $0.toJSON() } == [#"{"id":"a"}"#])
    let explanation = try query.explain()
    #expect(explanation.contains("was built by another version"), "\(explanation)")
    try other.performMaintenance(type: .reindex)
    try documents.save(document: MutableDocument(id: "b", data: ["name": "Birnen"]))
    #expect(try other.verify().isEmpty)
  }

  @Test func aSearchWhoseSegmentsWereMergedIsRepeated() throws {
    let (url, database) = try SharedIndexTests.make(segments: 2)
    let collection = try database.defaultCollection()
    // This reads the dictionary and no postings.
    #expect(try collection.count(matching: SearchRequest("common")) == 800)
    let connection = try PostgresConnection(url)
    try connection.execute("SET search_path = concordance")
    let state = try connection.run("SELECT state FROM cx_manifest").int64(0, 0)
    let writer = try Database(url: url)
    #expect(try writer.mergeSegments(all: true) == 1)
    // The merged segments disappear, and the first client does not notice that the state has changed.
    for table in ["cx_seg", "cx_dict", "cx_blk", "cx_pos", "cx_len"] {
      try connection.execute(
        """
        DELETE FROM \(table) t USING cx_retired r WHERE t.idx = r.idx AND t.shard = r.shard AND t.seg = r.seg
        """)
    }
    _ = try connection.run("UPDATE cx_manifest SET state = $1", [.int64(state)])
    #expect(try collection.search("common").hits.count == 10)
    #expect(try collection.count(matching: SearchRequest("common")) == 800)
    // A segment that is missing in the new state as well is damage.
    try connection.execute("DELETE FROM cx_blk; UPDATE cx_manifest SET state = state + 1")
    let damaged = try Database(url: url)
    let error = #expect(throws: CBLError.self) { try damaged.defaultCollection().search("common") }
    #expect(error?.message.contains("lacks a row") == true)
  }
}
