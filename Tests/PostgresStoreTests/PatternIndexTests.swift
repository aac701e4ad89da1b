import DocumentStore
import Foundation
import PostgresAccess
import TestSupport
import Testing

@testable import Concordance
@testable import PostgresStore

/// Pattern indexes on PostgreSQL: their segments, merges, and what a search reads.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct PatternIndexTests {
  private static let patterns = ["ab[cd]", "c(ad|be)", "eee", "dda+b", "nosuchtext", #"a\sb"#]

  @Test(arguments: [(1, 1), (2, 2), (3, 1), (4, PairOfDatabases.citus)] as [(UInt64, Int)])
  func changesAndMergesKeepTheResults(seed: UInt64, nodes: Int) throws {
    var random = SeededGenerator(seed: seed)
    let stores = try PairOfDatabases(shards: 4, nodes: nodes)
    _ = try stores.both {
      try $0.defaultCollection().createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    }
    for step in 0..<30 {
      let ids = (0..<[3, 150, 450][step % 3]).map { _ in "doc\(Int.random(in: 0..<600, using: &random))" }
      let texts = ids.map { _ in PatternIndexTests.text(&random) }
      _ = try stores.both { database in
        let importer = try DocumentImporter(into: database.defaultCollection())
        for (id, text) in zip(ids, texts) { try importer.add(id: id, json: Array("{\"text\":\"\(text)\"}".utf8)) }
        _ = try importer.finish()
        if step % 5 == 4, let deleted = try database.defaultCollection().document(id: ids[0]) {
          try database.defaultCollection().delete(document: deleted)
        }
      }
      if step % 7 == 6 { _ = try stores.remote.mergeSegments(all: step % 2 == 0) }
      try PatternIndexTests.compare(stores)
    }
    _ = try stores.remote.mergeSegments(all: true)
    try PatternIndexTests.compare(stores)
    #expect(try stores.remote.verify().isEmpty)
  }

  @Test func mergesRemovePostingsOfReplacedDocuments() throws {
    let (database, connection) = try PatternIndexTests.make()
    for text in ["first version", "second version"] { try PatternIndexTests.fill(database, text, count: 200) }
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    storage.merges.wait()
    func segments(_ trigram: String) throws -> [Int64] {
      let number = trigram.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let rows = try connection.run("SELECT tri, seg, payload FROM cx_tri ORDER BY seg")
      return try (0..<rows.count).compactMap { row in
        var isListed = false
        try PatternRows.forEachList(Int32(clamping: rows.int64(row, 0)), rows.bytes(row, 2)) { found, _ in
          if found == number { isListed = true }
        }
        return isListed ? rows.int64(row, 1) : nil
      }
    }
    #expect(try segments("fir").count == 1 && segments("ver").count == 2)
    _ = try database.mergeSegments(all: true)
    #expect(try segments("fir").isEmpty && segments("ver").count == 1)
    #expect(try PatternIndexTests.found("first", in: database).isEmpty)
    #expect(try PatternIndexTests.found("second", in: database).count == 200)
    #expect(try database.verify().isEmpty)
  }

  @Test func anInterruptedMergeKeepsTheResults() throws {
    let (database, connection) = try PatternIndexTests.make()
    for text in ["first text", "second text"] { try PatternIndexTests.fill(database, text, count: 200) }
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    storage.merges.wait()
    let id = try connection.run("SELECT id FROM cx_index WHERE name = 'patterns'").int64(0, 0)
    // The first transaction replaces the lists of all trigrams, the second would replace the lists of documents.
    let interrupted = PatternMaintenance(
      index: id, transactions: InterruptedTransactions(StorageTransactions(storage: storage), limit: 1))
    #expect(throws: CancellationError.self) { _ = try interrupted.run(mergingAll: true) }
    #expect(try PatternIndexTests.found("second", in: database).count == 200)
    try PatternIndexTests.fill(database, "third text", count: 150)
    #expect(try PatternIndexTests.found("second", in: database).count == 50)
    _ = try database.mergeSegments(all: true)
    for (pattern, count) in [("first", 0), ("second", 50), ("third", 150), ("text", 200)] {
      #expect(try PatternIndexTests.found(pattern, in: database).count == count, "\(pattern)")
    }
    #expect(try database.verify().isEmpty)
  }

  @Test func documentsThatAreSavedOneByOneBecomeASegment() throws {
    let (database, connection) = try PatternIndexTests.make()
    for number in 0..<300 { try PatternIndexTests.fill(database, "text \(number)", count: 1, first: number) }
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    storage.merges.wait()
    _ = try database.mergeSegments()
    #expect(try connection.run("SELECT count(*) FROM cx_tri_recent").int64(0, 0) < 256)
    #expect(try PatternIndexTests.found("text 29[0-9]", in: database).count == 10)
    #expect(try database.verify().isEmpty)
  }

  @Test func compactingReturnsTheSpaceOfReplacedSegments() throws {
    let (database, connection) = try PatternIndexTests.make()
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    for round in 0..<6 {
      let words = (0..<40).map { "word\(round)\($0)" }.joined(separator: " ")
      try PatternIndexTests.fill(database, words, count: 400)
    }
    func size() throws -> Int64 { try database.statusSize(connection) }
    let before = try size()
    try database.performMaintenance(type: .fullOptimize)
    try database.performMaintenance(type: .compact)
    let after = try size()
    // The server may have returned a part of the space before.
    #expect(after < before, "\(before), \(after)")
    #expect(try connection.run("SELECT count(*) FROM cx_retired").int64(0, 0) == 0)
    #expect(try collection.search("word53").total == .exact(400))
    #expect(try PatternIndexTests.found("word53", in: database).count == 400)
    #expect(try database.verify().isEmpty)
  }

  /// A pattern with rare trigrams reads their lists and the candidates, and checking a request reads nothing.
  @Test func aSearchReadsFewRowsInFewRoundTrips() throws {
    let (database, _) = try PatternIndexTests.make()
    try PatternIndexTests.fill(database, "a spinlock protects the list", count: 3_000)
    try PatternIndexTests.fill(database, "a mutex protects the list", count: 5, first: 3_000)
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    // Background merges count too.
    storage.merges.wait()
    var request = PatternSearchRequest("mu.ex protects")
    request.field = "text"
    let collection = try database.defaultCollection()
    let before = storage.roundTripCount
    try request.check()
    #expect(storage.roundTripCount == before)
    let summary = try collection.searchLines(request) {
      $0.id
    } deliver: { _ in
      true
    }
    #expect(summary.documentCount == 5)
    #expect(storage.roundTripCount - before <= 4, "\(storage.roundTripCount - before)")
    // All documents of a folder: the bounds of the ids are read first.
    request.idPrefixes = ["doc"]
    let start = storage.roundTripCount
    #expect(
      try collection.searchLines(request) {
        $0.id
      } deliver: { _ in
        true
      }.documentCount == 5)
    #expect(storage.roundTripCount - start <= 8, "\(storage.roundTripCount - start)")
  }

  /// The server reads the next candidates while the client searches those that it has.
  @Test(arguments: [1, 2]) func candidatesAreReadAhead(nodes: Int) throws {
    let urls = try TemporaryCluster.makeDatabases(nodes)
    try Database.initialize(urls: urls, shards: 4)
    let database = try Database(url: urls[0])
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    try PatternIndexTests.fill(database, "a spinlock protects the list", count: 2_000)
    try PatternIndexTests.fill(database, "a mutex protects the list", count: 1_500, first: 2_000)
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    storage.merges.wait()
    let before = storage.roundTripCount
    #expect(try PatternIndexTests.found("mutex", in: database) == (2_000..<3_500).map { "doc/\($0)" }.sorted())
    #expect(storage.roundTripCount - before <= 5 + 1_500 / 256, "\(storage.roundTripCount - before)")
    // A search that ends early, with documents that were requested and not read.
    var request = PatternSearchRequest("mutex")
    request.field = "text"
    for limit in [1, 256, 300, 512] {
      var count = 0
      try collection.searchLines(request) {
        $0.id
      } deliver: { _ in
        count += 1
        return count < limit
      }
      #expect(try collection.document(id: "doc/7")?.string(forKey: "text") == "a spinlock protects the list")
    }
    try PatternIndexTests.fill(database, "a spinlock protects the list", count: 1_000, first: 2_000)
    #expect(try PatternIndexTests.found("mutex", in: database).count == 500)
  }

  /// In a batch, other threads do not help, and documents that the batch has not written yet are found.
  @Test func aSearchInABatchSeesItsChanges() throws {
    let (database, _) = try PatternIndexTests.make()
    try PatternIndexTests.fill(database, "a spinlock protects the list", count: 600)
    let collection = try database.defaultCollection()
    try database.inBatch {
      try collection.save(document: MutableDocument(id: "new", data: ["text": "a mutex protects the list"]))
      let deleted = try #require(try collection.document(id: "doc/3"))
      try collection.delete(document: deleted)
      #expect(try PatternIndexTests.found("mutex", in: database) == ["new"])
      #expect(try PatternIndexTests.found("spinlock", in: database).count == 599)
    }
    #expect(try PatternIndexTests.found("protects", in: database).count == 600)
    #expect(try database.verify().isEmpty)
  }

  /// Otherwise, searches would omit documents, and a merge would make the loss permanent.
  @Test func truncatedListsAreReported() throws {
    let (database, connection) = try PatternIndexTests.make()
    for text in ["first version", "second version"] { try PatternIndexTests.fill(database, text, count: 200) }
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    storage.merges.wait()
    _ = try connection.run(
      "UPDATE cx_tri SET payload = substring(payload FROM 1 FOR octet_length(payload) - 1) WHERE tri <> -1")
    let operations: [(name: String, run: () throws -> Void)] = [
      ("search", { _ = try PatternIndexTests.found("second", in: database) }),
      ("merge", { _ = try database.mergeSegments(all: true) }),
    ]
    for operation in operations {
      let error = #expect(throws: CBLError.self, "\(operation.name)") { try operation.run() }
      #expect(error?.code == CBLError.corruptData, "\(operation.name)")
      #expect(error?.message.contains("\"patterns\" is damaged") == true, "\(operation.name): \(error?.message ?? "")")
    }
    #expect(try database.verify().contains { "\($0)".contains("its lists are damaged") })
  }

  private static func make() throws -> (Database, PostgresConnection) {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    try database.defaultCollection().createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    let connection = try PostgresConnection(url)
    try connection.execute("SET search_path = concordance")
    return (database, connection)
  }

  private static func fill(_ database: Database, _ text: String, count: Int, first: Int = 0) throws {
    let importer = try DocumentImporter(into: database.defaultCollection())
    for number in first..<first + count {
      try importer.add(id: "doc/\(number)", json: Array("{\"text\":\"\(text)\"}".utf8))
    }
    _ = try importer.finish()
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    String((0..<30).map { _ in "abcde ".randomElement(using: &random) ?? "a" })
  }

  private static func found(_ pattern: String, in database: Database) throws -> [String] {
    var request = PatternSearchRequest(pattern)
    request.field = "text"
    return try database.defaultCollection().matchingIDs(request).ids
  }

  private static func compare(_ stores: PairOfDatabases) throws {
    for pattern in patterns {
      let results = try stores.both { try found(pattern, in: $0) }
      #expect(results.0 == results.1, "\(pattern)")
    }
  }
}

extension Database {
  /// The size of the tables and indexes in bytes.
  fileprivate func statusSize(_ connection: PostgresConnection) throws -> Int64 {
    try connection.run(
      """
      SELECT sum(pg_total_relation_size(c.oid))::int8 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'concordance' AND c.relkind = 'r'
      """
    ).int64(0, 0)
  }
}

/// Transactions of which only some may write.
private final class InterruptedTransactions: MaintenanceTransactions {
  private let transactions: any MaintenanceTransactions
  private var left: Int

  init(_ transactions: any MaintenanceTransactions, limit: Int) {
    self.transactions = transactions
    left = limit
  }

  func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T { try transactions.read(body) }

  func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T { try transactions.write(body) }

  func change<T>(on node: Int, _ body: (PostgresConnection) throws -> T) throws -> T {
    guard left > 0 else { throw CancellationError() }
    left -= 1
    return try transactions.change(on: node, body)
  }

  func vacuum(_ tables: [String], on node: Int) throws { try transactions.vacuum(tables, on: node) }

  func lock<T>(_ number: Int64, _ body: (_ requireLock: @escaping () throws -> Void) throws -> T) throws -> T? {
    try transactions.lock(number, body)
  }
}
