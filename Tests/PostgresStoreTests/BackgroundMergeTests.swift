import DocumentStore
import Logging
import PostgresAccess
import Synchronization
import TestSupport
import Testing

@testable import Concordance
@testable import PostgresStore

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct BackgroundMergeTests {
  /// Segments grow without limit if merges fail, so somebody must notice.
  @Test func failuresAreLoggedOnce() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let warnings = Warnings()
    var config = DatabaseConfiguration()
    config.logger = Logger(label: "test") { _ in WarningHandler(warnings: warnings) }
    let database = try Database(url: url, config: config)
    try database.defaultCollection().createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    let storage = try #require(database.engine.store.remote as? PostgresStorage)
    let connection = try PostgresConnection(url)
    let id = try connection.run("SELECT id FROM concordance.cx_index WHERE name = 'patterns'").int64(0, 0)
    func merge() {
      storage.merges.add([.patterns(id)], storage)
      storage.merges.wait()
    }
    merge()
    #expect(warnings.all.isEmpty)
    try connection.execute("ALTER TABLE concordance.cx_tri RENAME TO cx_hidden")
    merge()
    merge()
    #expect(warnings.all.count == 1)
    #expect(warnings.all.first?.contains("segments cannot be merged") == true, "\(warnings.all)")
    #expect(warnings.all.first?.contains("cx_tri") == true, "\(warnings.all)")
    try connection.execute("ALTER TABLE concordance.cx_hidden RENAME TO cx_tri")
    merge()
    try connection.execute("ALTER TABLE concordance.cx_tri RENAME TO cx_hidden")
    merge()
    #expect(warnings.all.count == 2)
  }
}

private final class Warnings: Sendable {
  private let messages = Mutex<[String]>([])

  var all: [String] { messages.withLock { $0 } }

  func add(_ message: String) { messages.withLock { $0.append(message) } }
}

private struct WarningHandler: LogHandler {
  let warnings: Warnings
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { warnings.add("\(event.message) \(event.metadata ?? [:])") }
}
