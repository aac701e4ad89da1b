import Concordance
import Foundation
import PostgresAccess
import Synchronization
import TestSupport
import Testing

/// Errors of changes that another thread sends while the client encodes the next ones.
@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct InterruptedImportTests {
  /// So little that an import writes several transactions.
  private static let indexMemory = 32 << 20

  /// Imports 300 documents of about 170 kB, of which about 150 are a transaction and become a segment of each index.
  private static func run(
    _ collection: Collection, progress: @escaping @Sendable (ImportSummary) -> Void = { _ in }
  ) throws -> ImportSummary {
    let importer = try DocumentImporter(into: collection, progress: progress)
    let padding = String(repeating: "x", count: 155_000)
    for number in 0..<300 {
      let words = (0..<2_000).map { "w\((number * 31 + $0 * 7) % 5_000)" }.joined(separator: " ")
      let json = "{\"text\":\"word\(number) \(words)\",\"padding\":\"\(padding)\"}"
      try importer.add(id: "\(number)", json: Array(json.utf8))
    }
    return try importer.finish()
  }

  /// Stops a server when a row is about to be inserted: a trigger waits for a lock that this holds.
  private final class Stop: Sendable {
    private let url: String
    private let cluster: TemporaryCluster
    private let isBlocking = DispatchSemaphore(value: 0)
    private let isStarted = Mutex(false)
    let failure = Mutex<(any Error)?>(nil)

    init(_ cluster: TemporaryCluster, table: String) throws {
      self.cluster = cluster
      url = cluster.url()
      try PostgresConnection(url).execute(
        """
        CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NEW; END';
        CREATE TRIGGER pause BEFORE INSERT ON concordance.\(table) FOR EACH ROW EXECUTE FUNCTION pause();
        """)
    }

    /// Blocks later rows, and stops the server when one waits. Only the first call has an effect.
    func start() {
      let isFirst = isStarted.withLock { isStarted in
        defer { isStarted = true }
        return !isStarted
      }
      guard isFirst else { return }
      Thread.detachNewThread { [self] in
        do {
          let blocker = try PostgresConnection(url)
          _ = try blocker.run("SELECT pg_advisory_lock(7)")
          isBlocking.signal()
          let waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
          while try blocker.run(waiting).count == 0 { sched_yield() }
          try cluster.stopImmediately()
        } catch { failure.withLock { $0 = error } }
        isBlocking.signal()
      }
      isBlocking.wait()
    }
  }

  @Test(arguments: ["cx_tri", "cx_dict", "cx_doc"]) func aServerThatStopsInTheBackgroundLosesNoAcknowledgedBatch(
    table: String
  ) throws {
    let cluster = try TemporaryCluster()
    let url = cluster.url()
    try Database.initialize(url: url)
    var config = DatabaseConfiguration()
    config.indexMemory = InterruptedImportTests.indexMemory
    let database = try Database(url: url, config: config)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    let stop = try Stop(cluster, table: table)
    let acknowledged = Mutex(0)
    let error = #expect(throws: CBLError.self) {
      _ = try InterruptedImportTests.run(collection) { summary in
        acknowledged.withLock { $0 = summary.savedCount }
        stop.start()
      }
    }
    #expect(stop.failure.withLock { $0 } == nil)
    let message = error?.message ?? ""
    #expect(message.contains("the connection to PostgreSQL was lost"), "\(message)")
    #expect(message.contains("the transaction was not saved: repeat it"), "\(message)")
    let saved = acknowledged.withLock { $0 }
    #expect(saved > 0 && saved < 300)
    try cluster.start()
    #expect(collection.count == UInt64(saved))
    #expect(try database.verify().isEmpty)
    #expect(try InterruptedImportTests.run(collection).unchangedCount == saved)
    #expect(collection.count == 300)
    #expect(try collection.search("word299").hits.map(\.id) == ["299"])
    #expect(try database.verify().isEmpty)
  }

  /// A transaction that has lost a change cannot continue after a rollback to a later savepoint. An older savepoint of
  /// PostgreSQL must not be confused with it.
  ///
  /// - Parameters:
  ///   - isLarge: whether the refused document is sent in the background.
  ///   - reads: whether the inner batch sends its changes and receives the error.
  @Test(arguments: [true, false], [true, false]) func aRefusedChangeBeforeASavepointIsNotForgotten(
    isLarge: Bool, reads: Bool
  ) throws {
    struct Failure: Error {}
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try PostgresConnection(url).execute("ALTER TABLE concordance.cx_doc ADD CONSTRAINT refused CHECK (id <> 'r')")
    func save(_ id: String, _ text: String = "") throws {
      try collection.save(document: MutableDocument(id: id, data: ["text": text]))
    }
    let error = #expect(throws: CBLError.self) {
      try database.inBatch {
        try database.inBatch {
          try save("one")
          _ = try collection.document(id: "missing")
        }
        try save("two")
        _ = try collection.document(id: "missing")
        try save("r", isLarge ? String(repeating: "x", count: 9 << 20) : "")
        try? database.inBatch {
          try save("three")
          if reads { _ = try collection.document(id: "missing") }
          throw Failure()
        }
        try save("four")
      }
    }
    #expect(error?.message.contains("refused") == true, "\(error?.message ?? "")")
    #expect(collection.count == 0)
  }
}
