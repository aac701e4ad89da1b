import Concordance
import Foundation
import Testing

/// The migration steps of programs.
@Suite(.filesOnly("formats of files")) struct MigrationTests {
  struct Refusal: Error {}

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func config(_ folder: String, _ migrations: [Migration]) -> DatabaseConfiguration {
    var config = DatabaseConfiguration()
    config.directory = folder
    config.migrations = migrations
    return config
  }

  private func open(_ migrations: [Migration]) throws -> Database {
    try Database(name: "test", config: MigrationTests.config(folder.url.path, migrations))
  }

  /// Steps that count in the database how often each of them was applied.
  private static func counting(_ names: String...) -> [Migration] {
    names.map { name in
      Migration(name) { database in
        let steps = try database.createCollection(name: "steps")
        let step = try steps.document(id: name)?.toMutable() ?? MutableDocument(id: name)
        try steps.save(document: step.setInt(step.int(forKey: "count") + 1, forKey: "count"))
      }
    }
  }

  private func counts(_ database: Database) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    try database.collection(name: "steps")?.forEachDocument { step in
      counts[step.id] = step.int(forKey: "count")
      return true
    }
    return counts
  }

  @Test func eachStepIsRunOnceInOrder() throws {
    try open([]).close()
    let first = try open(MigrationTests.counting("a"))
    #expect(try first.userVersion == 1)
    try first.close()
    let second = try open(MigrationTests.counting("a", "b", "c"))
    #expect(try second.appliedMigrations() == ["a", "b", "c"])
    try second.migrate(MigrationTests.counting("a", "b", "c"))
    #expect(try counts(second) == ["a": 1, "b": 1, "c": 1])
    #expect(try second.verify() == [])
  }

  @Test func throwingStepIsRolledBackAndRunAgain() throws {
    let database = try open(MigrationTests.counting("a"))
    let failing = Migration("b") { database in
      try database.defaultCollection().save(document: MutableDocument(id: "half"))
      try database.inBatch { throw Refusal() }
    }
    let error = #expect(throws: CBLError.self) { try database.migrate(MigrationTests.counting("a") + [failing]) }
    #expect(error?.code == CBLError.unexpectedError && error?.underlyingError is Refusal)
    #expect(error?.message.contains("the migration \"b\" was rolled back") == true)
    #expect(try database.defaultCollection().document(id: "half") == nil)
    #expect(try database.userVersion == 1)
    try database.migrate(MigrationTests.counting("a", "b"))
    #expect(try counts(database) == ["a": 1, "b": 1])
  }

  private static func lines(of database: Database, _ collections: [Concordance.Collection]? = nil) throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    try database.exportLines(of: collections) { lines.append($0) }
    return lines
  }

  private static func importing(_ lines: [[UInt8]], into database: Database) throws {
    let transfer = try DatabaseImport(into: database)
    for line in lines { try line.withUnsafeBytes { try transfer.add(line: $0) } }
    _ = try transfer.finish()
  }

  @Test func importedDatabaseDoesNotRunTheStepsAgain() throws {
    let lines = try MigrationTests.lines(of: open(MigrationTests.counting("a", "b")))
    let other = try TemporaryFolder()
    let plain = try Database(name: "test", config: MigrationTests.config(other.url.path, []))
    try MigrationTests.importing(lines, into: plain)
    #expect(try plain.appliedMigrations() == ["a", "b"])
    try plain.close()
    let migrated = try Database(
      name: "test", config: MigrationTests.config(other.url.path, MigrationTests.counting("a", "b", "c")))
    #expect(try counts(migrated) == ["a": 1, "b": 1, "c": 1])
    // Into a database with the same applied steps, any number of times.
    let again = try MigrationTests.lines(of: migrated)
    try MigrationTests.importing(again, into: migrated)
    #expect(try migrated.userVersion == 3)
    #expect(try migrated.verify() == [])
  }

  @Test func importIntoADatabaseWithOtherStepsIsRefused() throws {
    let lines = try MigrationTests.lines(of: open(MigrationTests.counting("a")))
    let other = try TemporaryFolder()
    let database = try Database(
      name: "test", config: MigrationTests.config(other.url.path, MigrationTests.counting("a", "b")))
    let message = "the exported database has userVersion 1 (\"a\"), and this one has userVersion 2 (\"b\")"
    expectError(CBLError.invalidParameter, message) {
      try MigrationTests.importing(lines, into: database)
    }
    #expect(try counts(database) == ["a": 1, "b": 1])
    #expect(try database.userVersion == 2)
  }

  /// An export of collections can be imported into any database.
  @Test func exportOfCollectionsHasNoSteps() throws {
    let database = try open(MigrationTests.counting("a"))
    let steps = try #require(try database.collection(name: "steps"))
    let lines = try MigrationTests.lines(of: database, [steps])
    #expect(String(decoding: lines[0], as: UTF8.self) == #"{"_concordance":1}"#)
    #expect(
      String(decoding: try MigrationTests.lines(of: database)[0], as: UTF8.self)
        == #"{"_concordance":1,"_migrations":["a"]}"#)
  }

  @Test func databaseOfANewerProgramIsRefused() throws {
    try open(MigrationTests.counting("a", "b")).close()
    expectError(CBLError.databaseTooNew, "userVersion 2 (\"b\")") { _ = try open(MigrationTests.counting("a")) }
    // A tool without migrations can open it.
    #expect(try open([]).userVersion == 2)
  }

  @Test func renamedAndDuplicateStepsAreRefused() throws {
    let database = try open(MigrationTests.counting("a", "b"))
    expectError(CBLError.invalidParameter, "do not rename or reorder") {
      try database.migrate(MigrationTests.counting("b", "a"))
    }
    expectError(CBLError.invalidParameter, "two migrations") {
      try database.migrate(MigrationTests.counting("a", "b", "a"))
    }
    #expect(try counts(database) == ["a": 1, "b": 1])
  }

  @Test func readOnlyDatabaseMustBeMigrated() throws {
    try open(MigrationTests.counting("a")).close()
    var config = MigrationTests.config(folder.url.path, MigrationTests.counting("a", "b"))
    config.isReadOnly = true
    expectError(CBLError.notWriteable, "userVersion 1") { _ = try Database(name: "test", config: config) }
    config.migrations = MigrationTests.counting("a")
    #expect(try Database(name: "test", config: config).userVersion == 1)
  }

  @Test func copiesKeepTheUserVersion() throws {
    let path = try #require(open(MigrationTests.counting("a")).path)
    let config = MigrationTests.config(folder.url.path, MigrationTests.counting("a"))
    try Database.copy(fromPath: path, toDatabase: "copy", withConfig: config)
    #expect(try counts(Database(name: "copy", config: config)) == ["a": 1])
  }

  @Test func severalProcessesRunEachStepOnce() async throws {
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...3 {
        group.addTask { [path = folder.url.path] in
          await #expect(processExitsWith: .success) { [path = path as String] in
            let steps = MigrationTests.counting("a", "b", "c", "d")
            try Database(name: "test", config: MigrationTests.config(path, steps)).close()
          }
        }
      }
    }
    #expect(try counts(open([])) == ["a": 1, "b": 1, "c": 1, "d": 1])
  }
}
