import DocumentStore
import Foundation
import PostgresAccess
import TestSupport
import Testing

@testable import Concordance
@testable import PostgresStore

/// Maintenance of a database while other processes use it.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct MaintenanceTests {
  /// Two segments of 300 documents that contain the words `common` and `rare`, in each index.
  private static func fill(_ database: Database) throws {
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    for batch in 0..<2 {
      let importer = try DocumentImporter(into: collection)
      for number in 0..<300 {
        try importer.add(id: "\(batch)-\(number)", json: Array("{\"text\":\"common rare \(number)\"}".utf8))
      }
      _ = try importer.finish()
    }
    (database.engine.store.remote as? PostgresStorage)?.merges.wait()
  }

  private static func connect(_ url: String) throws -> PostgresConnection {
    let connection = try PostgresConnection(url)
    try connection.execute("SET search_path = concordance")
    return connection
  }

  private static func found(_ pattern: String, in database: Database) throws -> Int {
    var request = PatternSearchRequest(pattern)
    request.field = "text"
    return try database.defaultCollection().matchingIDs(request).ids.count
  }

  /// A reader that knows the state of the shards has sent nothing to them when a merge deletes the rows of the segments
  /// that it knows. Their servers have no common snapshot.
  @Test(arguments: ["rare", "rar*", "\"common rare\""])
  func aSegmentThatIsMergedBeforeItIsReadOnCitusIsNotMissing(text: String) throws {
    let url = try CitusDatabase.make().url
    try Database.initializeOnCitus(url: url, shards: 1)
    let database = try Database(url: url)
    try MaintenanceTests.fill(database)
    let collection = try database.defaultCollection()
    #expect(try collection.count(matching: SearchRequest("common")) == 600)
    let connection = try MaintenanceTests.connect(url)
    let state = try connection.run("SELECT state FROM cx_manifest").int64(0, 0)
    let merged = try Database(url: url).mergeSegments(all: true)
    #expect(merged == 2)
    // The reader begins its transaction before the merge.
    _ = try connection.run("UPDATE cx_manifest SET state = $1", [.int64(state)])
    #expect(try collection.count(matching: SearchRequest(text)) == 600)
  }

  /// PostgreSQL only warns if a role may not vacuum a table, so the rewriting of the tables would have no effect.
  @Test func rolesHaveTheDocumentedPrivileges() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let suffix = UInt32.random(in: 0...UInt32.max)
    let (reader, writer) = ("reader\(suffix)", "writer\(suffix)")
    // The statements of the page about PostgreSQL.
    try PostgresConnection(url).execute(
      """
      CREATE ROLE \(reader) LOGIN; CREATE ROLE \(writer) LOGIN;
      GRANT USAGE ON SCHEMA concordance TO \(reader), \(writer);
      GRANT SELECT ON ALL TABLES IN SCHEMA concordance TO \(reader);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA concordance TO \(writer);
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA concordance TO \(writer);
      ALTER DEFAULT PRIVILEGES IN SCHEMA concordance GRANT SELECT ON TABLES TO \(reader);
      ALTER DEFAULT PRIVILEGES IN SCHEMA concordance GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO \(writer);
      ALTER DEFAULT PRIVILEGES IN SCHEMA concordance GRANT USAGE ON SEQUENCES TO \(writer);
      """)
    func open(_ role: String) throws -> Database {
      try Database(url: url.replacing("user=tester", with: "user=\(role)"))
    }
    let owned = try Database(url: url)
    try owned.defaultCollection().createIndex(withName: "values", config: ValueIndexConfiguration(["text"]))
    let written = try open(writer)
    try MaintenanceTests.fill(written)
    #expect(try written.mergeSegments(all: true) == 2)
    let values = try #require(throws: CBLError.self) {
      try written.defaultCollection().createIndex(withName: "more", config: ValueIndexConfiguration(["n"]))
    }
    #expect(values.message.contains("permission denied for schema concordance"), "\(values)")
    #expect(values.message.contains("owner of the tables can create value indexes"), "\(values)")
    #expect(!values.message.contains("INSERT"), "\(values)")
    let compaction = try #require(throws: CBLError.self) { try written.performMaintenance(type: .compact) }
    #expect(compaction.code == CBLError.notWriteable && compaction.message.contains("role \"tester\""), "\(compaction)")
    let read = try open(reader)
    #expect(try read.defaultCollection().count(matching: SearchRequest("common")) == 600)
    #expect(try read.verify().isEmpty)
    let query = "SELECT count(*) FROM _ WHERE text = 'common rare 7'"
    #expect(try read.createQuery(query).execute().map { $0.int(at: 0) } == [2])
    let change = try #require(throws: CBLError.self) {
      try read.defaultCollection().save(document: MutableDocument(id: "new", data: ["text": "new"]))
    }
    #expect(change.code == CBLError.notWriteable && change.message.contains("writing also INSERT, "), "\(change)")
    // Only the owner can drop the table.
    try written.defaultCollection().deleteIndex(forName: "values")
    let connection = try PostgresConnection(url)
    try connection.execute("UPDATE concordance.cx_value_table SET dropped = '2000-01-01'")
    for (database, count) in [(written, 1), (owned, 0)] {
      #expect(try database.mergeSegments() != nil)
      let tables = try connection.run("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'cx\\_vi\\_%'")
      #expect(tables.int64(0, 0) == Int64(count))
    }
  }

  @Test func aPatternMergeEndsWhenItsLockIsLost() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    try MaintenanceTests.fill(database)
    let connection = try MaintenanceTests.connect(url)
    let index = try connection.run("SELECT id FROM cx_index WHERE name = 'patterns'").int64(0, 0)
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    // The first transaction replaces the lists of all trigrams, the second one would replace those of documents.
    let transactions = ObservedTransactions(StorageTransactions(storage: storage)) { step in
      if step == .change(1) { try connection.endLockingSessions() }
    }
    let error = #expect(throws: PostgresError.self) {
      _ = try PatternMaintenance(index: index, transactions: transactions).run(mergingAll: true)
    }
    #expect(error?.kind == .connectionLost, "\(error?.message ?? "")")
    #expect(try MaintenanceTests.found("com+on rare 7", in: database) == 22)
    #expect(try database.mergeSegments(all: true) == 2)
    #expect(try MaintenanceTests.found("com+on rare 7", in: database) == 22)
    #expect(try database.verify().isEmpty)
  }

  /// Rows that a merge has added to an index after it was dropped.
  @Test(arguments: [false, true]) func rowsOfDroppedIndexesAreDeleted(isOnCitus: Bool) throws {
    let url = try isOnCitus ? CitusDatabase.make().url : TemporaryCluster.makeDatabase()
    if isOnCitus {
      try Database.initializeOnCitus(url: url, shards: 2)
    } else {
      try Database.initialize(url: url, shards: 2)
    }
    let database = try Database(url: url)
    try MaintenanceTests.fill(database)
    let connection = try MaintenanceTests.connect(url)
    let shard = try isOnCitus ? connection.run("SELECT value FROM cx_node ORDER BY number").int64(0, 0) : 0
    let column = isOnCitus ? (", shard", ", \(shard)") : ("", "")
    // Before and after the indexes of the catalog.
    for index in [0, 1_000_000] {
      try connection.execute(
        """
        INSERT INTO cx_dict (idx, shard, seg, term, payload) VALUES (\(index), \(shard), 1, 'a', '');
        INSERT INTO cx_len (idx, shard, seg, bno, payload) VALUES (\(index), \(shard), 1, 0, '');
        INSERT INTO cx_tri (idx, tri, seg, payload\(column.0)) VALUES (\(index), 1, 1, ''\(column.1))
        """)
    }
    #expect(try database.mergeSegments() == 0)
    #expect(try connection.run("SELECT count(*) FROM cx_tri").int64(0, 0) > 0)
    for table in SegmentSchema.tables + PatternSegments.tables {
      let count = try connection.run("SELECT count(*) FROM \(table) WHERE idx IN (0, 1000000)").int64(0, 0)
      #expect(count == 0, "\(table)")
    }
    #expect(try database.defaultCollection().count(matching: SearchRequest("common")) == 600)
    #expect(try MaintenanceTests.found("common rare 77", in: database) == 2)
    #expect(try database.verify().isEmpty)
  }
}
