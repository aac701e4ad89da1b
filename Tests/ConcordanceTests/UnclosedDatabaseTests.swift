import Concordance
import Foundation
import GRDBSQLite
import Testing

/// A database that was never closed: its file must be complete after the object is released or the process ends.
@Suite(.filesOnly("reads the write-ahead log of files")) struct UnclosedDatabaseTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func config(_ folder: String) -> DatabaseConfiguration {
    var config = DatabaseConfiguration()
    config.directory = folder
    return config
  }

  private static func save(_ database: Database) throws {
    let notes = try database.createCollection(name: "notes")
    for number in 1...50 { try notes.save(document: MutableDocument(id: "n\(number)", data: ["n": number])) }
  }

  /// The number of documents in a copy of the file without its write-ahead log.
  private func countInCopy() throws -> UInt64 {
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: folder.url.appendingPathComponent("test.concord"), to: copy.url.appendingPathComponent("test.concord"))
    let database = try Database(name: "test", config: UnclosedDatabaseTests.config(copy.url.path))
    #expect(try database.verify() == [])
    return try database.collection(name: "notes")?.count ?? 0
  }

  @Test func fileIsCompleteAfterDeinitialization() throws {
    try UnclosedDatabaseTests.save(Database(name: "test", config: UnclosedDatabaseTests.config(folder.url.path)))
    #expect(try countInCopy() == 50)
  }

  /// The write-ahead log of the old file has the path of the new file's log.
  @Test func aFileThatReplacesAnOpenOneIsNotChanged() throws {
    let other = try TemporaryFolder()
    try UnclosedDatabaseTests.save(Database(name: "test", config: UnclosedDatabaseTests.config(other.url.path)))
    let new = other.url.appendingPathComponent("test.concord")
    let content = try Data(contentsOf: new)
    let path = folder.url.appendingPathComponent("test.concord")
    let database = try Database(name: "test", config: UnclosedDatabaseTests.config(folder.url.path))
    try UnclosedDatabaseTests.save(database)
    #expect(!database.isFileReplaced)
    #expect(rename(new.path, path.path) == 0)
    #expect(database.isFileReplaced)
    try database.close()
    #expect(try Data(contentsOf: path) == content)
  }

  /// Keeps a database open until the process ends. Only the child process of one test sets it.
  private nonisolated(unsafe) static var global: Database?

  @Test func fileIsCompleteAfterANormalExit() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let database = try Database(name: "test", config: UnclosedDatabaseTests.config(path))
      UnclosedDatabaseTests.global = database
      try UnclosedDatabaseTests.save(database)
      exit(EXIT_SUCCESS)
    }
    #expect(try countInCopy() == 50)
  }

  @Test func aFileThatReplacesAnOpenOneIsNotChangedByAnExit() async throws {
    let other = try TemporaryFolder()
    try UnclosedDatabaseTests.save(Database(name: "test", config: UnclosedDatabaseTests.config(other.url.path)))
    let new = other.url.appendingPathComponent("test.concord")
    let content = try Data(contentsOf: new)
    let path = folder.url.appendingPathComponent("test.concord")
    await #expect(processExitsWith: .success) {
      [folder = folder.url.path as String, new = new.path as String, path = path.path as String] in
      let database = try Database(name: "test", config: UnclosedDatabaseTests.config(folder))
      UnclosedDatabaseTests.global = database
      try UnclosedDatabaseTests.save(database)
      exit(rename(new, path) == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
    #expect(try Data(contentsOf: path) == content)
  }

  @Test func fileWithARelativePathIsCompleteAfterANormalExit() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      try #require(FileManager.default.changeCurrentDirectoryPath(path))
      let database = try Database(path: "test.concord")
      UnclosedDatabaseTests.global = database
      try UnclosedDatabaseTests.save(database)
      try #require(FileManager.default.changeCurrentDirectoryPath("/"))
      exit(EXIT_SUCCESS)
    }
    #expect(try countInCopy() == 50)
  }

  @Test func relativePathIsTheSameFileInAnotherWorkingDirectory() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      try #require(FileManager.default.changeCurrentDirectoryPath(path))
      let database = try Database(path: "test.concord")
      try #require(FileManager.default.changeCurrentDirectoryPath("/"))
      try UnclosedDatabaseTests.save(database)
      try database.delete()
      try #require(!FileManager.default.fileExists(atPath: path + "/test.concord"))
      exit(EXIT_SUCCESS)
    }
  }

  @Test func openingThatFailsLeavesTheCheckpointOfAnotherObject() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let database = try Database(name: "test", config: UnclosedDatabaseTests.config(path))
      UnclosedDatabaseTests.global = database
      // A foreign table makes the next opening fail.
      var other: OpaquePointer?
      try #require(sqlite3_open(path + "/test.concord", &other) == SQLITE_OK)
      try #require(sqlite3_exec(other, "CREATE TABLE foreign_table (a)", nil, nil, nil) == SQLITE_OK)
      #expect(throws: CBLError.self) { try Database(name: "test", config: UnclosedDatabaseTests.config(path)) }
      try #require(sqlite3_exec(other, "DROP TABLE foreign_table", nil, nil, nil) == SQLITE_OK)
      sqlite3_close(other)
      try UnclosedDatabaseTests.save(database)
      exit(EXIT_SUCCESS)
    }
    #expect(try countInCopy() == 50)
  }

  @Test func exitInsideABatchRollsTheBatchBack() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let database = try Database(name: "test", config: UnclosedDatabaseTests.config(path))
      UnclosedDatabaseTests.global = database
      try UnclosedDatabaseTests.save(database)
      try database.inBatch {
        try database.defaultCollection().save(document: MutableDocument())
        exit(EXIT_SUCCESS)
      }
    }
    let database = try Database(name: "test", config: UnclosedDatabaseTests.config(folder.url.path))
    #expect(try database.collection(name: "notes")?.count == 50)
    #expect(try database.defaultCollection().count == 0)
    #expect(try database.verify() == [])
  }
}
