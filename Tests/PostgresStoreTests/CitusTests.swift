import Concordance
import Foundation
import PostgresAccess
import PostgresStore
import Synchronization
import TestSupport
import Testing

/// Databases on Citus, or on the substitute for it (``CitusDatabase``). The suites that compare a database with a file
/// also run there.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct CitusTests {
  private static func make(shards: Int = 8) throws -> (database: Database, url: String, connection: PostgresConnection)
  {
    let url = try CitusDatabase.make().url
    try Database.initializeOnCitus(url: url, shards: shards)
    let connection = try PostgresConnection(url)
    try connection.execute("SET search_path = concordance")
    return (try Database(url: url), url, connection)
  }

  @Test func theExtensionIsRequired() throws {
    let url = try TemporaryCluster.makeDatabase()
    let error = #expect(throws: CBLError.self) { try Database.initializeOnCitus(url: url) }
    #expect(error?.message.contains("the extension citus is not installed in the database; install Citus") == true)
    #expect(
      try PostgresConnection(url).run("SELECT count(*) FROM pg_namespace WHERE nspname = 'concordance'").int64(0, 0)
        == 0)
  }

  @Test(arguments: [1, 32, 256]) func eachShardOfCitusHasOneShard(count: Int) throws {
    let (database, url, connection) = try CitusTests.make(shards: count)
    let places = try connection.run(
      """
      SELECT count(DISTINCT get_shard_id_for_distribution_column('cx_doc', value)), count(DISTINCT value), count(*)
      FROM cx_node
      """)
    #expect((0..<3).map { places.int64(0, $0) } == [Int64](repeating: Int64(count), count: 3))
    try Corpus.fill(database, count: 40)
    let status = try Database.clusterStatus(url: url)
    #expect(status.documentCounts.count == count && status.documentCounts.reduce(0, +) == 59)
    #expect(status.citusVersion?.isEmpty == false && status.size > 0)
    #expect(status.nodes.count == 1)
    #expect(try !Database.initializeOnCitus(url: url, shards: count))
  }

  @Test func theManifestRecordsCitus() throws {
    let (_, url, connection) = try CitusTests.make()
    #expect(try connection.run("SELECT version FROM cx_manifest").int64(0, 0) > 1000)
    func message(_ body: () throws -> Void) -> String { #expect(throws: CBLError.self) { try body() }?.message ?? "" }
    #expect(message { try Database.initialize(url: url, shards: 8) }.contains("initialized on Citus"))
    #expect(message { try Database.initializeOnCitus(url: url, shards: 4) }.contains("8 shards on 1 server"))
    let plain = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: plain)
    try PostgresConnection(plain).execute("UPDATE concordance.cx_manifest SET version = 2004")
    #expect(message { _ = try Database(url: plain) }.contains("newer version"))
  }

  /// The tables of a plain database could not be distributed.
  @Test func keysWithoutTheShardAreRefused() throws {
    let url = try CitusDatabase.make().url
    try Database.initialize(url: url, shards: 4)
    let connection = try PostgresConnection(url)
    try connection.execute("SET search_path = concordance")
    for table in ["cx_doc", "cx_tri", "cx_commit"] {
      #expect(throws: PostgresError.self) {
        try connection.execute("SELECT create_distributed_table('\(table)', 'shard')")
      }
    }
    try connection.execute("SELECT create_distributed_table('cx_blk', 'shard')")
    #expect(throws: PostgresError.self) { try connection.execute("CREATE UNIQUE INDEX ON cx_blk (seg)") }
  }

  /// The coordinator has committed a transaction that a server has only prepared yet: readers wait.
  @Test func readersWaitForTheCommitInAllShards() throws {
    let (database, url, connection) = try CitusTests.make(shards: 2)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", data: ["n": 1]))
    // Opening a database reads, so it would wait too.
    let reader = try Database(url: url)
    let rows = try connection.run("SELECT shard FROM cx_doc WHERE id = 'a'")
    let shard = rows.int64(0, 0)
    try connection.execute(
      """
      BEGIN; UPDATE cx_manifest SET state = state + 1;
      UPDATE cx_node SET state = (SELECT state FROM cx_manifest) WHERE value = \(shard); COMMIT
      """)
    let found = Mutex<Int?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let value = try? reader.defaultCollection().document(id: "a")?.int(forKey: "n")
      found.withLock { $0 = value }
      isDone.signal()
    }
    try connection.execute(
      """
      BEGIN; UPDATE cx_doc SET body = '{"n":2}' WHERE shard = \(shard) AND id = 'a';
      UPDATE cx_shard SET state = (SELECT state FROM cx_manifest) WHERE shard = \(shard); COMMIT
      """)
    isDone.wait()
    #expect(found.withLock { $0 } == 2)
    // A writer continues from there.
    try collection.save(document: MutableDocument(id: "a", data: ["n": 3]))
    #expect(try collection.document(id: "a")?.int(forKey: "n") == 3)
  }

  @Test func expiredDocumentsAreNotFound() throws {
    let (database, url, _) = try CitusTests.make()
    let collection = try database.defaultCollection()
    for id in ["a", "b"] { try collection.save(document: MutableDocument(id: id, data: ["n": 1])) }
    func count() throws -> Int { try database.createQuery("SELECT n FROM _").execute().map { $0.int(at: 0) }.count }
    #expect(try count() == 2)
    let other = try Database(url: url)
    try other.defaultCollection().setDocumentExpiration(id: "b", expiration: Date(timeIntervalSince1970: 1))
    #expect(try count() == 1)
  }

  @Test func segmentsAreMergedAndCompacted() throws {
    let (database, _, connection) = try CitusTests.make(shards: 2)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    for batch in 0..<4 {
      let importer = try DocumentImporter(into: collection)
      for number in 0..<600 {
        try importer.add(id: "\(batch)-\(number)", json: Array("{\"text\":\"word batch\(batch)\"}".utf8))
      }
      _ = try importer.finish()
    }
    try database.performMaintenance(type: .fullOptimize)
    try database.performMaintenance(type: .compact)
    #expect(try connection.run("SELECT count(*) FROM cx_seg").int64(0, 0) == 2)
    var request = SearchRequest("word")
    request.counting = .exact
    #expect(try collection.search(request).total == .exact(2400))
    #expect(try database.verify().isEmpty)
    try collection.deleteIndex(forName: "search")
    #expect(try connection.run("SELECT count(*) FROM cx_dict").int64(0, 0) == 0)
  }
}
