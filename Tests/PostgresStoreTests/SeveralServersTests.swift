import Concordance
import Foundation
import PostgresAccess
import PostgresStore
import Synchronization
import TestSupport
import Testing

/// Databases on several servers. The suites that compare a database with a file also run on several.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct SeveralServersTests {
  /// The ids of documents on the first and on the second of two servers with 8 shards.
  private static let (firstID, secondID): (String, String) = {
    let layout = ShardLayout(count: 8)
    func id(_ shards: Range<Int32>) -> String {
      (0..<1000).map { "doc\($0)" }.first { shards.contains(layout?.shard(ofID: $0) ?? -1) } ?? ""
    }
    return (id(0..<4), id(4..<8))
  }()

  private static func save(_ number: Int, _ database: Database) throws {
    let collection = try database.defaultCollection()
    try database.inBatch {
      for id in [firstID, secondID] {
        try collection.save(document: MutableDocument(id: id, data: ["n": number]))
      }
    }
  }

  private static func numbers(_ database: Database) throws -> [Int] {
    try database.createQuery("SELECT n FROM _").execute().map { $0.int(at: 0) }
  }

  @Test func eachServerHasItsShards() throws {
    let urls = try TemporaryCluster.makeDatabases(3)
    #expect(try Database.initialize(urls: urls))
    #expect(try !Database.initialize(urls: urls))
    let database = try Database(url: urls[0])
    try Corpus.fill(database, count: 200)
    let status = try Database.clusterStatus(url: urls[0])
    #expect(status.nodes.map(\.shards) == [0...4, 5...9, 10...15])
    #expect(status.documentCounts.count == 16)
    // One of the 220 documents is deleted.
    #expect(status.documentCounts.reduce(0, +) == 219)
    for (url, node) in zip(urls, status.nodes) {
      let counts = try PostgresConnection(url).run(
        "SELECT count(*) FILTER (WHERE deleted = 0), min(shard), max(shard) FROM concordance.cx_doc")
      #expect(counts.int64(0, 0) == status.documentCounts[node.shards].reduce(0, +))
      #expect(node.shards.contains(Int(counts.int64(0, 1))) && node.shards.contains(Int(counts.int64(0, 2))))
    }
  }

  /// The program ended after the commit on the first server, which decides, and before that on the second.
  @Test func anInterruptedInitializationIsCompleted() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let cluster = try PostgresConnection(urls[0]).run("SELECT cluster FROM concordance.cx_manifest").string(0, 0)
    let second = try PostgresConnection(urls[1])
    try second.execute("ALTER SCHEMA concordance RENAME TO hidden")
    try second.execute("BEGIN; ALTER SCHEMA hidden RENAME TO concordance")
    try second.execute("PREPARE TRANSACTION 'concordance:\(cluster):init:1'")
    #expect(throws: CBLError.self) { try SeveralServersTests.save(1, Database(url: urls[0])) }
    #expect(try Database.initialize(urls: urls, shards: 8))
    #expect(try !Database.initialize(urls: urls, shards: 8))
    let database = try Database(url: urls[0])
    try SeveralServersTests.save(1, database)
    #expect(try SeveralServersTests.numbers(database) == [1, 1])
  }

  /// A read transaction finds out at its beginning whether any server has documents with an expiration.
  @Test(arguments: [1, 2]) func expiredDocumentsAreNotFound(servers: Int) throws {
    let urls = try TemporaryCluster.makeDatabases(servers)
    try Database.initialize(urls: urls, shards: 8)
    let database = try Database(url: urls[0])
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["n"]))
    try database.inBatch {
      for id in [SeveralServersTests.firstID, SeveralServersTests.secondID] {
        try collection.save(document: MutableDocument(id: id, data: ["n": "word"]))
      }
    }
    func count() throws -> Int { try collection.search("word").hits.count }
    #expect(try count() == 2)
    let other = try Database(url: urls[0])
    try other.defaultCollection().setDocumentExpiration(
      id: SeveralServersTests.secondID, expiration: Date(timeIntervalSinceNow: 0.2))
    try other.close()
    let deadline = ContinuousClock.now + .seconds(20)
    while try count() == 2, ContinuousClock.now < deadline {}
    #expect(try count() == 1)
  }

  @Test func aServerThatIsDownIsNamed() throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    try Database.initialize(urls: [first.url(), second.url()], shards: 8)
    let database = try Database(url: first.url())
    let collection = try database.defaultCollection()
    try SeveralServersTests.save(1, database)
    try second.stopImmediately()
    let errors = [
      #expect(throws: CBLError.self) { _ = try SeveralServersTests.numbers(database) },
      #expect(throws: CBLError.self) { try SeveralServersTests.save(2, database) },
    ]
    for error in errors {
      #expect(error?.message.contains("node 2 of 2, with the shards 4 to 7, is not available") == true)
    }
    // Documents of the first server can be saved without the second.
    try database.inBatch {
      try collection.save(document: MutableDocument(id: SeveralServersTests.firstID, data: ["n": 3]))
    }
    try second.start()
    #expect(try SeveralServersTests.numbers(database) == [3, 1])
    #expect(try database.verify().isEmpty)
  }

  @Test func verificationOfADatabaseWithAServerThatIsDownEndsWithItsError() throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    try Database.initialize(urls: [first.url(), second.url()], shards: 8)
    let database = try Database(url: first.url())
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["n"]))
    try collection.createIndex(withName: "values", config: ValueIndexConfiguration(["n"]))
    try SeveralServersTests.save(1, database)
    try second.stopImmediately()
    let error = #expect(throws: CBLError.self) { try database.verify() }
    #expect(error?.code == CBLError.cantOpenFile)
    #expect(error?.message.contains("node 2 of 2, with the shards 4 to 7, is not available") == true)
  }

  @Test func aServerThatStopsDuringACommitLosesNothing() throws {
    let (first, second) = (try TemporaryCluster(), try TemporaryCluster())
    try Database.initialize(urls: [first.url(), second.url()], shards: 8)
    let database = try Database(url: first.url())
    try SeveralServersTests.save(1, database)
    let error = #expect(throws: CBLError.self) {
      try database.inBatch {
        try SeveralServersTests.save(2, database)
        try second.stopImmediately()
      }
    }
    // The first server, which decides, was not asked to commit.
    #expect(error?.message.contains("the transaction was not saved") == true, "\(error?.message ?? "")")
    try second.start()
    #expect(try SeveralServersTests.numbers(database) == [1, 1])
    try SeveralServersTests.save(3, database)
    #expect(try SeveralServersTests.numbers(database) == [3, 3])
  }

  /// A transaction that a client has prepared on the second server, and whose commit the first server has recorded or
  /// not.
  @Test(arguments: [true, false]) func anInterruptedCommitIsFinished(isCommitted: Bool) throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let database = try Database(url: urls[0])
    try SeveralServersTests.save(1, database)
    let (first, second) = (try PostgresConnection(urls[0]), try PostgresConnection(urls[1]))
    let cluster = try first.run("SELECT cluster FROM concordance.cx_manifest").string(0, 0)
    try second.execute("BEGIN")
    try second.execute("UPDATE concordance.cx_doc SET body = '{\"n\":2}'")
    try second.execute("UPDATE concordance.cx_manifest SET state = state + 1")
    try second.execute("PREPARE TRANSACTION 'concordance:\(cluster):abc:7'")
    if isCommitted {
      try first.execute(
        """
        BEGIN; UPDATE concordance.cx_doc SET body = '{"n":2}'; UPDATE concordance.cx_manifest SET state = state + 1;
        UPDATE concordance.cx_node SET state = state + 1 WHERE number = 1;
        INSERT INTO concordance.cx_commit (client, batches) VALUES ('abc', '{7}'); COMMIT
        """)
      // A reader commits it.
      #expect(try SeveralServersTests.numbers(database) == [2, 2])
    } else {
      // A reader does not see it, and the next writer rolls it back.
      #expect(try SeveralServersTests.numbers(database) == [1, 1])
    }
    try SeveralServersTests.save(3, database)
    #expect(try SeveralServersTests.numbers(database) == [3, 3])
    #expect(
      try second.run("SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()").int64(0, 0) == 0)
  }

  @Test func readersSeeATransactionOnAllServersOrOnNone() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let database = try Database(url: urls[0])
    try SeveralServersTests.save(0, database)
    let isFinished = Atomic(false)
    let failure = Mutex<(any Error)?>(nil)
    let writer = Thread {
      do { for number in 1...60 { try SeveralServersTests.save(number, database) } } catch {
        failure.withLock { $0 = error }
      }
      isFinished.store(true, ordering: .sequentiallyConsistent)
    }
    writer.start()
    let reader = try Database(url: urls[0])
    repeat {
      let numbers = try SeveralServersTests.numbers(reader)
      #expect(numbers.count == 2 && numbers.first == numbers.last, "\(numbers)")
    } while !isFinished.load(ordering: .sequentiallyConsistent)
    #expect(failure.withLock { $0 } == nil)
    #expect(try SeveralServersTests.numbers(reader) == [60, 60])
  }

  @Test func addressesThatCannotWorkAreRefused() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    func message(_ body: () throws -> Void) -> String { #expect(throws: CBLError.self) { try body() }?.message ?? "" }
    #expect(message { try Database.initialize(urls: urls, shards: 1) }.contains("at least the number of servers"))
    #expect(message { try Database.initialize(urls: [urls[0], urls[0]]) }.contains("the same as an earlier one"))
    let again = urls[0] + "&application_name=other"
    #expect(message { try Database.initialize(urls: [urls[0], again]) }.contains("leads to the same database"))
    for address in ["u:secret@db/x", "u:secret@db1:5432,db2:5432/x", "db/x?sslpassword=secret"] {
      let refusal = message { try Database.initialize(urls: [urls[0], "postgresql://\(address)"]) }
      #expect(refusal.contains("must not contain a password"), "\(address)")
    }
    try Database.initialize(urls: urls, shards: 2)
    #expect(message { try Database.initialize(urls: urls, shards: 4) }.contains("2 shards on 2 servers"))
    #expect(message { _ = try Database(url: urls[1]) }.contains("node 2 of a database on several servers"))
    let others = try TemporaryCluster.makeDatabases(2)
    #expect(message { try Database.initialize(urls: [others[0], urls[1]]) }.contains("already has tables"))
    try Database.initialize(urls: others, shards: 2)
    // The address of the second server now leads to that of another database.
    try PostgresConnection(urls[0]).execute(
      "UPDATE concordance.cx_node SET address = '\(others[1])' WHERE number = 1")
    #expect(message { _ = try Database(url: urls[0]) }.contains("is not node 2 of this database"))
  }

  @Test func tablesOfAnOlderVersionAreUpdated() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    try PostgresConnection(url).execute(
      """
      SET search_path = concordance; DROP TABLE cx_node, cx_commit;
      ALTER TABLE cx_value_table DROP COLUMN dropped;
      ALTER TABLE cx_manifest DROP COLUMN node, DROP COLUMN cluster; UPDATE cx_manifest SET version = 1
      """)
    let error = #expect(throws: CBLError.self) { _ = try Database(url: url) }
    #expect(error?.message.contains("have the older version 1") == true)
    #expect(try Database.initialize(url: url))
    try Database(url: url).defaultCollection().save(document: MutableDocument(id: "a", data: ["n": 1]))
  }
}
