import Concordance
import Foundation
import Logging
import Synchronization
import Testing

@Suite struct LogTests {
  private let folder: TemporaryFolder
  private let entries = LogEntries()

  init() throws { folder = try TemporaryFolder() }

  private func open(_ level: Logger.Level, slow: Duration = .seconds(60)) throws -> Database {
    var config = DatabaseConfiguration()
    config.directory = folder.url.path
    var logger = Logger(label: "test") { [entries] _ in CollectingHandler(entries: entries) }
    logger.logLevel = level
    config.logger = logger
    config.slowOperationThreshold = slow
    return try Database(name: "test", config: config)
  }

  @Test func openingAndClosingAreLoggedAtDebug() throws {
    try open(.debug).close()
    #expect(entries.all.map(\.message) == ["database opened", "database closed"])
    #expect(entries.all.allSatisfy { $0.level == .debug && $0.metadata["database"]?.contains("test.concord") == true })
  }

  @Test func slowOperationsAreLoggedWithoutTheTextOfTheQuery() throws {
    let database = try open(.info, slow: .zero)
    let notes = try database.defaultCollection()
    try notes.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    try notes.save(document: MutableDocument(id: "tea", data: ["text": "secret"]))
    _ = try notes.search("secret")
    _ = try database.createQuery("SELECT text FROM _ WHERE text = 'secret'").execute()
    let messages = Set(entries.all.map(\.message))
    #expect(messages == ["slow wait for the writer", "slow search", "slow query"])
    #expect(entries.all.allSatisfy { $0.level == .notice && $0.metadata["duration"] != nil })
    #expect(!entries.all.contains { $0.description.contains("secret") })
  }

  @Test func queryTextIsLoggedAtDebug() throws {
    let database = try open(.debug, slow: .zero)
    _ = try database.createQuery("SELECT 'needle' FROM _").execute()
    #expect(entries.all.contains { $0.message == "slow query" && $0.metadata["text"]?.contains("needle") == true })
  }

  @Test func stepsOfMigrationsAreLoggedAtInfo() throws {
    let database = try open(.info)
    let steps = [Migration("first") { _ in }, Migration("second") { _ in }]
    try database.migrate(steps)
    try database.migrate(steps)
    #expect(entries.all.map(\.message) == ["migration step run", "migration step run"])
    #expect(entries.all.map { $0.metadata["step"] } == ["first", "second"])
    #expect(entries.all.map { $0.metadata["userVersion"] } == ["1", "2"])
    #expect(entries.all.allSatisfy { $0.level == .info && $0.metadata["duration"] != nil })
  }

  /// Keeps a database open until the process ends. Only the child process of one test sets it.
  private nonisolated(unsafe) static var global: Database?

  @Test func checkpointAtExitIsLoggedAtDebug() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [path = folder.url.path as String] in
      var config = DatabaseConfiguration()
      config.directory = path
      var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
      logger.logLevel = .debug
      config.logger = logger
      let database = try Database(name: "test", config: config)
      LogTests.global = database
      try database.defaultCollection().save(document: MutableDocument(id: "tea"))
      exit(EXIT_SUCCESS)
    }
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
    let line = try #require(lines.first { $0.contains("checkpoint at exit") }, "\(lines)")
    #expect(line.contains("debug") && line.contains("isComplete=true") && line.contains("test.concord"))
    #expect(!lines.contains { $0.contains("database closed") })
  }

  @Test func fastOperationsAreNotLogged() throws {
    let database = try open(.info)
    try database.defaultCollection().save(document: MutableDocument())
    #expect(entries.all.isEmpty)
  }
}

private struct LogEntry: CustomStringConvertible {
  let level: Logger.Level
  let message: String
  let metadata: [String: String]

  var description: String { "\(level) \(message) \(metadata)" }
}

private final class LogEntries: Sendable {
  private let entries = Mutex<[LogEntry]>([])

  var all: [LogEntry] { entries.withLock { $0 } }

  func add(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
}

private struct CollectingHandler: LogHandler {
  let entries: LogEntries
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    entries.add(LogEntry(level: event.level, message: "\(event.message)", metadata: all.mapValues { "\($0)" }))
  }
}
